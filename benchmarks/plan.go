package benchmarks

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/internal/lane"
	"github.com/flockwork-ai/flockwork/sim"
)

// herdPlan says how much is measured.
type herdPlan struct {
	agents, repetitions, ticks int // of trees and choices

	siege, settle, siegeRepetitions, siegeFrames, windows, window int

	small, large, sizeSettle, sizeFrames int

	sizes []herdSize
}

// herdSize is a number of agents, and how many frames settle it and are measured.
type herdSize struct{ agents, settle, frames int }

func fullPlan() herdPlan {
	return herdPlan{
		agents: 10_240, repetitions: 15, ticks: 40,
		siege: 10_000, settle: 300, siegeRepetitions: 12, siegeFrames: 60, windows: 15, window: 100,
		small: 10_000, large: 1_000_000, sizeSettle: 24, sizeFrames: 24,
		sizes: []herdSize{{100, 300, 600}, {1000, 300, 600}, {10_000, 300, 300}, {100_000, 60, 60}, {1_000_000, 6, 18}},
	}
}

func quickPlan() herdPlan {
	return herdPlan{
		agents: 10_240, repetitions: 10, ticks: 5,
		siege: 10_000, settle: 36, siegeRepetitions: 10, siegeFrames: 6, windows: 7, window: 100,
		small: 10_000, large: 1_000_000, sizeSettle: 6, sizeFrames: 12,
		sizes: []herdSize{{100, 30, 60}, {1000, 30, 60}, {10_000, 12, 12}},
	}
}

// run does all that the command herd is about. plain compares the tree with the hand-written loop in a process of its
// own that computes lanes by the loops that the compiler makes. progress is told what comes next; it may be nil.
func (p *herdPlan) run(
	plain func(agents, repetitions, ticks int) (*Comparison, error), progress func(string),
) (*Herd, error) {
	if progress == nil {
		progress = func(string) {}
	}
	h := &Herd{
		Machine: ThisMachine(), Kernel: lane.Kernel, Versions: map[string]string{},
		Ratios: map[string]float64{}, Limits: herdLimits,
	}
	h.Versions["go"] = h.Machine.Go
	for module, version := range h.Machine.Deps {
		h.Versions[module] = version
	}
	var err error

	progress("the guard's tree")
	h.Tree = CompareGuards(p.agents, p.repetitions, p.ticks)
	if err := h.Tree.check(); err != nil {
		return nil, err
	}
	takeRatios(h, h.Tree.Ratios, "tree_vs_handwritten", "tree_vs_interpreter", "tree_vs_pointer_struct",
		"tree_vs_pointer_dict", "tree_vs_iteration")
	progress("the guard's tree with plain kernels")
	if h.PlainTree, err = plain(p.agents, p.repetitions, p.ticks); err != nil {
		return nil, err
	}
	if err := h.PlainTree.check(); err != nil {
		return nil, err
	}
	h.Ratios["tree_plain_vs_handwritten"] = h.PlainTree.Ratios["tree_vs_handwritten"]
	progress("the villager's utility")
	h.Utility = CompareVillagers(p.agents, p.repetitions, p.ticks)
	if err := h.Utility.check(); err != nil {
		return nil, err
	}
	takeRatios(h, h.Utility.Ratios, "utility_vs_closures", "utility_vs_struct_closures", "utility_vs_scalar")

	progress("the siege")
	h.Siege, err = CompareSieges(p.siege, p.settle, p.siegeRepetitions, p.siegeFrames, p.windows, p.window)
	if err != nil {
		return nil, err
	}
	h.Spin = Calibrate() // beside the parallel figures
	takeRatios(h, h.Siege.Ratios, "siege_vs_naive", "siege_vs_naive_struct", "siege_without_lod_vs_naive_struct")
	h.Ratios["siege_p99_over_p50"] = h.Siege.Evenness

	for _, scenario := range sim.Scenarios() {
		for _, size := range p.sizes {
			for _, lod := range []bool{true, false} {
				progress(fmt.Sprintf("%s, %d agents", scenario.Name, size.agents))
				cost, err := MeasureHerd(scenario.Name, size.agents, lod, size.settle, size.frames)
				if err != nil {
					return nil, err
				}
				h.Costs = append(h.Costs, *cost)
			}
		}
	}
	progress(fmt.Sprintf("%d agents", p.large))
	if h.Sizes, err = CompareSizes(p.small, p.large, p.sizeSettle, p.sizeFrames); err != nil {
		return nil, err
	}
	h.RSS = float64(h.Sizes.residentBytes) / float64(p.large)
	h.Ratios["million_over_ten_thousand"] = h.Sizes.LargeNS / h.Sizes.SmallNS
	h.Bytes, h.Ratios["bytes_per_agent"], err = SiegeBytes()
	progress("done")
	return h, err
}

// takeRatios copies ratios of a part, which has them all.
func takeRatios(h *Herd, from map[string]float64, names ...string) {
	for _, name := range names {
		ratio, ok := from[name]
		if !ok {
			panic("benchmarks: nothing has measured " + name)
		}
		h.Ratios[name] = ratio
	}
}
