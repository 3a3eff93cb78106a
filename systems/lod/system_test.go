package lod_test

import (
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/waker"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/resources"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

// newWorld is a world with what the system needs.
func newWorld(config lod.Config) (*arche.World, *lod.System) {
	w := arche.NewWorld()
	testworld.Install(&w, resources.Options{FPS: 60, Seed: 1, Workers: 1})
	return &w, &lod.System{Config: config}
}

func advance(w *arche.World, s ecs.System) *frame.Clock {
	clock := arche.GetResource[frame.Clock](w)
	clock.Advance()
	s.Update(w)
	return clock
}

func TestSystemPanicsNamingWhatIsMissingOrWrong(t *testing.T) {
	empty := arche.NewWorld()
	assert.PanicsWithValue(t, "ecs: the world has no *frame.Clock; call systems.Install, or add a resource of "+
		"your own with arche's AddResource", func() {
		(&lod.System{}).Initialize(&empty)
	})
	w, s := newWorld(lod.Config{Budget: -1})
	assert.PanicsWithValue(t, "lod: Config.Budget is -1; use a positive number of decisions, or 0 for no limit",
		func() {
			s.Initialize(w)
		})
}

func TestSystemReadsObserversOfTheWorld(t *testing.T) {
	w, s := newWorld(lod.Config{Every: 1})
	s.Initialize(w)
	agents := generic.NewMap2[components.Transform, components.LOD](w)
	place := components.NewLOD()
	e := agents.NewWith(&components.Transform{Position: components.Vec2{X: 200}}, &place)
	alone := generic.NewMap1[components.LOD](w)
	loner := alone.New()

	advance(w, s)
	_, l := agents.Get(e)
	assert.Zero(t, l.Tier, "nobody looks: everyone is near")
	eyes := lod.Observers{{}}
	arche.AddResource(w, &eyes)
	advance(w, s)
	_, l = agents.Get(e)
	assert.Equal(t, uint8(2), l.Tier)
	eyes[0].X = 190
	advance(w, s)
	_, l = agents.Get(e)
	assert.Zero(t, l.Tier)
	assert.Zero(t, ecs.Get[components.LOD](w, ecs.FromArche(loner)).Tier, "an agent without a Transform is near")
}

func TestSystemServesWakesOfTheLastFrame(t *testing.T) {
	w, s := newWorld(lod.Config{})
	s.Initialize(w)
	arche.AddResource(w, &lod.Observers{{}})
	agents := generic.NewMap2[components.Transform, components.LOD](w)
	place := components.NewLOD()
	far := agents.NewWith(&components.Transform{Position: components.Vec2{X: 900}}, &place)
	dead := agents.NewWith(&components.Transform{}, &place)
	advance(w, s)
	events := arche.GetResource[eventlist.Lists](w)
	events.Wake(0, ecs.FromArche(far))
	events.Wake(0, ecs.FromArche(dead))
	w.RemoveEntity(dead)
	clock := advance(w, s)
	_, l := agents.Get(far)
	assert.True(t, l.Due())
	assert.EqualValues(t, clock.Now, l.Elapsed(clock.Now), "all its life")
	assert.Equal(t, 1, s.Stats().Woken)
	advance(w, s)
	_, l = agents.Get(far)
	assert.False(t, l.Due())
}

func TestMovingBetweenArchetypesKeepsTheCadence(t *testing.T) {
	w, s := newWorld(lod.Config{})
	s.Initialize(w)
	agents := generic.NewMap1[components.LOD](w)
	tag := generic.NewMap1[components.Health](w)
	var all []arche.Entity
	place := components.NewLOD()
	for range 6 {
		all = append(all, agents.NewWith(&place))
	}
	due := map[arche.Entity][]uint32{}
	for range 24 {
		clock := advance(w, s)
		for i, e := range all {
			if agents.Get(e).Due() {
				due[e] = append(due[e], clock.Frame)
				assert.Equal(t, uint32(0), (clock.Frame-1-uint32(i))%6)
			}
			if (int(clock.Frame)+i)%4 == 0 {
				if w.Has(e, arche.ComponentID[components.Health](w)) {
					tag.Remove(e)
				} else {
					tag.Assign(e, &components.Health{})
				}
			}
		}
	}
	for _, e := range all {
		assert.Len(t, due[e], 4, "every sixth frame of 24")
	}
}

func TestSeveralSystemsServeAnAgentWithTheSameElapsedTimeOrNone(t *testing.T) {
	w, s := newWorld(lod.Config{})
	s.Initialize(w)
	agents := generic.NewMap1[components.LOD](w)
	e := agents.New() // the zero value
	var first, second components.Timestamp
	for range 61 {
		clock := advance(w, s)
		l := agents.Get(e)
		if l.Due() {
			first += components.Timestamp(l.Elapsed(clock.Now))
		}
		if l.Due() && clock.Frame != 13 { // it missed one: that time is gone for it, not for the other
			second += components.Timestamp(l.Elapsed(clock.Now))
		}
	}
	clock := arche.GetResource[frame.Clock](w)
	assert.Equal(t, clock.Now, first)
	assert.Equal(t, clock.Now-100_000_000, second)
}

func TestSystemCanBeInitialisedAgain(t *testing.T) {
	w, s := newWorld(lod.Config{})
	s.Initialize(w)
	advance(w, s)
	old := arche.GetResource[waker.Waker](w)
	s.Finalize(w)
	assert.Equal(t, 1, s.Stats().Frames)
	(&lod.System{Config: lod.Config{Off: true}}).Initialize(w)
	assert.NotSame(t, old, arche.GetResource[waker.Waker](w))
}

func TestSystemAllocatesNothingInASteadyState(t *testing.T) {
	w, s := newWorld(lod.Config{Budget: 20})
	s.Initialize(w)
	arche.AddResource(w, &lod.Observers{{}})
	agents := generic.NewMap2[components.Transform, components.LOD](w)
	var all []components.Entity
	place := components.NewLOD()
	for i := range 1000 {
		e := agents.NewWith(&components.Transform{Position: components.Vec2{X: float32(i) / 2}}, &place)
		all = append(all, ecs.FromArche(e))
	}
	events := arche.GetResource[eventlist.Lists](w)
	step := func() {
		for i := range 10 {
			events.Wake(0, all[i*7])
		}
		advance(w, s)
	}
	for range 60 {
		step()
	}
	allocs.None(t, 100, step)
}

func TestAPausedFrameHasNoDecisionsInItsCounters(t *testing.T) {
	w, s := newWorld(lod.Config{Budget: 3})
	ecs.NewPrefab(w, components.NewLOD()).SpawnNow(w, 20, nil)
	clock := ecs.Resource[frame.Clock](w)
	s.Initialize(w)
	clock.Set(1e9)
	s.Update(w)
	before := s.Stats()
	require.Positive(t, before.Late)
	require.Positive(t, before.Scheduled)
	clock.Set(1e9)
	s.Update(w)
	after := s.Stats()
	assert.Zero(t, after.Scheduled)
	assert.Zero(t, after.Woken)
	assert.Zero(t, after.Late)
	assert.Zero(t, after.Expected)
	assert.Zero(t, after.Overdue)
	assert.Equal(t, before.TotalScheduled, after.TotalScheduled)
}

func TestTheFirstFrameHasTheNumberOfTheClock(t *testing.T) {
	w, s := newWorld(lod.Config{Off: true})
	var e components.Entity
	ecs.NewPrefab(w, components.NewLOD()).SpawnNow(w, 1, func(_ int, made components.Entity) { e = made })
	clock := ecs.Resource[frame.Clock](w)
	for range 49 {
		clock.Advance()
	}
	s.Initialize(w)
	for range 2 {
		clock.Advance()
		s.Update(w)
	}
	assert.EqualValues(t, 50, ecs.Get[components.LOD](w, e).WaitingSince, "it decided in frame 50")
}

func TestASystemThatHasNotBegunHasNoCountsAndNoTiers(t *testing.T) {
	s := &lod.System{}
	assert.Equal(t, lod.Stats{}, s.Stats())
	assert.Empty(t, s.TierNames())
}
