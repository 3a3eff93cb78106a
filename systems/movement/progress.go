package movement

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

const (
	progressShare  = 0.5  // of the wanted distance that an agent must walk to make progress
	crowdTolerance = 1    // metres added at most to the arrival radius of an agent that waits near a crowded point
	searchingRate  = 0.25 // seconds added to the timer for each second of searching
	searchingGain  = 1    // metres by which a searching agent must come nearer to make progress
)

// reportProgress sets the outcome of an order with a goal after the agent has walked to q: arrived, blocked or pending.
func (w *walker) reportProgress(a *agent, q components.Vec2, hit bool) {
	s := a.steering
	enough := a.goalRadius
	if s != nil && s.Mode < searching && a.order.Target.IsZero() {
		enough += min(s.Timer, crowdTolerance) // other agents may stand on the point
	}
	left := vec.Length(vec.Sub(a.goal, q))
	if left <= enough {
		w.reachGoal(a)
		return
	}
	if s == nil {
		return
	}
	switch free := w.madeProgress(a, q); {
	case !free:
		s.Timer += w.dt
	case s.Mode == straight || s.Mode == searching && left < s.ClosestDistance-searchingGain:
		s.ClosestDistance, s.Timer = left, 0
	case s.Mode == searching:
		s.Timer += float32(searchingRate * w.dt)
	default: // it follows a path
		s.Timer = max(s.Timer-w.dt, 0)
	}
	if hit && s.Mode == straight {
		if a.position = q; !w.straightOpen(a) {
			w.detour(a)
		}
	}
	if s.Timer > w.blockedAfter {
		w.failBlocked(a)
		if a.order.Action == w.actions.Patrol {
			w.nextWaypoint(a) // the next patrol order tries another way
		}
	}
}

// madeProgress reports whether an agent that walked to q covered enough of the wanted distance.
func (w *walker) madeProgress(a *agent, q components.Vec2) bool {
	way := float32(a.pace * w.dt)
	return way > 0 && vec.Dot(vec.Sub(q, a.position), a.direction) >= float32(progressShare*way)
}

// failBlocked fails the order of an agent that is blocked.
func (w *walker) failBlocked(a *agent) {
	a.order.Outcome = components.Failed
	a.steering.Timer = 0
}
