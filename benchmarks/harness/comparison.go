package harness

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/flockwork-ai/flockwork/internal/lane"
)

// Comparison is what ways to decide for the same agents cost in one run.
type Comparison struct {
	Subject     string             `json:"subject"` // what is decided
	Agents      int                `json:"agents"`
	Nodes       int                `json:"nodes,omitempty"` // of a tree
	Repetitions int                `json:"repetitions"`
	Ticks       int                `json:"ticks_per_repetition"`
	Kernel      string             `json:"kernel"` // how lanes are computed
	Machine     Machine            `json:"machine"`
	Doing       map[string]float64 `json:"doing"`        // share of the agents that do each thing at the end
	Costs       []Cost             `json:"ns_per_agent"` // in the order of the report
	Ratios      map[string]float64 `json:"ratios"`       // of medians: the first named divided by the second
	Equal       bool               `json:"equal"`        // all contestants had decided the same in the end
	Notes       []string           `json:"notes,omitempty"`

	Decided string // what is equal, or not
}

func RequirePositive(function string, agents, repetitions, ticks int) {
	if agents < 1 || repetitions < 1 || ticks < 1 {
		panic(fmt.Sprintf("benchmarks: %s of %d agents, %d repetitions, %d ticks; use positive numbers",
			function, agents, repetitions, ticks))
	}
}

// Compare measures the racers.
func Compare(subject string, all []Contestant, agents, repetitions, ticks int) *Comparison {
	return &Comparison{
		Subject: subject, Agents: agents, Repetitions: repetitions, Ticks: ticks, Kernel: lane.Kernel,
		Machine: ThisMachine(), Costs: Measure(all, agents, repetitions, ticks),
		Doing: map[string]float64{}, Ratios: map[string]float64{}, Equal: true,
	}
}

// SetRatio notes the median cost of the first contestant divided by that of the second, if both took part.
func (c *Comparison) SetRatio(ratio, first, second string) {
	if a, b := c.median(first), c.median(second); a > 0 && b > 0 {
		c.Ratios[ratio] = a / b
	}
}

// median returns the median cost of a contestant, 0 if it took no part.
func (c *Comparison) median(name string) float64 {
	for i := range c.Costs {
		if c.Costs[i].Name == name {
			return c.Costs[i].Median
		}
	}
	return 0
}

// Check returns an error unless the contestants decided the same.
func (c *Comparison) Check() error {
	if !c.Equal {
		return fmt.Errorf("benchmarks: deciding by %s, the contestants' %s differ in the end", c.Subject, c.Decided)
	}
	return nil
}

// WriteText writes the comparison for a person.
func (c *Comparison) WriteText(w io.Writer) error {
	p := &Printer{W: w}
	c.Write(p)
	p.Line("  %s", c.Machine)
	return p.Err
}

func (c *Comparison) Write(p *Printer) {
	nodes := ""
	if c.Nodes > 0 {
		nodes = fmt.Sprintf(", %d nodes", c.Nodes)
	}
	p.Line("Deciding by %s%s: %d agents in an arche world, all due;", c.Subject, nodes, c.Agents)
	p.Line("ns per agent and tick, gather and scatter included, %d repetitions of %d ticks in turn, the median tick of each:",
		c.Repetitions, c.Ticks)
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
	equal := "all have decided the same " + c.Decided
	if !c.Equal {
		equal = "THE " + strings.ToUpper(c.Decided) + " DIFFER"
	}
	p.Line("  %s kernels; %s", c.Kernel, equal)
}
