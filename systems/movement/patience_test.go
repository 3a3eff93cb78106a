package movement

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// serpentine returns a map of lanes along X, each two tiles wide, with a gap to the next at alternating ends.
func serpentine(width, lanes int) *space.Map {
	m := space.NewMap(width, 3*lanes-1)
	for wall := range lanes - 1 {
		m.Fill(0, 3*wall+2, width, 1, space.Wall)
		m.Set((width-1)*((wall+1)%2), 3*wall+2, space.Ground)
	}
	return m
}

func TestSeekAcrossASerpentineEnds(t *testing.T) {
	m := serpentine(61, 2)
	s := newStage(t, m, 20, 1, 1)
	var all []components.Entity
	for x := range 61 {
		for _, target := range []bool{false, true} {
			e := s.Spawn(space.TileCentre(x, 1))
			s.alone(e)
			order := components.Order{Action: s.Do.Seek, Point: space.TileCentre(x, 3)}
			if target {
				order.Target = s.Spawn(order.Point)
				s.alone(order.Target)
			}
			s.Post(e, order)
			all = append(all, e)
		}
	}
	s.WalkFor(300, nil)
	for _, e := range all {
		assert.NotEqual(t, components.Pending, s.Order(e).Outcome, "to %v, at %v", s.Order(e).Point, s.At(e))
	}
}

// Each of these agents walked to and fro: from one end of its walk the way round one side looked open, from the other
// end the way round the other side.
func TestSeekThatWalksToAndFroFails(t *testing.T) {
	for _, c := range []struct {
		town     uint64
		from, to components.Vec2
	}{
		{11, components.Vec2{X: 73.5, Y: 18.5}, components.Vec2{X: 99.5, Y: 1.5}},
		{11, components.Vec2{X: 11.5, Y: 7.5}, components.Vec2{X: 107.5, Y: 13.5}},
		{5, components.Vec2{X: 167.5, Y: 34.5}, components.Vec2{X: 173.5, Y: 6.5}},
		{17, components.Vec2{X: 189.5, Y: 144.5}, components.Vec2{X: 193.5, Y: 172.5}},
	} {
		for _, target := range []bool{false, true} {
			s := newStage(t, town.Generate(200, 200, c.town), 20, 1, 1)
			e := s.Spawn(c.from)
			order := components.Order{Action: s.Do.Seek, Point: c.to}
			if target {
				order.Target = s.Spawn(c.to)
			}
			s.Post(e, order)
			s.WalkFor(240, func() bool { return s.Order(e).Outcome == components.Pending })
			assert.NotEqual(t, components.Pending, s.Order(e).Outcome, "at %v, to %v", s.At(e), c.to)
		}
	}
}

func TestNoMoveOrderWithAGoalStaysPendingForEver(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		key := rapid.Uint64().Draw(rt, "key")
		var m *space.Map
		switch key % 3 {
		case 0:
			m = serpentine(40+int(key>>8%60), 2+int(key>>16%5))
		case 1:
			m = town.Generate(150, 150, key)
		case 2: // many small walls
			m = space.NewMap(80, 80)
			for i := range uint64(6400) {
				if random.Below(random.Mix(key, i), 100) < 38 {
					m.Set(int(i%80), int(i/80), space.Wall)
				}
			}
		}
		s := newStage(t, m, 10, 1, 1)
		var all []components.Entity
		for i := range uint64(40) {
			draw := random.Mix(key, 10000+i)
			from, _ := m.RandomPoint(random.Mix(draw, 1), 0)
			to, _ := m.RandomPoint(random.Mix(draw, 2), 0)
			order := components.Order{Action: s.Do.Seek, Point: to}
			switch draw % 4 {
			case 0:
				order.Target = s.Spawn(to)
			case 1:
				order.Action, order.Numbers[1] = s.Do.Flee, 200
			case 2:
				order.Action = s.Do.Arrive
			}
			e := s.Spawn(from)
			s.alone(e)
			s.Post(e, order)
			all = append(all, e)
		}
		s.WalkFor(900, nil)
		for _, e := range all {
			require.NotEqual(rt, components.Pending, s.Order(e).Outcome, "%+v at %v, %+v", *s.Order(e), s.At(e),
				*ecs.Get[components.Steering](s.W, e))
		}
	})
}

func TestFleeFromACornerToAnotherFails(t *testing.T) {
	s := newStage(t, testworld.MapOf(
		"@@@@@@@@@@",
		"@........@",
		"@........@",
		"@........@",
		"@@@@@@@@@@",
	), 60, 1, 1)
	for _, far := range []float32{0, 30} {
		e := s.Spawn(components.Vec2{X: 3.5, Y: 2.5})
		s.alone(e)
		order := components.Order{Action: s.Do.Flee, Point: components.Vec2{X: 5, Y: 2.5}}
		order.Numbers[1] = far
		s.Post(e, order)
		s.WalkFor(60, func() bool { return s.Order(e).Outcome == components.Pending })
		assert.Equal(t, components.Failed, s.Order(e).Outcome)
	}
}

func TestAChaseOfAnEqualGoesOn(t *testing.T) {
	m := space.NewMap(40, 40)
	m.Fill(3, 3, 34, 34, space.Wall)
	s := newStage(t, m, 30, 1, 1)
	hare := s.Spawn(components.Vec2{X: 9.5, Y: 1.5}, components.Route{
		ID: s.Routes.Add([]components.Vec2{{X: 38.5, Y: 1.5}, {X: 38.5, Y: 38.5}, {X: 1.5, Y: 38.5}, {X: 1.5, Y: 1.5}}),
	})
	hound := s.Spawn(components.Vec2{X: 1.5, Y: 1.5})
	ecs.Get[components.Body](s.W, hare).Speed = 2.2 // the hound cuts the corners
	s.Post(hare, components.Order{Action: s.Do.Patrol, Numbers: [2]float32{0, -1}})
	s.Post(hound, components.Order{Action: s.Do.Seek, Target: hare})
	s.WalkFor(600, func() bool { return s.Order(hound).Outcome == components.Pending })
	assert.Equal(t, components.Pending, s.Order(hound).Outcome, "at %v, the hare at %v", s.At(hound), s.At(hare))
}
