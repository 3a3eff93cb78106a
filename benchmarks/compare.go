package benchmarks

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flockwork-ai/flockwork/internal/lane"
	"github.com/flockwork-ai/flockwork/systems"
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
	Doing       map[string]float64 `json:"doing"`            // share of the agents that do each thing at the end
	Costs       []Cost             `json:"ns_per_agent"`     // in the order of the report
	Ratios      map[string]float64 `json:"ratios"`           // of medians
	Limits      map[string]float64 `json:"limits,omitempty"` // what ratios must reach
	Equal       bool               `json:"equal"`            // all contestants had decided the same in the end
	Notes       []string           `json:"notes,omitempty"`

	decided string // what is equal, or not
}

// CompareGuards lets every contestant decide for a crowd of guards that are all due, in turn and in another order in
// each repetition. Between ticks a tenth of the guards see their facts change and some of their actions end, the same
// for all contestants; that is not part of the times.
//
// Panics when a number is not positive.
func CompareGuards(agents, repetitions, ticks int) *Comparison {
	checkNumbers("CompareGuards", agents, repetitions, ticks)
	all := newContestants(agents, 1)
	defer func() {
		for _, c := range all {
			c.crowd.close()
		}
	}()
	racers := make([]racer, len(all))
	for i, c := range all {
		racers[i] = racer{name: c.name, tick: c.tick, between: func() { c.crowd.between((*systems.Clock).Advance) }}
	}
	result := newComparison("the guard's tree", racers, agents, repetitions, ticks)
	result.decided = "orders"
	result.Notes = []string{"between ticks a tenth of the guards see their facts change, and some actions end"}
	for _, c := range all {
		if !c.idle && sameOrders(all[0].crowd, c.crowd) != "" {
			result.Equal = false
		}
		if c.program != nil && len(result.Doing) == 0 {
			result.Nodes = c.program.Nodes()
			for leaf, n := range c.running() {
				result.Doing[c.program.Leaves()[leaf].Name] += float64(n) / float64(agents)
			}
		}
	}
	for name, other := range map[string]string{
		"block_vs_handwritten": byHand, "block_vs_interpreter": byInterpreter, "block_vs_pointer_struct": byFields,
		"block_vs_pointer_dict": byDictionary, "block_vs_iteration": byIteration,
	} {
		result.Ratios[name] = result.median(byBlock) / result.median(other)
	}
	result.Ratios["two_workers_vs_one"] = result.median(byBlockInTwo) / result.median(byBlock)
	return result
}

func checkNumbers(function string, agents, repetitions, ticks int) {
	if agents < 1 || repetitions < 1 || ticks < 1 {
		panic(fmt.Sprintf("benchmarks: %s of %d agents, %d repetitions, %d ticks; use positive numbers",
			function, agents, repetitions, ticks))
	}
}

// newComparison measures the racers.
func newComparison(subject string, all []racer, agents, repetitions, ticks int) *Comparison {
	return &Comparison{
		Subject: subject, Agents: agents, Repetitions: repetitions, Ticks: ticks, Kernel: lane.Kernel,
		Machine: ThisMachine(), Costs: race(all, agents, repetitions, ticks),
		Doing: map[string]float64{}, Ratios: map[string]float64{}, Equal: true,
	}
}

// median returns the median cost of a contestant.
func (c *Comparison) median(name string) float64 {
	for i := range c.Costs {
		if c.Costs[i].Name == name {
			return c.Costs[i].Median
		}
	}
	panic("benchmarks: no contestant " + name)
}

// sameOrders returns how the orders and triggers of the first guard for which two crowds differ in them do, or "".
func sameOrders(a, b *crowd) string {
	x, y := a.orders.Query(a.world), b.orders.Query(b.world)
	defer x.Close()
	defer y.Close()
	if x.Count() != y.Count() {
		return fmt.Sprintf("%d guards and %d", x.Count(), y.Count())
	}
	for range x.Count() {
		x.Next()
		y.Next()
		xIntent, xTriggers := x.Get()
		yIntent, yTriggers := y.Get()
		if x.Entity() != y.Entity() || *xIntent != *yIntent || *xTriggers != *yTriggers {
			return fmt.Sprintf("guard %v: %+v, %+v\nguard %v: %+v, %+v", x.Entity(), *xIntent, *xTriggers, y.Entity(), *yIntent, *yTriggers)
		}
	}
	return ""
}

// WriteText writes the comparison for a person.
func (c *Comparison) WriteText(w io.Writer) error {
	p := &printer{w: w}
	nodes := ""
	if c.Nodes > 0 {
		nodes = fmt.Sprintf(", %d nodes", c.Nodes)
	}
	p.line("Deciding by %s%s: %d agents in an arche world, all due;", c.Subject, nodes, c.Agents)
	p.line("ns per agent and tick, gather and scatter included, %d repetitions of %d ticks in turn, the median tick of each:",
		c.Repetitions, c.Ticks)
	p.line("")
	p.line("  %-38s %8s %8s %8s   %s", "", "median", "min", "max", "allocations per tick")
	for _, cost := range c.Costs {
		p.line("  %-38s %8.1f %8.1f %8.1f   %.0f", cost.Name, cost.Median, cost.Min, cost.Max, cost.AllocsPerTick)
	}
	p.line("")
	for _, name := range sortedKeys(c.Ratios) {
		if limit, ok := c.Limits[name]; ok {
			p.line("  %-26s %.2f   to be at least %g", name, c.Ratios[name], limit)
		} else {
			p.line("  %-26s %.2f", name, c.Ratios[name])
		}
	}
	for _, note := range c.Notes {
		p.line("  %s", note)
	}
	p.line("")
	line := "  doing:"
	for _, name := range sortedKeys(c.Doing) {
		line += fmt.Sprintf(" %s %.0f %%,", name, 100*c.Doing[name])
	}
	p.line("%s", line[:len(line)-1])
	p.line("  %s", c.Machine)
	equal := "all have decided the same " + c.decided
	if !c.Equal {
		equal = "THE " + strings.ToUpper(c.decided) + " DIFFER"
	}
	p.line("  %s kernels; %s", c.Kernel, equal)
	return p.err
}

// printer writes lines and remembers the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
