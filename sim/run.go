package sim

import (
	"context"
	"runtime"
	"time"
)

// Run runs a configuration to its end, or until the context is cancelled, and returns a report. Progress is called
// between frames, at most ten times a second, with the number of frames done and of all frames; the report does not
// count its allocations. It may be nil.
//
// An error, as of [NewSimulation], means that no frame has run. A cancelled run is no error: its report has Interrupted
// set.
func Run(ctx context.Context, c Config, progress func(frame, frames int)) (*Report, error) {
	s, err := NewSimulation(c)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	m := newMeter(s)
	s.Observe(m.stage)
	runtime.GC() // the garbage of the set-up is not the run's
	frames := c.Frames()
	frame := 0
	for ; frame < frames; frame++ {
		if ctx.Err() != nil {
			break
		}
		if frame == min(c.FPS, frames-1) {
			m.startCounting()
		}
		start := time.Now()
		s.Step()
		took := time.Since(start)
		m.frame(took)
		if progress != nil && start.Sub(m.shown) > 100*time.Millisecond {
			m.shown = start
			m.excludeAllocations(func() { progress(frame+1, frames) })
		}
	}
	m.stopCounting()
	return m.report(frame, frame < frames), nil
}
