package siege

import (
	"fmt"
	"maps"
	"runtime"
	"slices"

	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/scenarios"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
)

// Comparison is the whole AI frame of the siege by the library and by the plain way to do it: everyone thinks and
// senses in every frame, by pointer trees and a query of a grid for each.
type Comparison struct {
	Agents      int    `json:"agents"`
	Repetitions int    `json:"repetitions"`
	Frames      int    `json:"frames_per_repetition"`
	Costs       []Cost `json:"frame_ns"`

	// Evenness is p99 over p50 of the library's frames: the median over windows of so many frames.
	Evenness float64 `json:"p99_over_p50"`
	Windows  int     `json:"windows"`
	Window   int     `json:"frames_per_window"`

	Ratios map[string]float64 `json:"ratios"` // of medians: the first named divided by the second
}

// Cost is the time of a frame in nanoseconds: the median, the least and the most over the repetitions, each of
// which counts with the mean of its frames.
type Cost struct {
	Name   string             `json:"name"`
	Median float64            `json:"median"`
	Min    float64            `json:"min"`
	Max    float64            `json:"max"`
	P50    float64            `json:"p50"` // of all frames
	P99    float64            `json:"p99"`
	Stages map[string]float64 `json:"stage_ns"` // medians
}

// Names of the contestants.
const (
	siegeByLibrary    = "library, LOD on"
	siegeByTwo        = "library, LOD on, 2 workers"
	siegeWithoutLOD   = "library, LOD off"
	siegeByFields     = "naive, struct blackboards"
	siegeByDictionary = "naive, dictionary blackboards"
)

// Compare measures the contestants in turn and in another order in each repetition, as many frames of each from
// the same beginning. Those in which everyone thinks in every frame live through the same battle, agent by agent, and
// so do the two with LOD; both are checked in the end. Then it measures windows of the library's frames for the ratio
// of p99 to p50.
//
// An error is one of the configuration, or says in what battles differ that should not. Panics when a number is not
// positive.
func Compare(agents, settle, repetitions, frames, windows, window int) (*Comparison, error) {
	harness.RequirePositive("siege.Compare", agents, repetitions, frames)
	harness.RequirePositive("siege.Compare", agents, windows, window)
	library := func(workers int, lod bool) (*sim.Simulation, error) {
		c := config(agents)
		c.Workers, c.LOD = workers, lod
		return sim.NewSimulation(c)
	}
	type entrant struct {
		name  string
		make  func() (*sim.Simulation, error)
		watch *scenarios.Stopwatch
		means []float64
	}
	all := []entrant{
		{name: siegeByLibrary, make: func() (*sim.Simulation, error) { return library(1, true) }},
		{name: siegeByTwo, make: func() (*sim.Simulation, error) { return library(2, true) }},
		{name: siegeWithoutLOD, make: func() (*sim.Simulation, error) { return library(1, false) }},
		{name: siegeByFields, make: func() (*sim.Simulation, error) { return newNaive(agents, false) }},
		{name: siegeByDictionary, make: func() (*sim.Simulation, error) { return newNaive(agents, true) }},
	}
	for i := range all {
		s, err := all[i].make()
		if err != nil {
			return nil, fmt.Errorf("benchmarks: %w", err)
		}
		defer s.Close()
		all[i].watch = scenarios.NewStopwatch(s, repetitions*frames)
		all[i].watch.Settle(settle)
	}
	for repetition := range repetitions {
		for _, i := range harness.Order(len(all), repetition) {
			e := &all[i]
			runtime.GC() // what another has left behind is not to be collected at this one's expense
			e.means = append(e.means, e.watch.Run(frames))
		}
	}
	for i, like := range []int{0, 0, 2, 2, 2} {
		if d := sameSiege(all[like].watch.S, all[i].watch.S); d != "" {
			return nil, fmt.Errorf("benchmarks: the siege of %q is not that of %q: %s", all[i].name, all[like].name, d)
		}
	}
	r := &Comparison{
		Agents: agents, Repetitions: repetitions, Frames: frames, Windows: windows, Window: window,
		Ratios: map[string]float64{},
	}
	medians := map[string]float64{}
	for i := range all {
		e := &all[i]
		medians[e.name] = harness.Quantile(e.means, 0.5)
		r.Costs = append(r.Costs, Cost{
			Name: e.name, Median: medians[e.name], Min: harness.Quantile(e.means, 0), Max: harness.Quantile(e.means, 1),
			P50: harness.Quantile(e.watch.Frames, 0.5), P99: harness.Quantile(e.watch.Frames, 0.99), Stages: e.watch.StageMedians(),
		})
	}
	r.Ratios["siege_vs_naive"] = medians[siegeByLibrary] / medians[siegeByDictionary]
	r.Ratios["siege_vs_naive_struct"] = medians[siegeByLibrary] / medians[siegeByFields]
	r.Ratios["siege_without_lod_vs_naive_struct"] = medians[siegeWithoutLOD] / medians[siegeByFields]
	r.Ratios["two_workers_vs_one"] = medians[siegeByTwo] / medians[siegeByLibrary]
	ratios := make([]float64, windows)
	for i := range ratios {
		w := scenarios.NewStopwatch(all[0].watch.S, window)
		w.Run(window)
		ratios[i] = harness.Quantile(w.Frames, 0.99) / harness.Quantile(w.Frames, 0.5)
	}
	r.Evenness = harness.Quantile(ratios, 0.5)
	return r, nil
}

