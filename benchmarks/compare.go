package benchmarks

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flockwork-ai/flockwork/internal/lane"
	"github.com/flockwork-ai/flockwork/systems/frame"
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

	decided string // what is equal, or not
}

// CompareGuards lets every contestant decide for a crowd of guards that are all due, in turn and in another order in
// each repetition. Between ticks a tenth of the guards see their facts change and some of their actions end, the same
// for all contestants; that is not part of the times.
//
// Panics when a number is not positive.
func CompareGuards(agents, repetitions, ticks int) *Comparison {
	checkNumbers("CompareGuards", agents, repetitions, ticks)
	return compareGuards(newContestants(agents, 1), agents, repetitions, ticks)
}

// CompareGuardsByHand does so for the hand-written loop and the block executor alone.
func CompareGuardsByHand(agents, repetitions, ticks int) *Comparison {
	checkNumbers("CompareGuardsByHand", agents, repetitions, ticks)
	all := []*contestant{newHandContestant(agents, 1), newBlockContestant(byBlock, agents, 1, 1)}
	return compareGuards(all, agents, repetitions, ticks)
}

// compareGuards measures contestants, and ends their worlds.
func compareGuards(all []*contestant, agents, repetitions, ticks int) *Comparison {
	defer func() {
		for _, c := range all {
			c.crowd.close()
		}
	}()
	racers := make([]racer, len(all))
	for i, c := range all {
		racers[i] = racer{name: c.name, tick: c.tick, between: func() { c.crowd.between((*frame.Clock).Advance) }}
	}
	result := newComparison("the guard's tree", racers, agents, repetitions, ticks)
	result.decided = guardsDecide
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
	result.compare("tree_vs_handwritten", byBlock, byHand)
	result.compare("tree_vs_interpreter", byBlock, byInterpreter)
	result.compare("tree_vs_pointer_struct", byBlock, byFields)
	result.compare("tree_vs_pointer_dict", byBlock, byDictionary)
	result.compare("tree_vs_iteration", byBlock, byIteration)
	result.compare("two_workers_vs_one", byBlockInTwo, byBlock)
	return result
}

// guardsDecide is what is equal of guards, or not.
const guardsDecide = "orders"

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

// compare notes the median cost of the first contestant divided by that of the second, if both took part.
func (c *Comparison) compare(ratio, first, second string) {
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

// check returns an error unless the contestants decided the same.
func (c *Comparison) check() error {
	if !c.Equal {
		return fmt.Errorf("benchmarks: deciding by %s, the contestants' %s differ in the end", c.Subject, c.decided)
	}
	return nil
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
	c.write(p)
	p.line("  %s", c.Machine)
	return p.err
}

func (c *Comparison) write(p *printer) {
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
		p.line("  %-32s %.3f", name, c.Ratios[name])
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
	equal := "all have decided the same " + c.decided
	if !c.Equal {
		equal = "THE " + strings.ToUpper(c.decided) + " DIFFER"
	}
	p.line("  %s kernels; %s", c.Kernel, equal)
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
