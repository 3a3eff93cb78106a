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

// plan is how much is measured.
type plan struct {
	agents, repetitions, ticks int // of the comparisons of guards and villagers

	// The comparison of sieges: its agents, frames that are not measured, repetitions, frames of each, and windows of
	// frames for the ratio of p99 to p50.
	siege, settle, siegeRepetitions, siegeFrames, windows, window int

	// The siege at two sizes: agents of both, frames that are not measured, and frames that are.
	small, large, sizeSettle, sizeFrames int

	sizes []size // of each scenario
}

// size is a number of agents, a number of frames that are not measured, and the number of frames after them that are.
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

// comparePlain compares the guard's tree with the hand-written loop, with kernels in plain Go.
type comparePlain func(agents, repetitions, ticks int) (*harness.Comparison, error)

// run measures everything. progress is called with the name of each part before it runs; it may be nil.
func (p *plan) run(plain comparePlain, progress func(string)) (*report.Herd, error) {
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
	if err := p.compareDecisions(h, plain, progress); err != nil {
		return nil, err
	}
	progress("the siege")
	var err error
	h.Siege, err = siege.Compare(p.siege, p.settle, p.siegeRepetitions, p.siegeFrames, p.windows, p.window)
	if err != nil {
		return nil, err
	}
	h.Spin = harness.Calibrate() // close to the figures of two workers
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
	progress("decisions of few and of all agents")
	if h.Decisions, err = scenarios.CompareDecisions(
		scenario.Guards(), p.small, p.large, p.sizeSettle, p.repetitions, p.siegeFrames,
	); err != nil {
		return nil, err
	}
	h.Ratios["decision_lod_vs_all_due"] = h.Decisions.LOD / h.Decisions.AllDue
	h.Ratios["ai_million_over_ten_thousand"] = h.Decisions.LargeDue / h.Decisions.AllDue
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

// compareDecisions measures the guard's tree and the villager's utility.
func (p *plan) compareDecisions(h *report.Herd, plain comparePlain, progress func(string)) error {
	progress("the guard's tree")
	h.Tree = guards.Compare(p.agents, p.repetitions, p.ticks)
	if err := h.Tree.Check(); err != nil {
		return err
	}
	takeRatios(h, h.Tree.Ratios, "tree_vs_handwritten", "tree_vs_interpreter", "tree_vs_pointer_struct",
		"tree_vs_pointer_dict", "tree_vs_iteration")
	progress("the guard's tree with plain kernels")
	var err error
	if h.PlainTree, err = plain(p.agents, p.repetitions, p.ticks); err != nil {
		return err
	}
	h.PlainTree.Decisions = h.Tree.Decisions // which the JSON of the other process lacks
	if err := h.PlainTree.Check(); err != nil {
		return err
	}
	h.Ratios["tree_plain_vs_handwritten"] = h.PlainTree.Ratios["tree_vs_handwritten"]
	progress("the villager's utility")
	h.Utility = villagers.Compare(p.agents, p.repetitions, p.ticks)
	if err := h.Utility.Check(); err != nil {
		return err
	}
	takeRatios(h, h.Utility.Ratios, "utility_vs_closures", "utility_vs_struct_closures", "utility_vs_scalar")
	return nil
}

// takeRatios copies ratios of a comparison. It panics when one of them was not measured.
func takeRatios(h *report.Herd, from map[string]float64, names ...string) {
	for _, name := range names {
		ratio, ok := from[name]
		if !ok {
			panic("benchmarks: nothing has measured " + name)
		}
		h.Ratios[name] = ratio
	}
}
