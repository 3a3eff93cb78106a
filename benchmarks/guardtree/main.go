// Command guardtree compares what it costs to decide the guard's tree: by a hand-written loop, by pointer nodes, by an
// interpreter that goes agent by agent, and by the block executor.
//
//	go run ./benchmarks/guardtree [-quick] [-json]
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/flockwork-ai/flockwork/benchmarks"
)

func main() {
	quick := flag.Bool("quick", false, "fewer ticks in a repetition: about 10 seconds")
	asJSON := flag.Bool("json", false, "print one JSON object")
	flag.Parse()
	ticks := 40
	if *quick {
		ticks = 10
	}
	c := benchmarks.Compare(10_240, 15, ticks)
	var err error
	if *asJSON {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(c)
	} else {
		err = c.WriteText(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "guardtree:", err)
		os.Exit(1)
	}
}
