package sim

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// Run runs a configuration to its end, or until the context is cancelled, and returns a report. A function progress is
// called between frames, at most ten times a second, with the number of completed frames and of all frames. The report
// excludes its allocations. A nil progress is not called.
//
// The errors are those of [NewSimulation]; no frame has run then. A run that is cancelled between frames is not an
// error: its report has Interrupted set. When the context is cancelled before the first frame can begin, Run returns at
// once with an error that wraps the context's, and the set-up goes on in the background until its end.
func Run(ctx context.Context, c Config, progress func(frame, frames int)) (*Report, error) {
	s, err := setUp(ctx, c)
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

// setUp makes the simulation of a configuration, but does not wait for it when the context is cancelled. Set-up is code
// of scenarios, which knows of no context.
func setUp(ctx context.Context, c Config) (*Simulation, error) {
	type result struct {
		simulation *Simulation
		err        error
		panicked   any
	}
	made := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			r.panicked = recover()
			made <- r
		}()
		r.simulation, r.err = NewSimulation(c)
	}()
	select {
	case r := <-made:
		if r.panicked != nil {
			panic(r.panicked)
		}
		return r.simulation, r.err
	case <-ctx.Done():
		go func() {
			if r := <-made; r.simulation != nil {
				r.simulation.Close()
			}
		}()
		return nil, fmt.Errorf("sim: interrupted during the set-up: %w", ctx.Err())
	}
}