// sameSiege returns how the first agent for which two sieges differ does, or "".
func sameSiege(a, b *sim.Simulation) string {
	filter := generic.NewFilter8[
		components.Intent, components.Transform, components.LOD, components.Percept, components.Candidates,
		components.Health, components.Needs, components.Ammo,
	]().Optional(
		generic.T[components.Percept](), generic.T[components.Candidates](), generic.T[components.Health](),
		generic.T[components.Needs](), generic.T[components.Ammo](),
	)
	x, y := filter.Query(a.World), filter.Query(b.World)
	defer x.Close()
	defer y.Close()
	if x.Count() != y.Count() {
		return fmt.Sprintf("%d agents and %d", x.Count(), y.Count())
	}
	for range x.Count() {
		x.Next()
		y.Next()
		xi, xt, _, xp, xc, xh, xn, xa := x.Get()
		yi, yt, _, yp, yc, yh, yn, ya := y.Get()
		if x.Entity() != y.Entity() {
			return fmt.Sprintf("agent %v and %v", x.Entity(), y.Entity())
		}
		for _, d := range []string{
			difference(xi, yi), difference(xt, yt), difference(uncounted(xp), uncounted(yp)), difference(xc, yc),
			difference(xh, yh), difference(xn, yn), difference(xa, ya),
		} {
			if d != "" {
				return fmt.Sprintf("agent %v: %s", ecs.FromArche(x.Entity()), d)
			}
		}
	}
	return ""
}

// uncounted drops how many are near, which the naive senses do not count, since nobody in the siege asks.
func uncounted(p *components.Percept) *components.Percept {
	if p == nil {
		return nil
	}
	q := *p
	q.Hostiles, q.Allies = 0, 0
	return &q
}

func difference[T comparable](a, b *T) string {
	if a == nil && b == nil || a != nil && b != nil && *a == *b {
		return ""
	}
	return fmt.Sprintf("%+v\n%+v", a, b)
}

func (s *Comparison) Write(p *harness.Printer) {
	p.Line("The siege at %d agents, 60 frames a second: the whole AI frame in µs,", s.Agents)
	p.Line("%d repetitions of %d frames in turn, the mean of each", s.Repetitions, s.Frames)
	p.Line("")
	p.Line("  %-32s %9s %9s %9s   %9s %9s %9s %9s %9s",
		"", "median", "min", "max", "lod", "percept.", "ai", "actions", "commands")
	for _, c := range s.Costs {
		line := fmt.Sprintf("  %-32s %9.1f %9.1f %9.1f  ", c.Name, c.Median/1e3, c.Min/1e3, c.Max/1e3)
		for _, stage := range sim.Stages() {
			line += fmt.Sprintf(" %9.1f", c.Stages[stage]/1e3)
		}
		p.Line("%s", line)
	}
	p.Line("")
	for _, name := range slices.Sorted(maps.Keys(s.Ratios)) {
		p.Line("  %-32s %.3f", name, s.Ratios[name])
	}
	p.Line("  %-32s %.3f   the median of %d windows of %d frames", "p99_over_p50", s.Evenness, s.Windows, s.Window)
}
