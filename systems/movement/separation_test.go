package movement

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/testworld"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// overlapping returns how many pairs are neighbours, nearer than twice the sum of their radii, and how many of
// those overlap by more than half a radius. It looks at all pairs that share or touch a tile of 2 m.
func (s *stage) overlapping() (neighbours, deep int) {
	type body struct {
		at     components.Vec2
		radius float32
	}
	bins := map[[2]int][]body{}
	c := ecs.NewColumns(s.W, ecs.Need[components.Transform](), ecs.Need[components.Body]())
	chunks := c.Open()
	defer c.Close()
	for i := range chunks {
		places, bodies := ecs.Column[components.Transform](&chunks[i], 0), ecs.Column[components.Body](&chunks[i], 1)
		for j := range places {
			b := body{places[j].Position, bodies[j].Radius}
			x, y := int(b.at.X)/2, int(b.at.Y)/2
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					for _, o := range bins[[2]int{x + dx, y + dy}] {
						d := vec.Length(vec.Sub(o.at, b.at))
						if d < 2*(b.radius+o.radius) {
							neighbours++
						}
						if b.radius+o.radius-d > min(b.radius, o.radius)/2 {
							deep++
						}
					}
				}
			}
			bins[[2]int{x, y}] = append(bins[[2]int{x, y}], b)
		}
	}
	return neighbours, deep
}

func TestACrowdDoesNotStandInOneAnother(t *testing.T) {
	s := newCrowd(t, 10_000, 2, 7)
	for second := 1; second <= 3; second++ {
		s.WalkFor(1, nil)
		neighbours, deep := s.overlapping()
		require.Greater(t, neighbours, 1000)
		assert.Less(t, float64(deep), 0.01*float64(neighbours), "after %d s", second)
	}
}

func TestADenseCrowdComesApartInASecond(t *testing.T) {
	for name, place := range map[string]func(i int) components.Vec2{
		"one per square metre at random": func(i int) components.Vec2 {
			return components.Vec2{X: 14 + 100*random.Unit(random.Mix(1, uint64(i))), Y: 14 + 100*random.Unit(random.Mix(2, uint64(i)))}
		},
		"all on few points": func(i int) components.Vec2 { return components.Vec2{X: 5 + 5*float32(i%25), Y: 5 + 5*float32(i/25%25)} },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, space.NewMap(128, 128), 60, 2, 7)
			agents := 10_000
			if name == "all on few points" {
				agents = 5000
			}
			s.Populate(agents, place)
			_, before := s.overlapping()
			require.Greater(t, before, 1000)
			s.WalkFor(1, nil)
			neighbours, deep := s.overlapping()
			assert.Less(t, float64(deep), 0.01*float64(neighbours))
		})
	}
}

func TestTwoWhoMeetPassEachOther(t *testing.T) {
	s := newStage(t, testworld.Drawn(
		"@@@@@@@@@@@@@@@@",
		"................",
		"................",
		"@@@@@@@@@@@@@@@@",
	), 60, 1, 1)
	west, east := s.Spawn(components.Vec2{X: 1, Y: 2}), s.Spawn(components.Vec2{X: 15, Y: 2})
	s.Post(west, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 15, Y: 2}})
	s.Post(east, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 1, Y: 2}})
	s.WalkFor(10, func() bool {
		require.Greater(t, vec.Length(vec.Sub(s.At(west), s.At(east))), float32(0.6-0.15), "they do not pass through each other")
		return true
	})
	assert.Equal(t, components.Succeeded, s.Order(west).Outcome)
	assert.Equal(t, components.Succeeded, s.Order(east).Outcome)
}

func TestAPairIsPushedApartByTheSameLengthWhateverTheOrder(t *testing.T) {
	for _, swapped := range []bool{false, true} {
		s := newStage(t, testworld.Plain(), 60, 1, 1)
		a, b := components.Vec2{X: 10, Y: 10}, components.Vec2{X: 10.25, Y: 10}
		if swapped {
			a, b = b, a
		}
		first, second := s.Spawn(a), s.Spawn(b)
		s.WalkFor(1, nil)
		apart := vec.Sub(s.At(second), s.At(first))
		assert.InDelta(t, 0.6, vec.Length(apart), 1e-3)
		middle := vec.Scale(vec.Add(s.At(first), s.At(second)), 0.5)
		assert.InDelta(t, 10.125, middle.X, 1e-4)
		assert.InDelta(t, 10, middle.Y, 1e-6)
	}
}

func TestTheDeadAndTheBodilessPushNobody(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	alive := s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Spawn(components.Vec2{X: 10.1, Y: 10}, components.Health{Current: 0, Max: 10})
	ghost := s.Spawn(components.Vec2{X: 10, Y: 10.1})
	ecs.Get[components.Body](s.W, ghost).Radius = 0
	s.WalkFor(1, nil)
	assert.Equal(t, components.Vec2{X: 10, Y: 10}, s.At(alive))
	assert.Equal(t, components.Vec2{X: 10, Y: 10.1}, s.At(ghost))
}

