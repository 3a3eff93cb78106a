package movement

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// maxRejoinWaypoints is how many waypoints are tested when an agent returns to its route.
const maxRejoinWaypoints = 64

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
		w.headFor(a, s.Goal)
		return
	}
	loop := w.waypoints(a)
	if loop == nil {
		a.order.Outcome = components.Failed
		return
	}
	goal := loop[a.route.Next]
	if s != nil {
		s.Goal, s.HasGoal = goal, true
	}
	w.headFor(a, goal)
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

// nextWaypoint sends an agent to the next waypoint of its route.
func (w *walker) nextWaypoint(a *agent) {
	if loop := w.waypoints(a); loop != nil {
		a.route.Next = (a.route.Next + 1) % int32(len(loop))
	}
	if a.steering != nil {
		a.steering.HasGoal = false
	}
}

// rejoin makes an agent head for the nearest waypoint that it can walk straight to, if it cannot walk straight to the
// next one.
func (w *walker) rejoin(a *agent) {
	loop := w.waypoints(a)
	if loop == nil || space.Walkable(w.world, a.position, loop[a.route.Next], a.clearance) {
		return
	}
	nearest := float32(math.MaxFloat32)
	for i, p := range loop[:min(len(loop), maxRejoinWaypoints)] {
		away := vec.Sub(p, a.position)
		if d := vec.Dot(away, away); d < nearest && space.Walkable(w.world, a.position, p, a.clearance) {
			nearest, a.route.Next = d, int32(i)
		}
	}
}
