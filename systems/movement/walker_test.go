package movement

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestHeadingsTurnNoFasterThanTheTurnRate(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	s.Movement.TurnRate = 3
	s.Movement.Initialize(s.W)
	e := s.Spawn(components.Vec2{X: 32, Y: 32})
	// almost opposite to its heading
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 2, Y: 33}})
	before := components.Vec2{X: 1}
	s.WalkFor(2, func() bool {
		h := ecs.Get[components.Transform](s.W, e).Heading
		angle := math.Acos(math.Min(1, float64(vec.Dot(before, h))))
		require.LessOrEqual(t, angle, 3.0/60+1e-3)
		before = h
		return true
	})
	assert.InDelta(t, -1, before.X, 0.01)
}

func TestANegativeTurnRateKeepsHeadings(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	s.Movement.TurnRate = -1
	s.Movement.Initialize(s.W)
	e := s.Spawn(components.Vec2{X: 32, Y: 32})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 32, Y: 36}})
	s.WalkFor(1, nil)
	assert.InDelta(t, 34, s.At(e).Y, 1e-3, "it walks sideways")
	assert.Equal(t, components.Vec2{X: 1}, ecs.Get[components.Transform](s.W, e).Heading)
}

func TestAnAgentThatStandsTurnsToItsTarget(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	target, e := s.Spawn(components.Vec2{X: 32, Y: 40}), s.Spawn(components.Vec2{X: 32, Y: 32})
	s.Post(e, components.Order{Action: s.Do.Stand, Target: target})
	s.WalkFor(1, nil)
	assert.Equal(t, components.Vec2{X: 32, Y: 32}, s.At(e))
	assert.InDelta(t, 1, ecs.Get[components.Transform](s.W, e).Heading.Y, 1e-4)
	assert.Equal(t, components.Pending, s.Order(e).Outcome)
}

func TestAnAgentWithoutAnIntentKeepsItsVelocity(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	var e components.Entity
	ecs.NewPrefab(s.W, components.Transform{Position: components.Vec2{X: 1.5, Y: 10}, Heading: components.Vec2{X: 1}},
		components.Body{Velocity: components.Vec2{X: -2, Y: 1}, Radius: 0.25}).SpawnNow(s.W, 1,
		func(_ int, made components.Entity) { e = made })
	s.WalkFor(3, nil)
	assert.InDelta(t, 0.25, s.At(e).X, 1e-4, "held by the wall")
	assert.InDelta(t, 13, s.At(e).Y, 1e-2, "and slid along it")
}

func TestAgentsNeverStandInAWall(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := testworld.AnyMap(rt)
		if m.PassableTiles() == 0 {
			rt.Skip("no tile is passable")
		}
		s := newStage(t, m, rapid.SampledFrom([]int{1, 2, 10, 60}).Draw(rt, "fps"), 1, rapid.Uint64().Draw(rt, "seed"))
		actions := []components.Action{0, s.Do.Seek, s.Do.Arrive, s.Do.Flee, s.Do.Patrol, s.Do.Wander, s.Do.Stand, 99}
		place := rapid.Custom(func(rt *rapid.T) components.Vec2 { // also outside the map
			return components.Vec2{X: rapid.Float32Range(-3, 15).Draw(rt, "x"),
				Y: rapid.Float32Range(-3, 15).Draw(rt, "y")}
		})
		route := s.Routes.Add([]components.Vec2{place.Draw(rt, "a"), place.Draw(rt, "b"), place.Draw(rt, "c")})
		var all []components.Entity
		for range rapid.IntRange(1, 12).Draw(rt, "agents") {
			e := s.Spawn(place.Draw(rt, "start"), components.Route{ID: route})
			b := ecs.Get[components.Body](s.W, e)
			b.Radius = rapid.Float32Range(0, 1).Draw(rt, "radius")
			b.Speed = rapid.Float32Range(0, 30).Draw(rt, "speed")
			all = append(all, e)
		}
		for range 12 {
			for _, e := range all {
				s.Post(e, components.Order{
					Action: rapid.SampledFrom(actions).Draw(rt, "action"),
					Target: rapid.SampledFrom(append([]components.Entity{{}}, all...)).Draw(rt, "target"),
					Point:  place.Draw(rt, "point"),
					Numbers: [2]float32{rapid.Float32Range(0, 1).Draw(rt, "factor"),
						rapid.Float32Range(-1, 5).Draw(rt, "number")},
				})
			}
			for range 3 {
				s.Clock.Advance()
				s.Movement.Update(s.W)
				for _, e := range all {
					at := s.At(e)
					require.True(rt, space.Standable(m, at), "%v stands in a wall at %v", e, at)
					clear := float64(space.Clearance(ecs.Get[components.Body](s.W, e).Radius))
					require.GreaterOrEqual(rt, testworld.WallDistance(m, at), clear-3e-4)
					require.InDelta(rt, 1, vec.Length(ecs.Get[components.Transform](s.W, e).Heading), 1e-4)
				}
			}
		}
	})
}

