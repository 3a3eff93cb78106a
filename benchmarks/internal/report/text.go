package report

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/scenarios"
)

// WriteText writes the result as text.
func (h *Herd) WriteText(w io.Writer) error { return harness.Print(w, h.write) }

func (h *Herd) write(p *harness.Printer) {
	p.Line("%s", h.Machine)
	p.Line("%s kernels", h.Kernel)
	h.Spin.Write(p)
	p.Line("")
	p.Line("Ratios, the first named divided by the second (bytes_per_agent is in bytes), and the project's goals")
	for _, name := range slices.Sorted(maps.Keys(h.Ratios)) {
		p.Line("  %-32s %10.3f%s", name, h.Ratios[name], h.limit(name))
	}
	p.Line("")
	h.writeCosts(p)
	h.Siege.Write(p)
	p.Line("")
	h.Decisions.Write(p)
	p.Line("")
	h.Sizes.Write(p)
	p.Line("")
	h.writeBytes(p)
	p.Line("")
	h.Tree.Write(p)
	p.Line("")
	p.Line("The same with plain Go kernels, in a separate process")
	h.PlainTree.Write(p)
	p.Line("")
	h.Utility.Write(p)
}

// limit returns what is written after a ratio: its limit and whether the ratio meets it, or "" where there is no limit.
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

// writeCosts writes the cost of each scenario and size, with LOD and without.
func (h *Herd) writeCosts(p *harness.Printer) {
	p.Line("Cost of a frame, one worker. Stages are medians in µs; decisions and allocations are means per frame;")
	p.Line("bytes are all that a scenario holds, map and grid included; p99 of fewer than 100 frames is their maximum")
	p.Line("  %-10s %9s %-4s %6s %10s %10s %9s%s %10s %7s %9s %9s",
		"scenario", "agents", "LOD", "frames", "p50 µs", "p99 µs", "ns/agent", scenarios.StageHeader(),
		"decisions", "allocs", "bytes/ag.", "RSS MB")
	for i := range h.Costs {
		c := &h.Costs[i]
		lod := "off"
		if c.LOD {
			lod = "on"
		}
		p.Line("  %-10s %9d %-4s %6d %10.1f %10.1f %9.1f%s %10.1f %7.2f %9.0f %9.1f",
			c.Scenario, c.Agents, lod, c.Frames, c.P50/1e3, c.P99/1e3, c.PerAgent, scenarios.StageRow(c.Stages),
			c.Decisions, c.Allocs, c.HeapBytes, float64(c.RSS)/1e6)
	}
	p.Line("")
}

// writeBytes writes the sizes of the siege's agents.
func (h *Herd) writeBytes(p *harness.Printer) {
	p.Line("Bytes per agent of the siege; %.0f of the process at %d agents", h.RSS, h.Sizes.Large)
	p.Line("  %-10s %6s %6s %6s %6s %6s %6s", "", "share", "mind", "intent", "lod", "facts", "sum")
	for i := range h.Bytes {
		b := &h.Bytes[i]
		p.Line("  %-10s %6.2f %6d %6d %6d %6d %6d",
			b.Kind, b.Share, b.Mind, b.Intent, b.LOD, b.Facts, b.Sum())
	}
}
