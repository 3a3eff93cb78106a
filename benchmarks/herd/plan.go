package main

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/benchmarks/guards"
	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/report"
	"github.com/flockwork-ai/flockwork/benchmarks/scenarios"
	"github.com/flockwork-ai/flockwork/benchmarks/siege"
	"github.com/flockwork-ai/flockwork/benchmarks/villagers"
	"github.com/flockwork-ai/flockwork/internal/lane"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

// plan says how much is measured.
type plan struct {
	agents, repetitions, ticks int // of trees and choices

	siege, settle, siegeRepetitions, siegeFrames, windows, window int

	small, large, sizeSettle, sizeFrames int

	sizes []size
}

// size is a number of agents, and how many frames settle it and are measured.
type size struct{ agents, settle, frames int }

func fullPlan() plan {
	return plan{
		agents: 10_240, repetitions: 15, ticks: 40,
		siege: 10_000, settle: 300, siegeRepetitions: 12, siegeFrames: 60, windows: 15, window: 100,
		small: 10_000, large: 1_000_000, sizeSettle: 24, sizeFrames: 24,
		sizes: []size{{100, 300, 600}, {1000, 300, 600}, {10_000, 300, 300}, {100_000, 60, 60}, {1_000_000, 6, 18}},
	}
}

func quickPlan() plan {
	return plan{
		agents: 10_240, repetitions: 10, ticks: 5,
		siege: 10_000, settle: 36, siegeRepetitions: 10, siegeFrames: 6, windows: 7, window: 100,
		small: 10_000, large: 1_000_000, sizeSettle: 6, sizeFrames: 12,
		sizes: []size{{100, 30, 60}, {1000, 30, 60}, {10_000, 12, 12}},
	}
}

// run does all that the command herd is about. plain compares the tree with the hand-written loop in a process of its
// own that computes lanes by the loops that the compiler makes. progress is told what comes next; it may be nil.
func (p *plan) run(
	plain func(agents, repetitions, ticks int) (*harness.Comparison, error), progress func(string),
) (*report.Herd, error) {
	if progress == nil {
		progress = func(string) {}
	}
	h := &report.Herd{
		Machine: harness.ThisMachine(), Kernel: lane.Kernel, Versions: map[string]string{},
		Ratios: map[string]float64{}, Limits: report.Limits,
	}
	h.Versions["go"] = h.Machine.Go
	for module, version := range h.Machine.Deps {
		h.Versions[module] = version
	}
	var err error

	progress("the guard's tree")
	h.Tree = guards.Compare(p.agents, p.repetitions, p.ticks)
	if err := h.Tree.Check(); err != nil {
		return nil, err
	}
	takeRatios(h, h.Tree.Ratios, "tree_vs_handwritten", "tree_vs_interpreter", "tree_vs_pointer_struct",
		"tree_vs_pointer_dict", "tree_vs_iteration")
	progress("the guard's tree with plain kernels")
	if h.PlainTree, err = plain(p.agents, p.repetitions, p.ticks); err != nil {
		return nil, err
	}
	h.PlainTree.Decisions = h.Tree.Decisions // no part of the JSON from the other process
	if err := h.PlainTree.Check(); err != nil {
		return nil, err
	}
	h.Ratios["tree_plain_vs_handwritten"] = h.PlainTree.Ratios["tree_vs_handwritten"]
	progress("the villager's utility")
	h.Utility = villagers.Compare(p.agents, p.repetitions, p.ticks)
	if err := h.Utility.Check(); err != nil {
		return nil, err
	}
	takeRatios(h, h.Utility.Ratios, "utility_vs_closures", "utility_vs_struct_closures", "utility_vs_scalar")

	progress("the siege")
	h.Siege, err = siege.Compare(p.siege, p.settle, p.siegeRepetitions, p.siegeFrames, p.windows, p.window)
	if err != nil {
		return nil, err
	}
	h.Spin = harness.Calibrate() // beside the parallel figures
	takeRatios(h, h.Siege.Ratios, "siege_vs_naive", "siege_vs_naive_struct", "siege_without_lod_vs_naive_struct")
	h.Ratios["siege_p99_over_p50"] = h.Siege.Evenness

	for _, chosen := range scenario.All() {
		for _, size := range p.sizes {
			for _, lod := range []bool{true, false} {
				progress(fmt.Sprintf("%s, %d agents", chosen.Name, size.agents))
				cost, err := scenarios.Measure(chosen, size.agents, lod, size.settle, size.frames)
				if err != nil {
					return nil, err
				}
				h.Costs = append(h.Costs, *cost)
			}
		}
	}
	progress(fmt.Sprintf("%d agents", p.large))
	if h.Sizes, err = siege.CompareSizes(p.small, p.large, p.sizeSettle, p.sizeFrames); err != nil {
		return nil, err
	}
	h.RSS = float64(h.Sizes.ResidentBytes) / float64(p.large)
	h.Ratios["million_over_ten_thousand"] = h.Sizes.LargeNS / h.Sizes.SmallNS
	h.Bytes, h.Ratios["bytes_per_agent"], err = siege.MeanBytes()
	progress("done")
	return h, err
}

// takeRatios copies ratios of a part, which has them all.
func takeRatios(h *report.Herd, from map[string]float64, names ...string) {
	for _, name := range names {
		ratio, ok := from[name]
		if !ok {
			panic("benchmarks: nothing has measured " + name)
		}
		h.Ratios[name] = ratio
	}
}
