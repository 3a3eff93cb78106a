// Command peers measures the guard's tree in another library of behaviour trees,
// github.com/joeycumines/go-behaviortree, beside the block executor and the loop written by hand.
//
//	go -C benchmarks/peers run . [-quick] [-json] [-write ../results]
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/flockwork-ai/flockwork/benchmarks/guards"
	"github.com/flockwork-ai/flockwork/benchmarks/harness"
)

// limit is the greatest cost of a tick of the block executor, divided by that of the peer, that meets the goal.
const limit = 1.0 / 50

var goBehaviorTree = guards.Peer{Name: "go-behaviortree", Tree: guardTree}

func main() {
	quick := flag.Bool("quick", false, "fewer ticks in a repetition")
	asJSON := flag.Bool("json", false, "print one JSON object")
	dir := flag.String("write", "", "write peers.txt and peers.json into this directory")
	flag.Parse()
	err := error(nil)
	if flag.NArg() > 0 {
		err = fmt.Errorf("unknown argument %q; there are only flags", flag.Arg(0))
	} else {
		err = run(*quick, *asJSON, *dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(quick, asJSON bool, dir string) error {
	if dir != "" {
		if err := harness.PrepareDirectory(dir); err != nil {
			return err
		}
	}
	ticks := 20
	if quick {
		ticks = 4
	}
	c := guards.ComparePeer(goBehaviorTree, 10_240, 11, ticks)
	c.Notes = append(c.Notes, fmt.Sprintf("go-behaviortree %s; the goal of tree_vs_peer is at most %g; it is 1/%.0f",
		c.Machine.Deps["github.com/joeycumines/go-behaviortree"], limit, 1/c.Ratios["tree_vs_peer"]))
	if !c.Equal {
		return errors.New("the orders of the contestants differ at the end")
	}
	if dir != "" {
		if err := harness.WriteFiles(dir, "peers", c); err != nil {
			return err
		}
	}
	if asJSON {
		return harness.WriteJSON(os.Stdout, c)
	}
	return c.WriteText(os.Stdout)
}
