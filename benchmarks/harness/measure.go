package harness

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"time"
)

// Cost is nanoseconds per agent and tick, gather and scatter included, over the repetitions. Of each repetition the
// median tick counts, since one that was interrupted tells nothing.
type Cost struct {
	Name          string  `json:"name"`
	Median        float64 `json:"median"`
	Min           float64 `json:"min"`
	Max           float64 `json:"max"`
	AllocsPerTick float64 `json:"allocs_per_tick"` // of all agents together
}

// Contestant is a contestant as it is measured.
type Contestant struct {
	Name    string
	Tick    func() // lets every agent decide once: what is timed
	Between func() // what happens between two ticks
}

// SettlingTicks are how many ticks a crowd takes until its behaviour is as mixed as it gets and all scratch memory has
// grown.
const SettlingTicks = 60

// warmingTicks are how many a contestant gets at the beginning of its turn, until the caches hold its crowd again.
const warmingTicks = 3

// Order returns in what order contestants take their turn, the same in every run: nobody always follows the same one.
func Order(contestants, repetition int) []int {
	return rand.New(rand.NewPCG(uint64(repetition), 0)).Perm(contestants)
}

// Measure measures the racers in turn and in another order in each repetition.
func Measure(all []Contestant, agents, repetitions, ticks int) []Cost {
	for _, r := range all {
		r.run(SettlingTicks, nil)
	}
	samples := make([][]float64, len(all))
	spent := make([]time.Duration, ticks)
	for repetition := range repetitions {
		for _, i := range Order(len(all), repetition) {
			runtime.GC() // what another has left behind is not to be collected at this one's expense
			all[i].run(warmingTicks, nil)
			all[i].run(ticks, spent)
			slices.Sort(spent)
			samples[i] = append(samples[i], float64(spent[ticks/2].Nanoseconds())/float64(agents))
		}
	}
	costs := make([]Cost, len(all))
	for i, r := range all {
		s := slices.Sorted(slices.Values(samples[i]))
		costs[i] = Cost{Name: r.Name, Median: s[len(s)/2], Min: s[0], Max: s[len(s)-1], AllocsPerTick: r.allocations()}
	}
	return costs
}

// run lets a racer tick and notes how long each tick took, if it is to.
func (r Contestant) run(ticks int, spent []time.Duration) {
	for i := range ticks {
		start := time.Now()
		r.Tick()
		if spent != nil {
			spent[i] = time.Since(start)
		}
		r.Between()
	}
}

// allocations returns how many allocations a tick makes.
func (r Contestant) allocations() float64 {
	const ticks = 10
	count := uint64(0)
	var before, after runtime.MemStats
	for range ticks {
		runtime.ReadMemStats(&before)
		r.Tick()
		runtime.ReadMemStats(&after)
		count += after.Mallocs - before.Mallocs
		r.Between()
	}
	return float64(count) / ticks
}

// Quantile returns the value that a share q of the values do not exceed.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}
