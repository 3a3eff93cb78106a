package sim

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/lane"
	"github.com/flockwork-ai/flockwork/systems"
)

// Run runs a configuration to its end, or until the context is cancelled, and reports. Progress, which may
// be nil, is called between frames a few times a second; what it allocates is not counted.
//
// An error means that nothing was run. A run that was cut short is no error: its report says Interrupted.
func Run(ctx context.Context, c Config, progress func(frame, frames int)) (*Report, error) {
	s, err := NewSimulation(c)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	m := newMeter(s)
	s.schedule.Observe(m.stage)
	runtime.GC() // what setting up left is not the run's
	frames := c.frames()
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

// meter measures a run.
type meter struct {
	s      *Simulation
	frames histogram
	stages [5]stageTime
	shown  time.Time

	active  []int64   // scratch: standing orders by action
	seconds []float64 // agent-seconds by action

	counting       bool
	counted        int    // frames
	mallocs        uint64 // when counting began
	allocs         uint64 // over the counted frames
	excludedAllocs uint64
	stats          runtime.MemStats // its own, so that reading it allocates nothing
}

type stageTime struct {
	name   string
	total  int64
	now    int64 // of this frame
	frames histogram
}

func newMeter(s *Simulation) *meter {
	m := &meter{s: s}
	for i, name := range Stages() {
		m.stages[i].name = name
	}
	m.active = make([]int64, s.actions.Len()+1)
	m.seconds = make([]float64, s.actions.Len()+1)
	return m
}

func (m *meter) stage(name string, took time.Duration) {
	for i := range m.stages {
		if m.stages[i].name == name {
			m.stages[i].now += took.Nanoseconds()
		}
	}
}

func (m *meter) frame(took time.Duration) {
	m.frames.add(int64(took))
	for i := range m.stages {
		st := &m.stages[i]
		st.total += st.now
		st.frames.add(st.now)
		st.now = 0
	}
	if m.counting {
		m.counted++
	}
	clear(m.active)
	m.active = m.s.AI.Active(m.active)
	for i, n := range m.active {
		m.seconds[i] += float64(n) * float64(m.s.Clock.Step) / 1e9
	}
}

func (m *meter) readMallocs() uint64 {
	runtime.ReadMemStats(&m.stats)
	return m.stats.Mallocs
}

func (m *meter) startCounting() {
	m.counting, m.mallocs = true, m.readMallocs()
}

func (m *meter) stopCounting() {
	if m.counting {
		m.allocs = m.readMallocs() - m.mallocs - m.excludedAllocs
	}
}

func (m *meter) excludeAllocations(f func()) {
	before := m.readMallocs()
	f()
	if m.counting {
		m.excludedAllocs += m.readMallocs() - before
	}
}

func (m *meter) report(frames int, interrupted bool) *Report {
	s := m.s
	c := s.Config
	r := &Report{
		Scenario: c.Scenario, Agents: c.Agents, Seed: c.Seed, FPS: c.FPS, Frames: frames, Workers: c.Workers,
		LOD:        c.LOD,
		SimSeconds: float64(s.Clock.Now) / 1e9, Kernel: lane.Kernel, Interrupted: interrupted,
		FrameNS: FrameNS{P50: m.frames.quantile(0.5), P99: m.frames.quantile(0.99), Max: m.frames.max},
		Tiers:   Counts{}, Actions: map[string]Action{}, Events: Counts{},
	}
	if frames > 0 {
		mean := func(i int) int64 { return m.stages[i].total / int64(frames) }
		r.StageNS = StageNS{LOD: mean(0), Perception: mean(1), AI: mean(2), Actions: mean(3), Commands: mean(4)}
	}
	for i := range m.stages {
		f := &m.stages[i].frames
		r.stages = append(r.stages, stageLine{m.stages[i].name, f.quantile(0.5), f.quantile(0.99)})
	}
	if m.counted > 0 {
		r.AllocsPerFrame = float64(m.allocs) / float64(m.counted)
	}
	ai := s.AI.Stats()
	r.Decisions, r.Transitions, r.Nonfinite = ai.Decisions, ai.Transitions, ai.Nonfinite
	r.Utility = Utility{Scored: ai.Scored, Spared: ai.Spared, Switches: ai.Switches}
	if ai.Decisions > 0 {
		r.NSPerDecision = float64(m.stages[2].total) / float64(ai.Decisions)
	}
	cadence := ecs.Resource[systems.Cadence](s.World, "sim")
	lod := cadence.Stats()
	r.Wakeups, r.OverdueMaxMS = lod.TotalWoken, lod.MaxOverdue
	r.PerFrame = PerFrame{Mean: lod.MeanScheduled(), Max: int64(lod.MaxScheduled), Flatness: lod.Flatness}
	for i, name := range cadence.TierNames() {
		r.Tiers[name] = int64(lod.Agents[i])
		r.tierOrder = append(r.tierOrder, name)
	}
	starts := s.AI.Starts(nil)
	for i := range m.seconds {
		if i > 0 && i < len(starts) && starts[i] > 0 {
			r.Actions[s.actions.Name(actionHandle(i))] = Action{Starts: starts[i], AgentSeconds: m.seconds[i]}
		}
	}
	for kind := range systems.EventKind(systems.EventKinds) {
		r.Events[eventName(kind)] = s.Events.Count(kind)
	}
	if c.Explain > 0 {
		r.Explained = s.explain(c.Explain, s.agents)
	}
	for _, conclude := range s.conclude {
		conclude(r)
	}
	r.RSSPeakBytes = peakMemory() // before the hash, which is no part of the run
	r.WorldHash = fmt.Sprintf("%016x", ecs.Hash(s.World))
	return r
}