func TestWhatIsNotFiniteIsCountedAndDoesNotSpread(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, spoil := range map[string]func(tr *components.Transform, b *components.Body, o *components.Order){
		"position":      func(tr *components.Transform, _ *components.Body, _ *components.Order) { tr.Position.X = nan },
		"far position":  func(tr *components.Transform, _ *components.Body, _ *components.Order) { tr.Position.Y = inf },
		"heading":       func(tr *components.Transform, _ *components.Body, _ *components.Order) { tr.Heading.X = nan },
		"velocity":      func(_ *components.Transform, b *components.Body, _ *components.Order) { b.Velocity.Y = inf },
		"radius":        func(_ *components.Transform, b *components.Body, _ *components.Order) { b.Radius = inf },
		"radius nan":    func(_ *components.Transform, b *components.Body, _ *components.Order) { b.Radius = nan },
		"speed":         func(_ *components.Transform, b *components.Body, _ *components.Order) { b.Speed = nan },
		"infinite pace": func(_ *components.Transform, b *components.Body, _ *components.Order) { b.Speed = inf },
		"point":         func(_ *components.Transform, _ *components.Body, o *components.Order) { o.Point.X = nan },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, testworld.Plain(), 60, 1, 1)
			all := []components.Entity{s.Spawn(components.Vec2{X: 10, Y: 10}), s.Spawn(components.Vec2{X: 10.2, Y: 10}), s.Spawn(components.Vec2{X: 9.8, Y: 10.1})}
			for _, e := range all {
				s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 40, Y: 40}})
			}
			s.Post(all[2], components.Order{Action: s.Do.Seek, Target: all[0]})
			spoil(ecs.Get[components.Transform](s.W, all[0]), ecs.Get[components.Body](s.W, all[0]), s.Order(all[0]))
			s.WalkFor(2, nil)
			assert.Positive(t, s.Locomotion.Stats().Nonfinite)
			for _, e := range all[1:] {
				assert.True(t, vec.FiniteVec(s.At(e)))
				assert.InDelta(t, 1, vec.Length(ecs.Get[components.Transform](s.W, e).Heading), 1e-4)
				assert.True(t, vec.FiniteVec(ecs.Get[components.Body](s.W, e).Velocity))
			}
			assert.Greater(t, s.At(all[1]).X, float32(11), "it walks on")
		})
	}
}

func TestNumbersThatAreNotFiniteReadAsTheirDefaults(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	nan := float32(math.NaN())
	e := s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 14, Y: 10}, Numbers: [2]float32{nan, nan}})
	s.WalkFor(1, nil)
	assert.InDelta(t, 12, s.At(e).X, 1e-3)
	s.WalkFor(1, nil)
	assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
}

func TestAPointBeyondAnyMapFails(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	e := s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 3e38, Y: -3e38}})
	s.WalkFor(0.1, nil)
	assert.Equal(t, components.Failed, s.Order(e).Outcome)
}

func TestAFrameInWhichNoTimePassesMovesNobody(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	a, b := s.Spawn(components.Vec2{X: 10, Y: 10}), s.Spawn(components.Vec2{X: 10.1, Y: 10})
	s.Post(a, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 40, Y: 40}})
	s.Clock.Set(1)
	s.Locomotion.Update(s.W)
	at := s.At(a)
	s.Clock.Set(1)
	s.Locomotion.Update(s.W)
	assert.Equal(t, at, s.At(a))
	assert.InDelta(t, 10.1, s.At(b).X, 1e-3)
}

func TestAFrameThatLastsAnHourMovesAgentsByASecond(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	e := s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 40, Y: 10}})
	s.Clock.Set(3600e9)
	s.Locomotion.Update(s.W)
	assert.InDelta(t, 12, s.At(e).X, 1e-3)
}

func TestWorkersDoNotChangeABit(t *testing.T) {
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

func TestStorageOrderDoesNotChangeABit(t *testing.T) {
	// The same agents, once in one archetype and once spread over two: entities are the same, their rows are not.
	run := func(split bool) uint64 {
		s := newCrowd(t, 1500, 2, 5)
		if split {
			c := ecs.Resource[ecs.Commands](s.W, "test")
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

func TestLocomotionDoesNotAllocate(t *testing.T) {
	s := newCrowd(t, 2000, 2, 3)
	s.WalkFor(1, nil)
	allocs.None(t, 100, func() { s.WalkFor(1.0/60, nil) })
}

func BenchmarkLocomotion(b *testing.B) {
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
				s.Locomotion.grid.Refresh() // not locomotion's own cost
				b.StartTimer()
				s.Locomotion.Update(s.W)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size.agents), "ns/agent")
		})
	}
}
