package benchmarks

import (
	"fmt"
	"runtime"

	"github.com/flockwork-ai/flockwork/sim"
)

// SiegeComparison is the whole AI frame of the siege by the library and by the plain way to do it: everyone thinks and
// senses in every frame, by pointer trees and a query of a grid for each.
type SiegeComparison struct {
	Agents      int         `json:"agents"`
	Repetitions int         `json:"repetitions"`
	Frames      int         `json:"frames_per_repetition"`
	Costs       []SiegeCost `json:"frame_ns"`

	// Evenness is p99 over p50 of the library's frames: the median over windows of so many frames.
	Evenness float64 `json:"p99_over_p50"`
	Windows  int     `json:"windows"`
	Window   int     `json:"frames_per_window"`

	Ratios map[string]float64 `json:"ratios"` // of medians: the first named divided by the second
}

// SiegeCost is the time of a frame in nanoseconds: the median, the least and the most over the repetitions, each of
// which counts with the mean of its frames.
type SiegeCost struct {
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

// CompareSieges measures the contestants in turn and in another order in each repetition; all live through the same
// frames. Then it measures windows of the library's frames for the ratio of p99 to p50.
//
// An error is one of the configuration. Panics when a number is not positive.
func CompareSieges(agents, settle, repetitions, frames, windows, window int) (*SiegeComparison, error) {
	checkNumbers("CompareSieges", agents, repetitions, frames)
	checkNumbers("CompareSieges", agents, windows, window)
	library := func(workers int, lod bool) (*sim.Simulation, error) {
		c := siegeConfig(agents)
		c.Workers, c.LOD = workers, lod
		return sim.NewSimulation(c)
	}
	type entrant struct {
		name  string
		make  func() (*sim.Simulation, error)
		watch *stopwatch
		means []float64
	}
	all := []entrant{
		{name: siegeByLibrary, make: func() (*sim.Simulation, error) { return library(1, true) }},
		{name: siegeByTwo, make: func() (*sim.Simulation, error) { return library(2, true) }},
		{name: siegeWithoutLOD, make: func() (*sim.Simulation, error) { return library(1, false) }},
		{name: siegeByFields, make: func() (*sim.Simulation, error) { return newNaiveSiege(agents, false) }},
		{name: siegeByDictionary, make: func() (*sim.Simulation, error) { return newNaiveSiege(agents, true) }},
	}
	for i := range all {
		s, err := all[i].make()
		if err != nil {
			return nil, fmt.Errorf("benchmarks: %w", err)
		}
		defer s.Close()
		all[i].watch = newStopwatch(s, repetitions*frames)
		all[i].watch.settle(settle)
	}
	for repetition := range repetitions {
		for k := range all {
			e := &all[(k+repetition)%len(all)]
			runtime.GC() // what another has left behind is not to be collected at this one's expense
			e.means = append(e.means, e.watch.run(frames))
		}
	}
	r := &SiegeComparison{
		Agents: agents, Repetitions: repetitions, Frames: frames, Windows: windows, Window: window,
		Ratios: map[string]float64{},
	}
	medians := map[string]float64{}
	for i := range all {
		e := &all[i]
		medians[e.name] = quantile(e.means, 0.5)
		r.Costs = append(r.Costs, SiegeCost{
			Name: e.name, Median: medians[e.name], Min: quantile(e.means, 0), Max: quantile(e.means, 1),
			P50: quantile(e.watch.frames, 0.5), P99: quantile(e.watch.frames, 0.99), Stages: e.watch.stageMedians(),
		})
	}
	r.Ratios["siege_vs_naive"] = medians[siegeByLibrary] / medians[siegeByDictionary]
	r.Ratios["siege_vs_naive_struct"] = medians[siegeByLibrary] / medians[siegeByFields]
	r.Ratios["two_workers_vs_one"] = medians[siegeByTwo] / medians[siegeByLibrary]
	ratios := make([]float64, windows)
	for i := range ratios {
		w := newStopwatch(all[0].watch.s, window)
		w.run(window)
		ratios[i] = quantile(w.frames, 0.99) / quantile(w.frames, 0.5)
	}
	r.Evenness = quantile(ratios, 0.5)
	return r, nil
}
