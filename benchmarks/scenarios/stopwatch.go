package scenarios

import (
	"time"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems"
)

// Stopwatch times the frames of a simulation and their stages.
type Stopwatch struct {
	Frames []float64 // time of each measured frame in nanoseconds

	simulation *sim.Simulation
	now        map[string]int64     // by stage, of this frame
	stages     map[string][]float64 // by stage, of each measured frame
}

// NewStopwatch returns a stopwatch that has memory for a number of frames, so that measuring them allocates nothing. It
// replaces the observer of the simulation.
func NewStopwatch(s *sim.Simulation, frames int) *Stopwatch {
	w := &Stopwatch{
		Frames: make([]float64, 0, frames), simulation: s, now: map[string]int64{}, stages: map[string][]float64{},
	}
	for _, stage := range systems.Stages() {
		w.now[stage.String()] = 0
		w.stages[stage.String()] = make([]float64, 0, frames)
	}
	s.Observe(func(stage systems.Stage, took time.Duration) { w.now[stage.String()] += took.Nanoseconds() })
	return w
}

// Settle runs frames that are not measured.
func (w *Stopwatch) Settle(frames int) {
	for range frames {
		w.simulation.Step()
	}
}

// Run runs and measures frames. It returns their mean time in nanoseconds.
func (w *Stopwatch) Run(frames int) (mean float64) {
	for range frames {
		for stage := range w.now {
			w.now[stage] = 0
		}
		start := time.Now()
		w.simulation.Step()
		took := float64(time.Since(start).Nanoseconds())
		w.Frames = append(w.Frames, took)
		for stage, ns := range w.now {
			w.stages[stage] = append(w.stages[stage], float64(ns))
		}
		mean += took / float64(frames)
	}
	return mean
}

// StageMedians returns the median time of each stage in nanoseconds.
func (w *Stopwatch) StageMedians() map[string]float64 {
	medians := map[string]float64{}
	for stage, times := range w.stages {
		medians[stage] = harness.Quantile(times, 0.5)
	}
	return medians
}
