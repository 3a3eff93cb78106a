package movement

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

func TestPatrolWalksTheLoopOverAndOver(t *testing.T) {
	loop := []components.Vec2{{X: 10, Y: 10}, {X: 20, Y: 10}, {X: 20, Y: 20}}
	for _, c := range []struct {
		name    string
		pause   float32
		outcome components.Outcome // of the first leg
		round   float64            // seconds for the loop of 10 + 10 + 14.1 m
	}{
		{"succeeding at each waypoint", 0, components.Succeeded, 0},
		{"without a pause", -1, components.Pending, 34.1 / 2},
		{"pausing 2 s at each", 2, components.Pending, 34.1/2 + 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, testworld.Plain(), 60, 1, 1)
			s.Routes.Add([]components.Vec2{{X: 1, Y: 1}})
			e := s.Spawn(components.Vec2{X: 10, Y: 10}, components.Route{ID: s.Routes.Add(loop), Next: 1})
			order := components.Order{Action: s.Do.Patrol, Numbers: [2]float32{0, c.pause}}
			s.Post(e, order)
			route := ecs.Get[components.Route](s.W, e)
			s.WalkFor(20, func() bool { return route.Next == 1 })
			assert.InDelta(t, 20, s.At(e).X, 0.51)
			assert.Equal(t, c.outcome, s.Order(e).Outcome)
			if c.pause == 0 {
				s.Post(e, order)
				s.WalkFor(20, func() bool { return s.Order(e).Outcome == components.Pending })
				assert.InDelta(t, 20, s.At(e).Y, 0.51, "the next order goes on to the next waypoint")
				return
			}
			start := s.Clock.Now
			last := route.Next
			waypoints := 0
			s.WalkFor(60, func() bool {
				if route.Next != last {
					last = route.Next
					waypoints++
				}
				return waypoints < 3
			})
			assert.InDelta(t, c.round, float64(s.Clock.Now-start)/1e9, 1.5)
			assert.Equal(t, components.Pending, s.Order(e).Outcome)
		})
	}
}

func TestPatrolWithoutARouteFails(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	for name, e := range map[string]components.Entity{
		"no component": s.Spawn(components.Vec2{X: 10, Y: 10}),
		"no such":      s.Spawn(components.Vec2{X: 20, Y: 10}, components.Route{ID: 7}),
		"negative":     s.Spawn(components.Vec2{X: 30, Y: 10}, components.Route{ID: -1}),
	} {
		s.Post(e, components.Order{Action: s.Do.Patrol})
		s.WalkFor(0.1, nil)
		assert.Equal(t, components.Failed, s.Order(e).Outcome, name)
	}
}

func TestAnAgentThatLeftItsRouteRejoinsItAtTheNearestWaypoint(t *testing.T) {
	s := newStage(t, testworld.MapOf(
		"............",
		".@@@@@@@@@@.",
		".@@@@@@@@@@.",
		"............",
	), 60, 1, 1)
	route := s.Routes.Add([]components.Vec2{{X: 0.5, Y: 0.5}, {X: 11.5, Y: 0.5}, {X: 11.5, Y: 3.5}, {X: 0.5, Y: 3.5}})
	// It was heading for the first waypoint, along the north side, and now stands on the south side.
	e := s.Spawn(components.Vec2{X: 9, Y: 3.5}, components.Route{ID: route, Next: 1})
	s.Post(e, components.Order{Action: s.Do.Patrol, Numbers: [2]float32{0, -1}})
	s.WalkFor(0.1, nil)
	assert.EqualValues(t, 2, ecs.Get[components.Route](s.W, e).Next)
	s.WalkFor(4, nil)
	assert.Less(t, s.At(e).X, float32(9.5), "on the way west again")
}
