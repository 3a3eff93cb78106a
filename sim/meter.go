package sim

import (
	"fmt"
	"runtime"
	"time"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/lane"
	"github.com/flockwork-ai/flockwork/internal/process"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

// meter measures a run.
type meter struct {
	s      *Simulation
	frames histogram
	stages []stageTime // by systems.Stage
	shown  time.Time   // when progress was last called

	active  []int64   // scratch: running orders by action
	seconds []float64 // agent-seconds by action

	counting       bool
	counted        int              // frames
	mallocs        uint64           // when counting began
	allocs         uint64           // over the counted frames
	excludedAllocs uint64           // of progress calls while counting
	stats          runtime.MemStats // a field, so that reading allocates nothing
}

// stageTime is the time of a stage, in nanoseconds.
type stageTime struct {
	total  int64
	now    int64 // of this frame so far
	frames histogram
}

func newMeter(s *Simulation) *meter {
	m := &meter{s: s, stages: make([]stageTime, len(systems.Stages()))}
	m.active = make([]int64, s.Actions.Len()+1)
	m.seconds = make([]float64, s.Actions.Len()+1)
	return m
}

// stage adds the time of a system to its stage. It is the simulation's observer.
func (m *meter) stage(stage systems.Stage, took time.Duration) {
	m.stages[stage].now += took.Nanoseconds()
}

// frame ends a frame.
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
	m.active = m.s.AI.RunningByAction(m.active)
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

// excludeAllocations calls f and excludes its allocations from the count.
func (m *meter) excludeAllocations(f func()) {
	before := m.readMallocs()
	f()
	if m.counting {
		m.excludedAllocs += m.readMallocs() - before
	}
}

// report returns the report of the frames so far.
func (m *meter) report(frames int, interrupted bool) *Report {
	s := m.s
	c := s.Config
	r := &Report{
		Scenario: c.Scenario.Name, Agents: c.Agents, Seed: c.Seed, FPS: c.FPS, Frames: frames, Workers: c.Workers,
		LOD:        c.LOD,
		SimSeconds: float64(s.Clock.Now) / 1e9, Kernel: lane.Kernel, Interrupted: interrupted,
		FrameNS: FrameNS{P50: m.frames.quantile(0.5), P99: m.frames.quantile(0.99), Max: m.frames.max},
		Tiers:   Counts{}, Actions: map[string]Action{}, Events: countEvents(s.Events),
	}
	if frames > 0 {
		mean := func(i int) int64 { return m.stages[i].total / int64(frames) }
		r.StageNS = StageNS{LOD: mean(0), Perception: mean(1), AI: mean(2), Actions: mean(3), Commands: mean(4)}
	}
	for i := range m.stages {
		f := &m.stages[i].frames
		r.stages = append(r.stages, stageLine{systems.Stage(i).String(), f.quantile(0.5), f.quantile(0.99)})
	}
	if m.counted > 0 {
		r.AllocsPerFrame = float64(m.allocs) / float64(m.counted)
	}
	ai := s.AI.Stats()
	r.Decisions, r.Transitions, r.Nonfinite = ai.Decisions, ai.Transitions, ai.Nonfinite
	r.Utility = Utility{Scored: ai.Scored, Skipped: ai.Skipped, Switches: ai.Switches}
	if ai.Decisions > 0 {
		r.NSPerDecision = float64(m.stages[2].total) / float64(ai.Decisions)
	}
	cadence := ecs.Resource[lod.Cadence](s.World(), "sim")
	lod := cadence.Stats()
	r.Wakeups, r.OverdueMaxMS = lod.TotalWoken, lod.MaxOverdue
	r.PerFrame = PerFrame{Mean: lod.MeanScheduled(), Max: int64(lod.MaxScheduled), Flatness: lod.Flatness}
	for i, name := range cadence.TierNames() {
		r.Tiers[name] = int64(lod.Agents[i])
		r.tierOrder = append(r.tierOrder, name)
	}
	starts := s.AI.StartedByAction(nil)
	for i := range m.seconds {
		if i > 0 && i < len(starts) && starts[i] > 0 {
			r.Actions[s.Actions.Name(components.Action(i))] = Action{Starts: starts[i], AgentSeconds: m.seconds[i]}
		}
	}
	if c.Explain > 0 {
		r.Explained = s.explain(c.Explain, s.agents)
	}
	for _, write := range s.onReport {
		write(r)
	}
	r.RSSPeakBytes = process.PeakMemory() // before the hash, which is not part of the run
	r.WorldHash = fmt.Sprintf("%016x", ecs.Hash(s.World()))
	return r
}
