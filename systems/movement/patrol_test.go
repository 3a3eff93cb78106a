package movement

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/space"
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

// patrolling keeps an agent on its route and returns how often it reached each waypoint within some seconds. An order
// that ended is posted again, and also one that is interrupted every so many seconds; 0: never.
func patrolling(t *testing.T, m *space.Map, loop []components.Vec2, pause float32, seconds, interrupted float64) []int {
	t.Helper()
	s := newStage(t, m, 60, 1, 1)
	e := s.Spawn(loop[0], components.Route{ID: s.Routes.Add(loop)})
	order := components.Order{Action: s.Do.Patrol, Numbers: [2]float32{0, pause}}
	visits := make([]int, len(loop))
	s.Post(e, order)
	frames, last := 0, -1
	s.WalkFor(seconds, func() bool {
		for i, waypoint := range loop {
			if i != last && vec.Length(vec.Sub(waypoint, s.At(e))) <= pointRadius {
				visits[i]++
				last = i
			}
		}
		frames++
		if s.Order(e).Outcome != components.Pending || interrupted > 0 && frames%int(interrupted*60) == 0 {
			s.Post(e, order)
		}
		return true
	})
	return visits
}

func TestPatrolTurnsTheCornerToAWaypointOutOfSight(t *testing.T) {
	corridor := testworld.MapOf(
		"@@@@@@@@@",
		"@.......@",
		"@@@@@@@.@",
		"@@@@@@@.@",
		"@@@@@@@.@",
		"@@@@@@@.@",
		"@@@@@@@@@",
	)
	loop := []components.Vec2{{X: 1.5, Y: 1.5}, {X: 7.5, Y: 5.5}} // 10 m apart: 5 s
	for _, pause := range []float32{0, -1, 1} {
		for _, interrupted := range []float64{0, 1, 7} {
			visits := patrolling(t, corridor, loop, pause, 60, interrupted)
			assert.GreaterOrEqual(t, min(visits[0], visits[1]), 3,
				"pause %v, interrupted every %v s", pause, interrupted)
		}
	}
}

// From the first waypoint the third is in sight, and the second is not.
func TestNoWaypointIsSkippedForOneInSightForEver(t *testing.T) {
	m := testworld.MapOf(
		"..............",
		"..@@@@@@@@@@..",
		"..@........@..",
		"..@........@..",
		"..@........@..",
		"..@@@@@@@.@@..",
		"..............",
		"..............",
	)
	loop := []components.Vec2{{X: 1, Y: 7}, {X: 3.5, Y: 3.5}, {X: 13, Y: 7}, {X: 13, Y: 0.5}, {X: 1, Y: 0.5}}
	for _, interrupted := range []float64{0, 0.5, 3, 5} {
		visits := patrolling(t, m, loop, 0, 240, interrupted)
		for i, n := range visits {
			assert.GreaterOrEqual(t, n, 2, "waypoint %d, interrupted every %v s: %v", i, interrupted, visits)
		}
	}
}

func TestAWaypointBesideAWallIsReachedAndOneInAWallFailsTheOrder(t *testing.T) {
	m := space.NewMap(20, 20)
	m.Fill(10, 10, 3, 3, space.Wall)
	visits := patrolling(t, m, []components.Vec2{{X: 3, Y: 3}, {X: 11.5, Y: 9.9}, {X: 11.5, Y: 11.5}}, 0, 60, 0)
	assert.GreaterOrEqual(t, min(visits[0], visits[1]), 3)

	s := newStage(t, m, 60, 1, 1)
	route := s.Routes.Add([]components.Vec2{{X: 11.5, Y: 11.5}, {X: 3, Y: 3}})
	e := s.Spawn(components.Vec2{X: 5, Y: 3}, components.Route{ID: route})
	s.Post(e, components.Order{Action: s.Do.Patrol})
	s.WalkFor(0.1, nil)
	assert.Equal(t, components.Failed, s.Order(e).Outcome)
	assert.EqualValues(t, 1, ecs.Get[components.Route](s.W, e).Next, "the next order tries the next waypoint")
}
