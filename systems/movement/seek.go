package movement

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/space"
)

const (
	pointRadius  = 0.5  // metres at which a point is reached
	targetRadius = 1    // metres at which a target is reached
	slowingTime  = 0.75 // seconds before its arrival at which an agent with an arrive order slows down
	slowestShare = 0.2  // of the speed, at arrival
)

// headFor makes an agent walk to a goal that it has not reached: straight, or where the straight line is blocked to a
// tile of a path round the obstacle.
func (w *walker) headFor(a *agent, goal components.Vec2) {
	a.hasGoal, a.goal = true, goal
	a.direction, a.remaining = vec.Direction(vec.Sub(goal, a.position))
	if a.remaining <= a.goalRadius {
		return
	}
	a.pace = min(a.speed, a.remaining*w.perSecond) // a long frame must not carry it past the goal
	s := a.steering
	if s == nil || w.world == nil {
		return
	}
	if s.Mode < detouring {
		if !a.newOrder || w.straightOpen(a) {
			return
		}
		w.detour(a)
	} else if w.dueToLook(a) {
		if w.straightOpen(a) {
			s.Mode = straight
			return
		}
		// The goal may have moved, or other agents may have pushed this one off its path.
		if s.Mode == enclosed || !a.order.Target.IsZero() ||
			!space.Walkable(w.world, a.position, w.tileCentre(s.DetourTile), a.clearance) {
			w.detour(a)
		}
	}
	to, left := vec.Direction(vec.Sub(w.tileCentre(s.DetourTile), a.position))
	if left < tileRadius && s.Mode != enclosed {
		w.detour(a)
		to, left = vec.Direction(vec.Sub(w.tileCentre(s.DetourTile), a.position))
	}
	a.direction, a.pace = to, min(a.speed, left*w.perSecond)
	if s.Mode == enclosed {
		a.pace = 0
	}
}

// reachGoal completes an order, or the leg of a patrol, whose goal has been reached.
func (w *walker) reachGoal(a *agent) {
	s := a.steering
	if a.order.Action != w.actions.Patrol {
		a.order.Outcome = components.Succeeded
		return
	}
	w.nextWaypoint(a)
	if s != nil {
		*s = components.Steering{Serial: s.Serial, ClosestDistance: math.MaxFloat32}
		if a.pause > 0 {
			s.Mode = pausing
		}
	}
	if a.pause == 0 {
		a.order.Outcome = components.Succeeded
	}
}
