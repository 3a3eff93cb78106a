// Command peers compares what it costs to decide the guard's tree by other libraries of behaviour trees: by
// github.com/joeycumines/go-behaviortree.
//
//	cd benchmarks/peers && go run . [-quick] [-json] [-write ../results]
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/flockwork-ai/flockwork/benchmarks"
)

// limit is what a tick of the tree may cost at most, beside one of the peer.
const limit = 1.0 / 50

var goBehaviorTree = benchmarks.Peer{Name: "go-behaviortree", Tree: guardTree}

func main() {
	quick := flag.Bool("quick", false, "fewer ticks in a repetition")
	asJSON := flag.Bool("json", false, "print one JSON object")
	dir := flag.String("write", "", "write peers.txt and peers.json into this directory")
	flag.Parse()
	if err := run(*quick, *asJSON, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(quick, asJSON bool, dir string) error {
	ticks := 20
	if quick {
		ticks = 4
	}
	c := benchmarks.ComparePeer(goBehaviorTree, 10_240, 11, ticks)
	c.Notes = append(c.Notes, fmt.Sprintf("go-behaviortree %s; tree_vs_peer is to be at most %g: it is 1/%.0f",
		c.Machine.Deps["github.com/joeycumines/go-behaviortree"], limit, 1/c.Ratios["tree_vs_peer"]))
	toJSON := func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(c)
	}
	if dir != "" {
		for name, write := range map[string]func(io.Writer) error{"peers.txt": c.WriteText, "peers.json": toJSON} {
			if err := writeFile(filepath.Join(dir, name), write); err != nil {
				return err
			}
		}
	}
	if asJSON {
		return toJSON(os.Stdout)
	}
	return c.WriteText(os.Stdout)
}

func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		_ = file.Close() // the first error says more
		return err
	}
	return file.Close()
}
