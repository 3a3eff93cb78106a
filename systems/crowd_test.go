package systems

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// overlapping returns how many pairs are neighbours, nearer than twice the sum of their radii, and how many of
// those overlap by more than half a radius. It looks at all pairs that share or touch a tile of 2 m.
func (s *stage) overlapping() (neighbours, deep int) {
	type body struct {
		at     vec2
		radius float32
	}
	bins := map[[2]int][]body{}
	c := ecs.NewColumns(s.w, ecs.Need[components.Transform](), ecs.Need[components.Body]())
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
						d := length(sub(o.at, b.at))
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

// A crowd of 10,000 at one agent per 16 m² of a town, each patrolling or wandering.
func newCrowd(t testing.TB, agents, workers int, seed uint64) *stage {
	m := GenerateMap(4*int(math.Sqrt(float64(agents))), 4*int(math.Sqrt(float64(agents))), seed)
	s := newStage(t, m, 60, workers, seed)
	*s.routes = *GenerateRoutes(m, agents/4, seed)
	s.populate(agents, func(i int) vec2 {
		if i%3 != 0 { // on its route
			loop := s.routes.Waypoints(int32(i % s.routes.Len()))
			leg := sub(loop[1%len(loop)], loop[0])
			return add(loop[0], scale(leg, random.Unit(random.Mix(seed, uint64(i)))))
		}
		at, _ := m.RandomPoint(random.Mix(seed, uint64(i)))
		return at
	})
	return s
}

// populate makes agents of which two in three patrol and the others wander.
func (s *stage) populate(agents int, place func(i int) vec2) {
	ecs.NewPrefab(s.w,
		components.Transform{Heading: vec2{X: 1}},
		components.Body{Radius: 0.35, Speed: 1.4},
		components.Intent{},
		components.Steering{},
		components.Faction{},
		components.Route{},
	).SpawnNow(s.w, agents, func(i int, e components.Entity) {
		ecs.Get[components.Transform](s.w, e).Position = place(i)
		ecs.Get[components.Faction](s.w, e).ID = uint8(i % 3)
		ecs.Get[components.Route](s.w, e).ID = int32(i % max(s.routes.Len(), 1))
		order := components.Order{Action: s.do.Patrol, Numbers: [2]float32{1, -1}, Serial: 1}
		if i%3 == 0 {
			order.Action = s.do.Wander
		}
		*s.order(e) = order
	})
}

func TestACrowdDoesNotStandInOneAnother(t *testing.T) {
	s := newCrowd(t, 10_000, 2, 7)
	for second := 1; second <= 3; second++ {
		s.walkFor(1, nil)
		neighbours, deep := s.overlapping()
		require.Greater(t, neighbours, 1000)
		assert.Less(t, float64(deep), 0.01*float64(neighbours), "after %d s", second)
	}
}

func TestADenseCrowdComesApartInASecond(t *testing.T) {
	for name, place := range map[string]func(i int) vec2{
		"one per square metre at random": func(i int) vec2 {
			return vec2{X: 14 + 100*random.Unit(random.Mix(1, uint64(i))), Y: 14 + 100*random.Unit(random.Mix(2, uint64(i)))}
		},
		"all on few points": func(i int) vec2 { return vec2{X: 5 + 5*float32(i%25), Y: 5 + 5*float32(i/25%25)} },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, NewMap(128, 128), 60, 2, 7)
			agents := 10_000
			if name == "all on few points" {
				agents = 5000
			}
			s.populate(agents, place)
			_, before := s.overlapping()
			require.Greater(t, before, 1000)
			s.walkFor(1, nil)
			neighbours, deep := s.overlapping()
			assert.Less(t, float64(deep), 0.01*float64(neighbours))
		})
	}
}

func TestTwoWhoMeetPassEachOther(t *testing.T) {
	s := newStage(t, drawn(
		"@@@@@@@@@@@@@@@@",
		"................",
		"................",
		"@@@@@@@@@@@@@@@@",
	), 60, 1, 1)
	west, east := s.spawn(vec2{X: 1, Y: 2}), s.spawn(vec2{X: 15, Y: 2})
	s.post(west, components.Order{Action: s.do.Seek, Point: vec2{X: 15, Y: 2}})
	s.post(east, components.Order{Action: s.do.Seek, Point: vec2{X: 1, Y: 2}})
	s.walkFor(10, func() bool {
		require.Greater(t, length(sub(s.at(west), s.at(east))), float32(0.6-0.15), "they do not pass through each other")
		return true
	})
	assert.Equal(t, components.Succeeded, s.order(west).Outcome)
	assert.Equal(t, components.Succeeded, s.order(east).Outcome)
}

func TestAPairIsPushedApartByTheSameLengthWhateverTheOrder(t *testing.T) {
	for _, swapped := range []bool{false, true} {
		s := newStage(t, plain(), 60, 1, 1)
		a, b := vec2{X: 10, Y: 10}, vec2{X: 10.25, Y: 10}
		if swapped {
			a, b = b, a
		}
		first, second := s.spawn(a), s.spawn(b)
		s.walkFor(1, nil)
		apart := sub(s.at(second), s.at(first))
		assert.InDelta(t, 0.6, length(apart), 1e-3)
		middle := scale(add(s.at(first), s.at(second)), 0.5)
		assert.InDelta(t, 10.125, middle.X, 1e-4)
		assert.InDelta(t, 10, middle.Y, 1e-6)
	}
}

