package sim

import (
	"context"
	"runtime"
	"time"
)

// Run runs a configuration to its end, or until the context is cancelled, and returns a report. A function progress is
// called between frames, at most ten times a second, with the number of completed frames and of all frames. The report
// excludes its allocations. A nil progress is not called.
//
// The errors are those of [NewSimulation]; no frame has run then. A cancelled run is not an error: its report has
// Interrupted set.
func Run(ctx context.Context, c Config, progress func(frame, frames int)) (*Report, error) {
	s, err := NewSimulation(c)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	m := newMeter(s)
	s.Observe(m.stage)
	runtime.GC() // so that the run does not pay for the garbage of the set-up
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
