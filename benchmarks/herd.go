package benchmarks

import (
	"fmt"
	"io"

	"github.com/flockwork-ai/flockwork/internal/lane"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

// Herd is the result of the command herd: what a herd costs per frame, and how that compares.
type Herd struct {
	Machine  Machine           `json:"machine"`
	Kernel   string            `json:"kernel"` // how lanes are computed
	Versions map[string]string `json:"versions"`
	Quick    bool              `json:"quick"`
	Spin     Spin              `json:"spin_calibration"`
	// Ratios are the first named divided by the second; Limits what they may be at most.
	Ratios map[string]float64 `json:"ratios"`
	Limits map[string]float64 `json:"limits"`

	Tree      *Comparison      `json:"tree,omitempty"`
	PlainTree *Comparison      `json:"tree_plain,omitempty"` // with the loops that the compiler makes
	Utility   *Comparison      `json:"utility,omitempty"`
	Siege     *SiegeComparison `json:"siege,omitempty"`
	Sizes     *Scaling         `json:"sizes,omitempty"`
	Bytes     []AgentBytes     `json:"bytes,omitempty"`
	RSS       float64          `json:"rss_bytes_per_agent"` // of the process with the largest siege
	Costs     []HerdCost       `json:"herd,omitempty"`
}

// herdLimits are what ratios should be at most on one quiet AVX-512 machine: the project's goals, reached or not.
var herdLimits = map[string]float64{
	"tree_vs_handwritten": 0.45, "tree_vs_interpreter": 1.0 / 6, "tree_vs_pointer_struct": 1.0 / 5,
	"tree_vs_iteration": 4, "tree_plain_vs_handwritten": 1.2, "utility_vs_closures": 1.0 / 20,
	"utility_vs_scalar": 1.0 / 6, "siege_vs_naive": 1.0 / 10, "siege_p99_over_p50": 2,
	"million_over_ten_thousand": 2, "bytes_per_agent": 256,
}

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
	h.take(h.Tree.Ratios, "tree_vs_handwritten", "tree_vs_interpreter", "tree_vs_pointer_struct",
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
	h.take(h.Utility.Ratios, "utility_vs_closures", "utility_vs_struct_closures", "utility_vs_scalar")

	progress("the siege")
	h.Siege, err = CompareSieges(p.siege, p.settle, p.siegeRepetitions, p.siegeFrames, p.windows, p.window)
	if err != nil {
		return nil, err
	}
	h.Spin = Calibrate() // beside the parallel figures
	h.take(h.Siege.Ratios, "siege_vs_naive", "siege_vs_naive_struct", "siege_without_lod_vs_naive_struct")
	h.Ratios["siege_p99_over_p50"] = h.Siege.Evenness

	for _, chosen := range scenario.All() {
		for _, size := range p.sizes {
			for _, lod := range []bool{true, false} {
				progress(fmt.Sprintf("%s, %d agents", chosen.Name, size.agents))
				cost, err := MeasureHerd(chosen, size.agents, lod, size.settle, size.frames)
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

// take adopts ratios of a part, which has them all.
func (h *Herd) take(from map[string]float64, names ...string) {
	for _, name := range names {
		ratio, ok := from[name]
		if !ok {
			panic("benchmarks: nothing has measured " + name)
		}
		h.Ratios[name] = ratio
	}
}

// WriteText writes the result for a person.
func (h *Herd) WriteText(w io.Writer) error {
	p := &printer{w: w}
	p.line("%s", h.Machine)
	p.line("%s kernels", h.Kernel)
	h.Spin.write(p)
	p.line("")
	p.line("Ratios, the first named divided by the second (bytes_per_agent is a number of bytes), and the project's goals")
	for _, name := range sortedKeys(h.Ratios) {
		p.line("  %-32s %10.3f%s", name, h.Ratios[name], h.limit(name))
	}
	p.line("")
	h.writeCosts(p)
	h.Siege.write(p)
	p.line("")
	h.Sizes.write(p)
	p.line("")
	h.writeBytes(p)
	p.line("")
	h.Tree.write(p)
	p.line("")
	p.line("The same with plain kernels, in a process of its own")
	h.PlainTree.write(p)
	p.line("")
	h.Utility.write(p)
	return p.err
}

// limit says what a ratio may be at most, and whether it is more.
func (h *Herd) limit(name string) string {
	limit, ok := h.Limits[name]
	switch {
	case !ok:
		return ""
	case h.Ratios[name] > limit:
		return fmt.Sprintf("   MISSES the goal of at most %.3g", limit)
	}
	return fmt.Sprintf("   meets the goal of at most %.3g", limit)
}

func (s *Spin) write(p *printer) {
	p.line("spin calibration: %.1f ms by itself, the slowest %.2f times that; two at once %.1f ms, a speedup of %.2f",
		s.OneMS, s.WorstOverMedian, s.TwoMS, s.ParallelSpeedup)
}

// writeCosts writes the cost of each scenario, size and cadence.
func (h *Herd) writeCosts(p *printer) {
	p.line("Herd cost per frame, one worker; stages are medians in µs, decisions and allocations those of a frame;")
	p.line("bytes are all that a scenario holds, map and grid included; p99 of less than 100 frames is the longest")
	p.line("  %-10s %9s %-4s %6s %10s %10s %9s %9s %9s %9s %9s %9s %10s %7s %9s %9s",
		"scenario", "agents", "LOD", "frames", "p50 µs", "p99 µs", "ns/agent",
		"lod", "percept.", "ai", "actions", "commands", "decisions", "allocs", "bytes/ag.", "RSS MB")
	for i := range h.Costs {
		c := &h.Costs[i]
		lod := "off"
		if c.LOD {
			lod = "on"
		}
		line := fmt.Sprintf("  %-10s %9d %-4s %6d %10.1f %10.1f %9.1f",
			c.Scenario, c.Agents, lod, c.Frames, c.P50/1e3, c.P99/1e3, c.PerAgent)
		for _, stage := range sim.Stages() {
			line += fmt.Sprintf(" %9.1f", c.Stages[stage]/1e3)
		}
		p.line("%s %10.1f %7.2f %9.0f %9.1f", line, c.Decisions, c.Allocs, c.HeapBytes, float64(c.RSS)/1e6)
	}
	p.line("")
}

func (s *SiegeComparison) write(p *printer) {
	p.line("The siege at %d agents, 60 frames a second: the whole AI frame in µs,", s.Agents)
	p.line("%d repetitions of %d frames in turn, the mean of each", s.Repetitions, s.Frames)
	p.line("")
	p.line("  %-32s %9s %9s %9s   %9s %9s %9s %9s %9s",
		"", "median", "min", "max", "lod", "percept.", "ai", "actions", "commands")
	for _, c := range s.Costs {
		line := fmt.Sprintf("  %-32s %9.1f %9.1f %9.1f  ", c.Name, c.Median/1e3, c.Min/1e3, c.Max/1e3)
		for _, stage := range sim.Stages() {
			line += fmt.Sprintf(" %9.1f", c.Stages[stage]/1e3)
		}
		p.line("%s", line)
	}
	p.line("")
	for _, name := range sortedKeys(s.Ratios) {
		p.line("  %-32s %.3f", name, s.Ratios[name])
	}
	p.line("  %-32s %.3f   the median of %d windows of %d frames", "p99_over_p50", s.Evenness, s.Windows, s.Window)
}

func (s *Scaling) write(p *printer) {
	p.line("The siege at two sizes, the same %d frames of each, in turn: ns per agent of the median frame", s.Frames)
	p.line("  %9d agents %8.1f", s.Small, s.SmallNS)
	p.line("  %9d agents %8.1f   (p99 of its frames %.1f ms)", s.Large, s.LargeNS, s.LargeP99/1e6)
}

func (h *Herd) writeBytes(p *printer) {
	p.line("Bytes per agent of the siege; %.0f of the process at %d agents", h.RSS, h.Sizes.Large)
	p.line("  %-10s %6s %6s %6s %6s %6s %6s %10s", "", "share", "mind", "intent", "lod", "facts", "sum", "triggers")
	for i := range h.Bytes {
		b := &h.Bytes[i]
		p.line("  %-10s %6.2f %6d %6d %6d %6d %6d %10d",
			b.Kind, b.Share, b.Mind, b.Intent, b.LOD, b.Facts, b.Sum(), b.Triggers)
	}
}