func TestAnAgentTooDeepInAWallIsLeftAndCounted(t *testing.T) {
	m := space.NewMap(200, 1)
	for x := range 199 {
		m.Set(x, 0, space.Wall)
	}
	s := newStage(t, m, 60, 1, 1)
	deep, shallow := s.Spawn(components.Vec2{X: 10.5, Y: 0.5}), s.Spawn(components.Vec2{X: 190.5, Y: 0.5})
	s.WalkFor(0.1, nil) // 6 frames
	assert.Equal(t, components.Vec2{X: 10.5, Y: 0.5}, s.At(deep))
	assert.InDelta(t, 199.3, s.At(shallow).X, 1e-3)
	assert.Equal(t, Stats{Freed: 1, Stranded: 6}, s.Movement.Stats())
}

func TestOpenCountryHasNoWalls(t *testing.T) {
	s := newStage(t, nil, 60, 1, 1)
	// A mode and a tile are left over from a world with a map.
	seeker := s.Spawn(components.Vec2{X: -10, Y: -10}, components.Route{})
	s.Post(seeker, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: -20, Y: -10}})
	s.WalkFor(0.1, nil)
	ecs.Get[components.Steering](s.W, seeker).Mode = detouring
	wanderer, other, third := s.Spawn(components.Vec2{X: -50, Y: 3}), s.Spawn(components.Vec2{X: -50.1, Y: 3}),
		s.Spawn(components.Vec2{X: 1e6, Y: 1e6})
	s.Post(wanderer, components.Order{Action: s.Do.Wander})
	s.Post(other, components.Order{Action: s.Do.Flee, Target: wanderer, Numbers: [2]float32{1, 3}})
	s.Post(third, components.Order{Action: s.Do.Arrive, Point: components.Vec2{X: 1e6, Y: 1e6 + 5}})
	s.WalkFor(6, nil)
	for _, e := range []components.Entity{seeker, other, third} {
		assert.Equal(t, components.Succeeded, s.Order(e).Outcome, "%v at %v", e, s.At(e))
	}
	assert.Greater(t, vec.Length(vec.Sub(s.At(wanderer), components.Vec2{X: -50, Y: 3})), float32(1))
	assert.Zero(t, s.Movement.Stats())
}

func TestAnAgentThatAnotherSystemMovedStillFindsTheWalls(t *testing.T) {
	s := newStage(t, testworld.MapOf(
		"......",
		"....@.",
		"......",
	), 60, 1, 1)
	var e components.Entity
	ecs.NewPrefab(s.W, components.Transform{Position: components.Vec2{X: 1.5, Y: 1.5}}, components.Faction{},
		components.Body{Velocity: components.Vec2{X: 20}, Radius: 0.3}).SpawnNow(s.W, 1,
		func(_ int, made components.Entity) { e = made })
	s.Clock.Advance()
	s.Movement.grid.Refresh()
	ecs.Get[components.Transform](s.W, e).Position = components.Vec2{X: 3.6, Y: 1.5} // a teleport beside the pillar
	s.Movement.Update(s.W)
	assert.InDelta(t, 3.7, s.At(e).X, 1e-3, "0.3 m from it")
}

func TestValuesThatAreNotFiniteAreCountedAndDoNotSpread(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, spoil := range map[string]func(tr *components.Transform, b *components.Body, o *components.Order){
		"position": func(tr *components.Transform, _ *components.Body,
			_ *components.Order) {
			tr.Position.X = nan
		},
		"far position": func(tr *components.Transform, _ *components.Body,
			_ *components.Order) {
			tr.Position.Y = inf
		},
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
			all := []components.Entity{s.Spawn(components.Vec2{X: 10, Y: 10}), s.Spawn(components.Vec2{X: 10.2, Y: 10}),
				s.Spawn(components.Vec2{X: 9.8, Y: 10.1})}
			for _, e := range all {
				s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 40, Y: 40}})
			}
			s.Post(all[2], components.Order{Action: s.Do.Seek, Target: all[0]})
			spoil(ecs.Get[components.Transform](s.W, all[0]), ecs.Get[components.Body](s.W, all[0]), s.Order(all[0]))
			s.WalkFor(2, nil)
			assert.Positive(t, s.Movement.Stats().Nonfinite)
			for _, e := range all[1:] {
				assert.True(t, vec.FiniteVec(s.At(e)))
				assert.InDelta(t, 1, vec.Length(ecs.Get[components.Transform](s.W, e).Heading), 1e-4)
				assert.True(t, vec.FiniteVec(ecs.Get[components.Body](s.W, e).Velocity))
			}
			assert.Greater(t, s.At(all[1]).X, float32(11), "it walks on")
		})
	}
}
