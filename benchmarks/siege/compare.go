package siege

import (
	"fmt"
	"maps"
	"runtime"
	"slices"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/scenarios"
	"github.com/flockwork-ai/flockwork/sim"
)

// Comparison is the result of [Compare].
type Comparison struct {
	Agents      int    `json:"agents"`                // at the start
	Repetitions int    `json:"repetitions"`           // of each contestant
	Frames      int    `json:"frames_per_repetition"` // measured
	Costs       []Cost `json:"frame_ns"`              // in the order of the contestants

	// Evenness is the p99 of the library's frames divided by their p50: the median over windows of consecutive frames.
	Evenness float64 `json:"p99_over_p50"`
	Windows  int     `json:"windows"`           // number of windows
	Window   int     `json:"frames_per_window"` // number of frames

	Ratios map[string]float64 `json:"ratios"` // of medians: the first named divided by the second
}

// Cost is the time of a frame in nanoseconds. The value of a repetition is the mean of its frames.
type Cost struct {
	Name   string             `json:"name"`     // of the contestant
	Median float64            `json:"median"`   // of the repetitions
	Min    float64            `json:"min"`      // the fastest repetition
	Max    float64            `json:"max"`      // the slowest repetition
	P50    float64            `json:"p50"`      // of all frames
	P99    float64            `json:"p99"`      // of all frames
	Stages map[string]float64 `json:"stage_ns"` // medians
}

// Names of the contestants.
const (
	byLibrary    = "library, LOD on"
	byTwoWorkers = "library, LOD on, 2 workers"
	withoutLOD   = "library, LOD off"
	byStruct     = "naive, struct blackboards"
	byDictionary = "naive, dictionary blackboards"
)

// contestant is one way to run the siege.
type contestant struct {
	name       string
	equals     int // index of the contestant whose siege must be equal to this one's
	create     func() (*sim.Simulation, error)
	simulation *sim.Simulation
	watch      *scenarios.Stopwatch
	means      []float64 // time of a frame in nanoseconds, by repetition
}

// newContestants returns the contestants, without simulations.
func newContestants(agents int) []*contestant {
	library := func(workers int, lod bool) func() (*sim.Simulation, error) {
		return func() (*sim.Simulation, error) {
			c := config(agents)
			c.Workers, c.LOD = workers, lod
			return sim.NewSimulation(c)
		}
	}
	naive := func(dictionary bool) func() (*sim.Simulation, error) {
		return func() (*sim.Simulation, error) { return newNaive(agents, dictionary) }
	}
	return []*contestant{
		{name: byLibrary, equals: 0, create: library(1, true)},
		{name: byTwoWorkers, equals: 0, create: library(2, true)},
		{name: withoutLOD, equals: 2, create: library(1, false)},
		{name: byStruct, equals: 2, create: naive(false)},
		{name: byDictionary, equals: 2, create: naive(true)},
	}
}

// Compare measures the contestants in interleaved repetitions of a number of frames each, after settle frames that are
// not measured. All contestants in which every agent decides in every frame go through the same battle, agent by agent,
// and so do the two with LOD; Compare checks both at the end. Then it measures windows of the library's frames for the
// ratio of p99 to p50.
//
// An error is one of the configuration, or names sieges that differ and should not. Panics when a number other than
// settle is not positive.
func Compare(agents, settle, repetitions, frames, windows, window int) (*Comparison, error) {
	harness.RequirePositive("siege.Compare", agents, repetitions, frames)
	harness.RequirePositive("siege.Compare", agents, windows, window)
	all := newContestants(agents)
	for _, c := range all {
		s, err := c.create()
		if err != nil {
			return nil, fmt.Errorf("benchmarks: %w", err)
		}
		defer s.Close()
		c.simulation, c.watch = s, scenarios.NewStopwatch(s, repetitions*frames)
		c.watch.Settle(settle)
	}
	for repetition := range repetitions {
		for _, i := range harness.Order(len(all), repetition) {
			runtime.GC() // a contestant does not pay for the garbage of another contestant
			all[i].means = append(all[i].means, all[i].watch.Run(frames))
		}
	}
	for _, c := range all {
		if d := sameSiege(all[c.equals].simulation, c.simulation); d != "" {
			return nil, fmt.Errorf("benchmarks: the siege of %q is not that of %q: %s", c.name, all[c.equals].name, d)
		}
	}
	r := &Comparison{
		Agents: agents, Repetitions: repetitions, Frames: frames, Windows: windows, Window: window,
		Ratios: map[string]float64{},
	}
	medians := map[string]float64{}
	for _, c := range all {
		cost := c.cost()
		medians[c.name] = cost.Median
		r.Costs = append(r.Costs, cost)
	}
	r.Ratios["siege_vs_naive"] = medians[byLibrary] / medians[byDictionary]
	r.Ratios["siege_vs_naive_struct"] = medians[byLibrary] / medians[byStruct]
	r.Ratios["siege_without_lod_vs_naive_struct"] = medians[withoutLOD] / medians[byStruct]
	r.Ratios["two_workers_vs_one"] = medians[byTwoWorkers] / medians[byLibrary]
	r.Evenness = evenness(all[0].simulation, windows, window)
	return r, nil
}

// cost returns the cost of the repetitions so far.
func (c *contestant) cost() Cost {
	frames := c.watch.Frames
	return Cost{
		Name: c.name, Stages: c.watch.StageMedians(),
		Median: harness.Quantile(c.means, 0.5), Min: harness.Quantile(c.means, 0), Max: harness.Quantile(c.means, 1),
		P50: harness.Quantile(frames, 0.5), P99: harness.Quantile(frames, 0.99),
	}
}

// evenness returns the median of p99 over p50 of windows of consecutive frames.
func evenness(s *sim.Simulation, windows, window int) float64 {
	ratios := make([]float64, windows)
	for i := range ratios {
		w := scenarios.NewStopwatch(s, window)
		w.Run(window)
		ratios[i] = harness.Quantile(w.Frames, 0.99) / harness.Quantile(w.Frames, 0.5)
	}
	return harness.Quantile(ratios, 0.5)
}

// Write writes the comparison as text.
func (c *Comparison) Write(p *harness.Printer) {
	p.Line("The siege at %d agents, 60 frames a second: the whole AI frame in µs,", c.Agents)
	p.Line("%d interleaved repetitions of %d frames, the mean of each", c.Repetitions, c.Frames)
	p.Line("")
	p.Line("  %-32s %9s %9s %9s  %s", "", "median", "min", "max", scenarios.StageHeader())
	for _, cost := range c.Costs {
		p.Line("  %-32s %9.1f %9.1f %9.1f  %s",
			cost.Name, cost.Median/1e3, cost.Min/1e3, cost.Max/1e3, scenarios.StageRow(cost.Stages))
	}
	p.Line("")
	for _, name := range slices.Sorted(maps.Keys(c.Ratios)) {
		p.Line("  %-32s %.3f", name, c.Ratios[name])
	}
	p.Line("  %-32s %.3f   the median of %d windows of %d frames", "p99_over_p50", c.Evenness, c.Windows, c.Window)
}
