package scenarios

import (
	"time"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/sim"
)

// Stopwatch times the frames of a simulation, and their stages.
type Stopwatch struct {
	S      *sim.Simulation
	now    map[string]int64 // by stage, of this frame
	Frames []float64        // nanoseconds
	stages map[string][]float64
}

// NewStopwatch has room for a number of frames, so that it allocates nothing while it measures.
func NewStopwatch(s *sim.Simulation, room int) *Stopwatch {
	w := &Stopwatch{S: s, now: map[string]int64{}, stages: map[string][]float64{}, Frames: make([]float64, 0, room)}
	for _, stage := range sim.Stages() {
		w.now[stage] = 0
		w.stages[stage] = make([]float64, 0, room)
	}
	s.Observe(func(stage string, ns int64) { w.now[stage] += ns })
	return w
}

// Settle lets frames pass that are not measured.
func (w *Stopwatch) Settle(frames int) {
	for range frames {
		w.S.Step()
	}
}

// Run measures frames and returns their mean time in nanoseconds.
func (w *Stopwatch) Run(frames int) (mean float64) {
	for range frames {
		for stage := range w.now {
			w.now[stage] = 0
		}
		start := time.Now()
		w.S.Step()
		took := float64(time.Since(start).Nanoseconds())
		w.Frames = append(w.Frames, took)
		for stage, ns := range w.now {
			w.stages[stage] = append(w.stages[stage], float64(ns))
		}
		mean += took / float64(frames)
	}
	return mean
}

// StageMedians returns the median time of each stage.
func (w *Stopwatch) StageMedians() map[string]float64 {
	medians := map[string]float64{}
	for stage, times := range w.stages {
		medians[stage] = harness.Quantile(times, 0.5)
	}
	return medians
}