func TestTheDeadAndTheBodilessPushNobody(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	alive := s.spawn(vec2{X: 10, Y: 10})
	s.spawn(vec2{X: 10.1, Y: 10}, components.Health{Current: 0, Max: 10})
	ghost := s.spawn(vec2{X: 10, Y: 10.1})
	ecs.Get[components.Body](s.w, ghost).Radius = 0
	s.walkFor(1, nil)
	assert.Equal(t, vec2{X: 10, Y: 10}, s.at(alive))
	assert.Equal(t, vec2{X: 10, Y: 10.1}, s.at(ghost))
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
			s := newStage(t, plain(), 60, 1, 1)
			all := []components.Entity{s.spawn(vec2{X: 10, Y: 10}), s.spawn(vec2{X: 10.2, Y: 10}), s.spawn(vec2{X: 9.8, Y: 10.1})}
			for _, e := range all {
				s.post(e, components.Order{Action: s.do.Seek, Point: vec2{X: 40, Y: 40}})
			}
			s.post(all[2], components.Order{Action: s.do.Seek, Target: all[0]})
			spoil(ecs.Get[components.Transform](s.w, all[0]), ecs.Get[components.Body](s.w, all[0]), s.order(all[0]))
			s.walkFor(2, nil)
			assert.Positive(t, s.locomotion.Counts().Nonfinite)
			for _, e := range all[1:] {
				assert.True(t, finiteVec(s.at(e)))
				assert.InDelta(t, 1, length(ecs.Get[components.Transform](s.w, e).Heading), 1e-4)
				assert.True(t, finiteVec(ecs.Get[components.Body](s.w, e).Velocity))
			}
			assert.Greater(t, s.at(all[1]).X, float32(11), "it walks on")
		})
	}
}

func TestNumbersThatAreNotFiniteReadAsTheirDefaults(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	nan := float32(math.NaN())
	e := s.spawn(vec2{X: 10, Y: 10})
	s.post(e, components.Order{Action: s.do.Seek, Point: vec2{X: 14, Y: 10}, Numbers: [2]float32{nan, nan}})
	s.walkFor(1, nil)
	assert.InDelta(t, 12, s.at(e).X, 1e-3)
	s.walkFor(1, nil)
	assert.Equal(t, components.Succeeded, s.order(e).Outcome)
}

func TestAPointBeyondAnyMapFails(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	e := s.spawn(vec2{X: 10, Y: 10})
	s.post(e, components.Order{Action: s.do.Seek, Point: vec2{X: 3e38, Y: -3e38}})
	s.walkFor(0.1, nil)
	assert.Equal(t, components.Failed, s.order(e).Outcome)
}

func TestAFrameInWhichNoTimePassesMovesNobody(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	a, b := s.spawn(vec2{X: 10, Y: 10}), s.spawn(vec2{X: 10.1, Y: 10})
	s.post(a, components.Order{Action: s.do.Seek, Point: vec2{X: 40, Y: 40}})
	s.clock.Set(1)
	s.locomotion.Update(s.w)
	at := s.at(a)
	s.clock.Set(1)
	s.locomotion.Update(s.w)
	assert.Equal(t, at, s.at(a))
	assert.InDelta(t, 10.1, s.at(b).X, 1e-3)
}

func TestAFrameThatLastsAnHourMovesAgentsByASecond(t *testing.T) {
	s := newStage(t, plain(), 60, 1, 1)
	e := s.spawn(vec2{X: 10, Y: 10})
	s.post(e, components.Order{Action: s.do.Seek, Point: vec2{X: 40, Y: 10}})
	s.clock.Set(3600e9)
	s.locomotion.Update(s.w)
	assert.InDelta(t, 12, s.at(e).X, 1e-3)
}

func TestWorkersDoNotChangeABit(t *testing.T) {
	run := func(workers int, seed uint64) uint64 {
		s := newCrowd(t, 2000, workers, seed)
		s.walkFor(3, nil)
		return s.hash()
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
			c := ecs.Resource[ecs.Commands](s.w, "test")
			for i := uint32(1); i <= 1500; i++ {
				if e := (components.Entity{Index: i}); i%7 == 0 && ecs.Alive(s.w, e) {
					ecs.Assign(c.Queue(0), e, e, components.Candidates{})
				}
			}
			c.Apply(s.w)
		}
		s.walkFor(3, nil)
		return s.hash()
	}
	assert.Equal(t, run(false), run(true))
}

func TestLocomotionDoesNotAllocate(t *testing.T) {
	s := newCrowd(t, 2000, 2, 3)
	s.walkFor(1, nil)
	allocs.None(t, 100, func() { s.walkFor(1.0/60, nil) })
}

func BenchmarkLocomotion(b *testing.B) {
	for _, size := range []struct {
		name   string
		agents int
	}{{"10k", 10_000}, {"100k", 100_000}, {"1M", 1_000_000}} {
		b.Run(size.name, func(b *testing.B) {
			s := newCrowd(b, size.agents, 1, 7)
			s.walkFor(1, nil)
			for b.Loop() {
				s.clock.Advance()
				b.StopTimer()
				s.locomotion.grid.Refresh() // not locomotion's own cost
				b.StartTimer()
				s.locomotion.Update(s.w)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size.agents), "ns/agent")
		})
	}
}
