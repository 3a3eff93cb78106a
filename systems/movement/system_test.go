package movement

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

func TestResultsAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	run := func(workers int, seed uint64) uint64 {
		s := newCrowd(t, 2000, workers, seed)
		s.WalkFor(3, nil)
		return s.Hash()
	}
	want := run(1, 11)
	for _, workers := range []int{1, 2, 4} {
		assert.Equal(t, want, run(workers, 11), "%d workers", workers)
	}
	assert.NotEqual(t, want, run(1, 12), "another seed")
}

func TestResultsAreTheSameForAnyStorageOrder(t *testing.T) {
	// The same agents, once in one archetype and once spread over two: entities are the same, their rows are not.
	run := func(split bool) uint64 {
		s := newCrowd(t, 1500, 2, 5)
		if split {
			c := ecs.Resource[ecs.Commands](s.W)
			for i := uint32(1); i <= 1500; i++ {
				if e := (components.Entity{Index: i}); i%7 == 0 && ecs.Alive(s.W, e) {
					ecs.Assign(c.Queue(0), e, e, components.Candidates{})
				}
			}
			c.Apply(s.W)
		}
		s.WalkFor(3, nil)
		return s.Hash()
	}
	assert.Equal(t, run(false), run(true))
}

func TestAFrameInWhichNoTimePassesMovesNoAgent(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	a, b := s.Spawn(components.Vec2{X: 10, Y: 10}), s.Spawn(components.Vec2{X: 10.1, Y: 10})
	s.Post(a, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 40, Y: 40}})
	s.Clock.Set(1)
	s.Movement.Update(s.W)
	at := s.At(a)
	s.Clock.Set(1)
	s.Movement.Update(s.W)
	assert.Equal(t, at, s.At(a))
	assert.InDelta(t, 10.1, s.At(b).X, 1e-3)
}

func TestAFrameThatLastsAnHourMovesAgentsByASecond(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	e := s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 40, Y: 10}})
	s.Clock.Set(3600e9)
	s.Movement.Update(s.W)
	assert.InDelta(t, 12, s.At(e).X, 1e-3)
}

func TestActionsOfOtherSystemsAreLeftAlone(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	e, target := s.Spawn(components.Vec2{X: 10, Y: 10}), s.Spawn(components.Vec2{X: 10, Y: 20})
	s.Post(e, components.Order{Action: 77, Target: target, Point: components.Vec2{X: 20, Y: 20}})
	before := *ecs.Get[components.Transform](s.W, e)
	s.WalkFor(10, nil)
	assert.Equal(t, components.Pending, s.Order(e).Outcome)
	assert.Equal(t, before, *ecs.Get[components.Transform](s.W, e), "it stands as it stood")
}

func TestStandardActionsAreRegisteredOnce(t *testing.T) {
	a := aitree.NewActions()
	first, err := action.Register(a)
	require.NoError(t, err)
	again, err := action.Register(a)
	require.NoError(t, err)
	assert.Equal(t, first, again)
	assert.Equal(t, 15, a.Len())
	taken := aitree.NewActions()
	_, err = taken.Register(action.Strike, components.Move)
	require.NoError(t, err)
	_, err = action.Register(taken)
	assert.EqualError(t, err,
		`action: standard actions: aitree: action "strike" is registered for channel move already, not as a trigger`)
}

func TestSettingsThatAreNotFiniteAreRefused(t *testing.T) {
	for _, rate := range []float32{float32(math.NaN()), float32(math.Inf(1))} {
		assert.Contains(t, testworld.PanicOf(func() { (&System{TurnRate: rate}).Initialize(nil) }),
			"movement.System: TurnRate is ")
	}
}

func TestUpdateDoesNotAllocate(t *testing.T) {
	s := newCrowd(t, 2000, 2, 3)
	s.WalkFor(1, nil)
	allocs.None(t, 100, func() { s.WalkFor(1.0/60, nil) })
}

func BenchmarkMovement(b *testing.B) {
	for _, size := range []struct {
		name   string
		agents int
	}{{"10k", 10_000}, {"100k", 100_000}, {"1M", 1_000_000}} {
		b.Run(size.name, func(b *testing.B) {
			s := newCrowd(b, size.agents, 1, 7)
			s.WalkFor(1, nil)
			for b.Loop() {
				s.Clock.Advance()
				b.StopTimer()
				s.Movement.grid.Refresh() // not a cost of movement
				b.StartTimer()
				s.Movement.Update(s.W)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size.agents), "ns/agent")
		})
	}
}
