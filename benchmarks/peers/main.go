// Command peers compares what it costs to decide the guard's tree by other libraries of behaviour trees: by
// github.com/joeycumines/go-behaviortree.
//
//	cd benchmarks/peers && go run . [-quick] [-json] [-write ../results]
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/flockwork-ai/flockwork/benchmarks/guards"
	"github.com/flockwork-ai/flockwork/benchmarks/harness"
)

// limit is what a tick of the tree may cost at most, beside one of the peer.
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
	c.Notes = append(c.Notes, fmt.Sprintf("go-behaviortree %s; tree_vs_peer is to be at most %g: it is 1/%.0f",
		c.Machine.Deps["github.com/joeycumines/go-behaviortree"], limit, 1/c.Ratios["tree_vs_peer"]))
	if !c.Equal {
		return errors.New("the orders of the contestants differ in the end")
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
