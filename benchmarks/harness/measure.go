package harness

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"time"
)

// Cost is the time of a contestant in nanoseconds per agent and tick, gather and scatter included. The value of a
// repetition is its median tick, so that an interrupted tick has no effect.
type Cost struct {
	Name          string  `json:"name"`            // of the contestant
	Median        float64 `json:"median"`          // of the repetitions
	Min           float64 `json:"min"`             // the fastest repetition
	Max           float64 `json:"max"`             // the slowest repetition
	AllocsPerTick float64 `json:"allocs_per_tick"` // of all agents together
}

// Contestant is one way to decide for a crowd of agents.
type Contestant struct {
	Name    string // in results
	Tick    func() // decides once for every agent; this is what is timed
	Between func() // runs after each tick: the agents' facts change; not timed
}

// SettlingTicks is the number of ticks that run before any is measured. After them the agents' behaviour is as mixed as
// it gets, and all scratch memory has grown.
const SettlingTicks = 60

// warmUpTicks is the number of unmeasured ticks at the beginning of a repetition. They fill the caches with the
// contestant's agents.
const warmUpTicks = 3

// Order returns the order in which contestants run in a repetition: a permutation of 0..contestants-1. It is the same
// in every run, and differs between repetitions, so that no contestant always follows the same one.
func Order(contestants, repetition int) []int {
	return rand.New(rand.NewPCG(uint64(repetition), 0)).Perm(contestants)
}

// measure measures contestants in interleaved repetitions.
func measure(all []Contestant, agents, repetitions, ticks int) []Cost {
	for _, c := range all {
		c.run(SettlingTicks, nil)
	}
	samples := make([][]float64, len(all))
	spent := make([]time.Duration, ticks)
	for repetition := range repetitions {
		for _, i := range Order(len(all), repetition) {
			runtime.GC() // a contestant does not pay for the garbage of another contestant
			all[i].run(warmUpTicks, nil)
			all[i].run(ticks, spent)
			slices.Sort(spent)
			samples[i] = append(samples[i], float64(spent[ticks/2].Nanoseconds())/float64(agents))
		}
	}
	costs := make([]Cost, len(all))
	for i, c := range all {
		s := slices.Sorted(slices.Values(samples[i]))
		costs[i] = Cost{Name: c.Name, Median: s[len(s)/2], Min: s[0], Max: s[len(s)-1], AllocsPerTick: c.allocations()}
	}
	return costs
}

// run ticks the contestant. Where spent is not nil, the time of each tick is written into it.
func (c Contestant) run(ticks int, spent []time.Duration) {
	for i := range ticks {
		start := time.Now()
		c.Tick()
		if spent != nil {
			spent[i] = time.Since(start)
		}
		c.Between()
	}
}

// allocations returns the mean number of allocations of a tick.
func (c Contestant) allocations() float64 {
	const ticks = 10
	count := uint64(0)
	var before, after runtime.MemStats
	for range ticks {
		runtime.ReadMemStats(&before)
		c.Tick()
		runtime.ReadMemStats(&after)
		count += after.Mallocs - before.Mallocs
		c.Between()
	}
	return float64(count) / ticks
}

// Quantile returns the q-quantile of values by the nearest rank, q being 0..1: 0.5 is the median. It returns 0 for no
// values, and leaves their order alone.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}
