package movement

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/space"
)

const (
	pointRadius  = 0.5       // metres at which a point is reached
	targetRadius = 1         // metres at which a target is reached
	placeRadius  = 1.0 / 64  // metres at which a place beside a wall is reached
	leastRadius  = 1.0 / 256 // metres at which any place is reached: positions on the largest map are no finer
	nearTarget   = 4         // metres from a target at which its place is found in every frame
	slowingTime  = 0.75      // seconds before its arrival at which an agent with an arrive order slows down
	slowestShare = 0.2       // of the speed, at arrival
)

// place returns the place nearest to a point where the body of an agent can stand. It is found again at the instants of
// dueToLook. In between, a point of the order has the same place, and a target that is far away is where it stands.
func (w *walker) place(a *agent, point components.Vec2) components.Vec2 {
	s, place := a.steering, point
	if w.world != nil {
		known := s != nil && s.HasGoal && !w.dueToLook(a)
		if known && a.order.Target.IsZero() {
			return s.Goal
		}
		if known {
			if away := vec.Sub(s.Goal, a.position); vec.Dot(away, away) > nearTarget*nearTarget {
				return point
			}
		}
		switch f := space.FootingAt(w.world, point); {
		case f.Passable(0, 0):
			place, _ = f.KeepOff(point, a.clearance)
		case known:
			place = s.Goal // a search around the point takes too long for every frame
		default:
			place, _ = space.NearestStandable(w.world, point, a.clearance)
		}
	}
	a.follow(place)
	return place
}

// follow notes the place that an agent heads for or flees from.
func (a *agent) follow(place components.Vec2) {
	if s := a.steering; s != nil {
		if a.goalMove = (components.Vec2{}); s.HasGoal {
			a.goalMove = vec.Sub(place, s.Goal)
		}
		s.Goal, s.HasGoal = place, true
	}
}

// headFor makes an agent walk to a goal that it has not reached: straight, or where the straight line is blocked to a
// tile of a path round the obstacle.
func (w *walker) headFor(a *agent, goal components.Vec2) {
	a.hasGoal, a.goal = true, goal
	a.direction, a.remaining = vec.Direction(vec.Sub(goal, a.position))
	if goal == a.asked && a.remaining <= a.goalRadius {
		return
	}
	if goal != a.asked && (a.remaining <= placeRadius || a.arrived(a.position, a.remaining, 0)) {
		return
	}
	a.pace = min(a.speed, a.remaining*w.perSecond) // a long frame must not carry it past the goal
	s := a.steering
	if s == nil || w.world == nil {
		return
	}
	switch {
	case s.Mode < detouring:
		if !a.newOrder || w.straightOpen(a) {
			return
		}
		w.detour(a)
	case !w.dueToLook(a):
	case w.straightOpen(a):
		s.Mode = straight
		return
	// The goal may have moved, or other agents may have pushed this one off its path.
	case s.Mode == enclosed || !a.order.Target.IsZero() ||
		!space.Walkable(w.world, a.position, w.tileCentre(s.DetourTile), a.clearance):
		w.detour(a)
	}
	to, left := vec.Direction(vec.Sub(w.detourPoint(a), a.position))
	if left < tileRadius && (s.Mode == detouring || s.Mode == searching) {
		w.detour(a)
		to, left = vec.Direction(vec.Sub(w.detourPoint(a), a.position))
	}
	if s.Mode >= detouring {
		a.direction, a.pace = to, min(a.speed, left*w.perSecond)
	}
	if s.Mode == enclosed && left <= placeRadius {
		a.pace = 0 // as near as it can come
	}
}

// arrived reports whether an agent that stands at a point, left metres from its goal, has arrived where it was sent.
// spare is metres added to the distance that is near enough. An agent that was sent where its body cannot stand has
// also arrived at the nearest place where it can, unless that is too far away.
func (a *agent) arrived(at components.Vec2, left, spare float32) bool {
	if a.goal == a.asked {
		return left <= a.goalRadius+spare
	}
	if vec.Length(vec.Sub(a.asked, at)) <= a.goalRadius {
		return true
	}
	return left <= placeRadius+spare &&
		vec.Length(vec.Sub(a.asked, a.goal)) <= max(a.goalRadius, a.body.Radius)
}

// reachGoal completes an order, or the leg of a patrol, whose goal has been reached.
func (w *walker) reachGoal(a *agent) {
	s := a.steering
	if a.order.Action != w.actions.Patrol {
		a.order.Outcome = components.Succeeded
		return
	}
	w.visitWaypoint(a)
	if s != nil {
		restart(s)
		if a.pause > 0 {
			s.Mode = pausing
		}
	}
	if a.pause == 0 {
		a.order.Outcome = components.Succeeded
	}
}
