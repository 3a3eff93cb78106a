package harness

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/flockwork-ai/flockwork/internal/lane"
)

// Comparison is the result of [Compare]: what each contestant costs that decides for the same agents.
type Comparison struct {
	Subject     string             `json:"subject"`              // what is decided
	Agents      int                `json:"agents"`               // in the crowd of each contestant
	Nodes       int                `json:"nodes,omitempty"`      // of the behaviour tree; 0 where there is none
	Repetitions int                `json:"repetitions"`          // of each contestant
	Ticks       int                `json:"ticks_per_repetition"` // measured
	Kernel      string             `json:"kernel"`               // the implementation of the 64-lane kernels
	Machine     Machine            `json:"machine"`              // on which it was measured
	Doing       map[string]float64 `json:"doing"`                // share of the agents by what they do at the end, 0..1
	Costs       []Cost             `json:"ns_per_agent"`         // in the order of the contestants
	Ratios      map[string]float64 `json:"ratios"`               // see SetRatio
	Equal       bool               `json:"equal"`                // whether all contestants decided the same, at the end
	Notes       []string           `json:"notes,omitempty"`      // lines of text for the reader

	Decisions string `json:"-"` // what Equal compares, such as "orders"
}

// Compare measures contestants in interleaved repetitions of a number of ticks each. The result has no ratios yet, and
// Equal is true: the caller compares what the contestants decided.
//
// Panics when repetitions or ticks is not positive.
func Compare(subject string, all []Contestant, agents, repetitions, ticks int) *Comparison {
	return &Comparison{
		Subject: subject, Agents: agents, Repetitions: repetitions, Ticks: ticks, Kernel: lane.Kernel,
		Machine: ThisMachine(), Costs: measure(all, agents, repetitions, ticks),
		Doing: map[string]float64{}, Ratios: map[string]float64{}, Equal: true,
	}
}

// SetRatio sets a ratio to the median cost of the first contestant divided by that of the fastest of the others. It
// does nothing when the first or all others were not measured.
func (c *Comparison) SetRatio(ratio, first string, others ...string) {
	fastest := 0.0
	for _, name := range others {
		if m := c.median(name); m > 0 && (fastest == 0 || m < fastest) {
			fastest = m
		}
	}
	if a := c.median(first); a > 0 && fastest > 0 {
		c.Ratios[ratio] = a / fastest
	}
}

// median returns the median cost of a contestant, 0 if it was not measured.
func (c *Comparison) median(name string) float64 {
	for i := range c.Costs {
		if c.Costs[i].Name == name {
			return c.Costs[i].Median
		}
	}
	return 0
}

// Check returns an error unless the decisions of all contestants were equal.
func (c *Comparison) Check() error {
	if !c.Equal {
		return fmt.Errorf("benchmarks: %s: the %s of the contestants differ at the end", c.Subject, c.Decisions)
	}
	return nil
}

// WriteText writes the comparison and the machine as text.
func (c *Comparison) WriteText(w io.Writer) error {
	return Print(w, func(p *Printer) {
		c.Write(p)
		p.Line("  %s", c.Machine)
	})
}

// Write writes the comparison as text.
func (c *Comparison) Write(p *Printer) {
	nodes := ""
	if c.Nodes > 0 {
		nodes = fmt.Sprintf(", %d nodes", c.Nodes)
	}
	p.Line("Deciding by %s%s: %d agents in an arche world, all due;", c.Subject, nodes, c.Agents)
	p.Line("ns per agent and tick, gather and scatter included;")
	p.Line("%d interleaved repetitions of %d ticks, the median tick of each:", c.Repetitions, c.Ticks)
	p.Line("")
	p.Line("  %-38s %8s %8s %8s   %s", "", "median", "min", "max", "allocations per tick")
	for _, cost := range c.Costs {
		p.Line("  %-38s %8.1f %8.1f %8.1f   %.0f", cost.Name, cost.Median, cost.Min, cost.Max, cost.AllocsPerTick)
	}
	p.Line("")
	for _, name := range slices.Sorted(maps.Keys(c.Ratios)) {
		p.Line("  %-32s %.3f", name, c.Ratios[name])
	}
	for _, note := range c.Notes {
		p.Line("  %s", note)
	}
	p.Line("")
	line := "  doing:"
	for _, name := range slices.Sorted(maps.Keys(c.Doing)) {
		line += fmt.Sprintf(" %s %.0f %%,", name, 100*c.Doing[name])
	}
	p.Line("%s", line[:len(line)-1])
	equal := "the " + c.Decisions + " of all contestants are equal"
	if !c.Equal {
		equal = "THE " + strings.ToUpper(c.Decisions) + " DIFFER"
	}
	p.Line("  %s kernels; %s", c.Kernel, equal)
}
