package benchmarks

import (
	"time"

	"github.com/flockwork-ai/flockwork/sim"
)

// stopwatch times the frames of a simulation, and their stages.
type stopwatch struct {
	s      *sim.Simulation
	now    map[string]int64 // by stage, of this frame
	frames []float64        // nanoseconds
	stages map[string][]float64
}

// newStopwatch has room for a number of frames, so that it allocates nothing while it measures.
func newStopwatch(s *sim.Simulation, room int) *stopwatch {
	w := &stopwatch{s: s, now: map[string]int64{}, stages: map[string][]float64{}, frames: make([]float64, 0, room)}
	for _, stage := range sim.Stages() {
		w.now[stage] = 0
		w.stages[stage] = make([]float64, 0, room)
	}
	s.Observe(func(stage string, ns int64) { w.now[stage] += ns })
	return w
}

// settle lets frames pass that are not measured.
func (w *stopwatch) settle(frames int) {
	for range frames {
		w.s.Step()
	}
}

// run measures frames and returns their mean time in nanoseconds.
func (w *stopwatch) run(frames int) (mean float64) {
	for range frames {
		for stage := range w.now {
			w.now[stage] = 0
		}
		start := time.Now()
		w.s.Step()
		took := float64(time.Since(start).Nanoseconds())
		w.frames = append(w.frames, took)
		for stage, ns := range w.now {
			w.stages[stage] = append(w.stages[stage], float64(ns))
		}
		mean += took / float64(frames)
	}
	return mean
}

// stageMedians returns the median time of each stage.
func (w *stopwatch) stageMedians() map[string]float64 {
	medians := map[string]float64{}
	for stage, times := range w.stages {
		medians[stage] = quantile(times, 0.5)
	}
	return medians
}
