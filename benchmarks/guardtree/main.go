// Command guardtree compares what it costs to decide the guard's tree: by a hand-written loop, by pointer nodes, by an
// interpreter that goes agent by agent, and by the block executor.
//
//	go run ./benchmarks/guardtree [-quick] [-json]
package main

import "github.com/flockwork-ai/flockwork/benchmarks"

func main() { benchmarks.Command("guardtree", benchmarks.CompareGuards) }
