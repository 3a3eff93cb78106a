// Command villager compares what it costs to choose between a villager's actions by their utility: by objects with
// closures, by a hand-written loop, and by the batch scorer.
//
//	go run ./benchmarks/villager [-quick] [-json]
package main

import "github.com/flockwork-ai/flockwork/benchmarks"

func main() { benchmarks.Command("villager", benchmarks.CompareVillagers) }
