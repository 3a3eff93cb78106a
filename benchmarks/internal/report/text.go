package report

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/sim"
)

// WriteText writes the result for a person.
func (h *Herd) WriteText(w io.Writer) error {
	p := &harness.Printer{W: w}
	p.Line("%s", h.Machine)
	p.Line("%s kernels", h.Kernel)
	h.Spin.Write(p)
	p.Line("")
	p.Line("Ratios, the first named divided by the second (bytes_per_agent is a number of bytes), and the project's goals")
	for _, name := range slices.Sorted(maps.Keys(h.Ratios)) {
		p.Line("  %-32s %10.3f%s", name, h.Ratios[name], h.limit(name))
	}
	p.Line("")
	h.writeCosts(p)
	h.Siege.Write(p)
	p.Line("")
	h.Sizes.Write(p)
	p.Line("")
	h.writeBytes(p)
	p.Line("")
	h.Tree.Write(p)
	p.Line("")
	p.Line("The same with plain kernels, in a process of its own")
	h.PlainTree.Write(p)
	p.Line("")
	h.Utility.Write(p)
	return p.Err
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

// writeCosts writes the cost of each scenario, size and cadence.
func (h *Herd) writeCosts(p *harness.Printer) {
	p.Line("Herd cost per frame, one worker; stages are medians in µs, decisions and allocations those of a frame;")
	p.Line("bytes are all that a scenario holds, map and grid included; p99 of less than 100 frames is the longest")
	p.Line("  %-10s %9s %-4s %6s %10s %10s %9s %9s %9s %9s %9s %9s %10s %7s %9s %9s",
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
		p.Line("%s %10.1f %7.2f %9.0f %9.1f", line, c.Decisions, c.Allocs, c.HeapBytes, float64(c.RSS)/1e6)
	}
	p.Line("")
}

func (h *Herd) writeBytes(p *harness.Printer) {
	p.Line("Bytes per agent of the siege; %.0f of the process at %d agents", h.RSS, h.Sizes.Large)
	p.Line("  %-10s %6s %6s %6s %6s %6s %6s %10s", "", "share", "mind", "intent", "lod", "facts", "sum", "triggers")
	for i := range h.Bytes {
		b := &h.Bytes[i]
		p.Line("  %-10s %6.2f %6d %6d %6d %6d %6d %10d",
			b.Kind, b.Share, b.Mind, b.Intent, b.LOD, b.Facts, b.Sum(), b.Triggers)
	}
}
