package benchmarks

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/flockwork-ai/flockwork/internal/lane"
	"github.com/flockwork-ai/flockwork/systems"
)

// Comparison is what the ways to decide the guard's tree cost in one run.
type Comparison struct {
	Agents      int                `json:"agents"`
	Nodes       int                `json:"nodes"` // of the tree
	Repetitions int                `json:"repetitions"`
	Ticks       int                `json:"ticks_per_repetition"`
	Kernel      string             `json:"kernel"` // how lanes are computed
	Machine     Machine            `json:"machine"`
	Doing       map[string]float64 `json:"doing"`        // share of guards in each leaf at the end
	Costs       []Cost             `json:"ns_per_agent"` // in the order of the report
	Ratios      map[string]float64 `json:"ratios"`       // of medians
	Equal       bool               `json:"equal"`        // all contestants had posted the same orders in the end
}

// Cost is nanoseconds per agent and tick, gather and scatter included, over the repetitions. Of each repetition the
// median tick counts, since one that was interrupted tells nothing.
type Cost struct {
	Name          string  `json:"name"`
	Median        float64 `json:"median"`
	Min           float64 `json:"min"`
	Max           float64 `json:"max"`
	AllocsPerTick float64 `json:"allocs_per_tick"` // of all agents together
}

// Compare lets every contestant decide for a crowd of guards that are all due, in turn and in another order in each
// repetition. Between ticks a tenth of the guards see their facts change and some of their actions end, the same for
// all contestants; that is not part of the times.
//
// Panics when a number is not positive.
func Compare(agents, repetitions, ticks int) *Comparison {
	if agents < 1 || repetitions < 1 || ticks < 1 {
		panic(fmt.Sprintf("benchmarks: Compare of %d agents, %d repetitions, %d ticks; use positive numbers", agents, repetitions, ticks))
	}
	all := newContestants(agents, 1)
	defer func() {
		for _, c := range all {
			c.crowd.close()
		}
	}()
	for _, c := range all {
		c.run(settlingTicks, nil)
	}
	samples := make([][]float64, len(all))
	spent := make([]time.Duration, ticks)
	for repetition := range repetitions {
		for k := range all {
			i := (k + repetition) % len(all)
			runtime.GC() // what another has left behind is not to be collected at this one's expense
			all[i].run(warmingTicks, nil)
			all[i].run(ticks, spent)
			slices.Sort(spent)
			samples[i] = append(samples[i], float64(spent[ticks/2].Nanoseconds())/float64(agents))
		}
	}
	allocs := make([]float64, len(all))
	for i, c := range all {
		allocs[i] = allocations(c)
	}

	result := &Comparison{
		Agents: agents, Repetitions: repetitions, Ticks: ticks, Kernel: lane.Kernel, Machine: ThisMachine(),
		Doing: map[string]float64{}, Ratios: map[string]float64{}, Equal: true,
	}
	median := map[string]float64{}
	for i, c := range all {
		s := slices.Sorted(slices.Values(samples[i]))
		cost := Cost{Name: c.name, Median: s[len(s)/2], Min: s[0], Max: s[len(s)-1],
			AllocsPerTick: allocs[i]}
		median[c.name] = cost.Median
		result.Costs = append(result.Costs, cost)
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
		result.Ratios[name] = median[byBlock] / median[other]
	}
	result.Ratios["two_workers_vs_one"] = median[byBlockInTwo] / median[byBlock]
	return result
}

// settlingTicks are how many ticks a crowd takes until its behaviour is as mixed as it gets and all scratch memory has
// grown.
const settlingTicks = 100

// warmingTicks are how many a contestant gets at the beginning of its turn, until the caches hold its crowd again.
const warmingTicks = 3

// run lets a contestant tick and notes how long each tick took, if it is to.
func (c *contestant) run(ticks int, spent []time.Duration) {
	for i := range ticks {
		start := time.Now()
		c.tick()
		if spent != nil {
			spent[i] = time.Since(start)
		}
		c.crowd.between((*systems.Clock).Advance)
	}
}

// allocations returns how many allocations a tick makes.
func allocations(c *contestant) float64 {
	const ticks = 10
	count := uint64(0)
	var before, after runtime.MemStats
	for range ticks {
		runtime.ReadMemStats(&before)
		c.tick()
		runtime.ReadMemStats(&after)
		count += after.Mallocs - before.Mallocs
		c.crowd.between((*systems.Clock).Advance)
	}
	return float64(count) / ticks
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
	p.line("The guard's tree, %d nodes, %d agents in an arche world, all due, facts of a tenth of them changed between ticks;", c.Nodes, c.Agents)
	p.line("ns per agent and tick, gather and scatter included, %d repetitions of %d ticks in turn, the median tick of each:", c.Repetitions, c.Ticks)
	p.line("")
	p.line("  %-38s %8s %8s %8s   %s", "", "median", "min", "max", "allocations per tick")
	for _, cost := range c.Costs {
		p.line("  %-38s %8.1f %8.1f %8.1f   %.0f", cost.Name, cost.Median, cost.Min, cost.Max, cost.AllocsPerTick)
	}
	p.line("")
	for _, name := range sortedKeys(c.Ratios) {
		p.line("  %-26s %.2f", name, c.Ratios[name])
	}
	p.line("")
	line := "  doing:"
	for _, name := range sortedKeys(c.Doing) {
		line += fmt.Sprintf(" %s %.0f %%,", name, 100*c.Doing[name])
	}
	p.line("%s", line[:len(line)-1])
	p.line("  %s", c.Machine)
	equal := "all have posted the same orders"
	if !c.Equal {
		equal = "THE ORDERS DIFFER"
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
