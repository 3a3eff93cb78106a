package movement

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/space"
)

const (
	maxRejoinWaypoints = 64 // how many waypoints are tested when an agent returns to its route
	nearWaypoint       = 2  // metres from its goal at which an agent looks up the waypoint again
)

// patrol walks an agent along its route, with a pause in seconds at each waypoint.
func (w *walker) patrol(a *agent, pause float32) {
	s := a.steering
	if s != nil && s.Mode == pausing {
		s.Timer += w.dt
		if s.Timer < pause {
			return
		}
		s.Mode, s.Timer = straight, 0
	}
	a.goalRadius, a.pause = pointRadius, pause
	if s != nil && s.HasGoal {
		a.asked = s.Goal
		if away := vec.Sub(s.Goal, a.position); vec.Dot(away, away) <= nearWaypoint*nearWaypoint {
			a.asked = w.waypointBeside(a, s.Goal)
		}
		w.headFor(a, s.Goal)
		return
	}
	loop := w.waypoints(a)
	if loop == nil {
		a.order.Outcome = components.Failed
		return
	}
	a.asked = loop[a.route.Next]
	place := w.place(a, a.asked)
	if vec.Length(vec.Sub(place, a.asked)) > max(a.goalRadius, a.body.Radius) {
		a.order.Outcome = components.Failed // the body cannot come near enough
		w.nextWaypoint(a)
		return
	}
	w.headFor(a, place)
}

// waypointBeside returns the waypoint that an agent heads for, whose nearest place is goal: the goal itself unless the
// waypoint is in a wall or too near to one.
func (w *walker) waypointBeside(a *agent, goal components.Vec2) components.Vec2 {
	if loop := w.waypoints(a); loop != nil {
		waypoint := loop[a.route.Next]
		if vec.Length(vec.Sub(waypoint, goal)) <= max(a.goalRadius, a.body.Radius) {
			return waypoint
		}
	}
	return goal
}

// waypoints returns the waypoints of an agent's route, and wraps Route.Next into their range. It returns nil without a
// route.
func (w *walker) waypoints(a *agent) []components.Vec2 {
	if a.route == nil {
		return nil
	}
	loop := w.routes.Waypoints(a.route.ID)
	if loop != nil {
		if n := int32(len(loop)); a.route.Next < 0 || a.route.Next >= n {
			a.route.Next = max(a.route.Next, 0) % n
		}
	}
	return loop
}

// visitWaypoint sends an agent that has reached a waypoint of its route to the next one.
func (w *walker) visitWaypoint(a *agent) {
	if s := a.steering; s != nil && a.route != nil && s.Skipped == a.route.Next+1 {
		s.Skipped = 0
	}
	w.nextWaypoint(a)
}

// nextWaypoint sends an agent to the next waypoint of its route.
func (w *walker) nextWaypoint(a *agent) {
	if loop := w.waypoints(a); loop != nil {
		a.route.Next = (a.route.Next + 1) % int32(len(loop))
	}
	if a.steering != nil {
		a.steering.HasGoal = false
	}
}

// rejoin makes an agent that has left its route head for the nearest waypoint that it can walk straight to, if it
// cannot walk straight to the next one. An agent that is nearest to the waypoint that it comes from has not left the
// route. A waypoint that was skipped is not skipped again before the agent has visited it.
func (w *walker) rejoin(a *agent) {
	loop, s := w.waypoints(a), a.steering
	if loop == nil || s.Skipped == a.route.Next+1 ||
		space.Walkable(w.world, a.position, loop[a.route.Next], a.clearance) {
		return
	}
	next, nearest := a.route.Next, float32(math.MaxFloat32)
	for i, p := range loop[:min(len(loop), maxRejoinWaypoints)] {
		away := vec.Sub(p, a.position)
		if d := vec.Dot(away, away); d < nearest && space.Walkable(w.world, a.position, p, a.clearance) {
			next, nearest = int32(i), d
		}
	}
	if n := int32(len(loop)); next != a.route.Next && next != (a.route.Next+n-1)%n {
		s.Skipped, a.route.Next = a.route.Next+1, next
	}
}
