package movement

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

const (
	progressShare  = 0.5  // of the wanted distance that an agent must walk to make progress
	crowdTolerance = 1    // metres added at most to the arrival radius of an agent that waits near a crowded point
	searchingRate  = 0.25 // seconds added to the timer for each second of searching
	progressGain   = 1    // metres by which an agent that does not walk straight must come nearer to make progress

	// An agent may walk so far without coming nearer to its goal, and as far as its goal moves.
	patienceShare = 1.25 // times the length of the path that it follows
	patienceSpare = 16   // metres beyond that
	flightSpare   = 32   // metres, when it flees

	usedUp = -1 // value of Steering.Patience
)

// restart clears the state of movement for a new order, or a new leg of a patrol.
func restart(s *components.Steering) {
	*s = components.Steering{Serial: s.Serial, Skipped: s.Skipped, ClosestDistance: math.MaxFloat32}
}

// reportProgress sets the outcome of an order with a goal after the agent has walked to q: arrived, blocked or pending.
func (w *walker) reportProgress(a *agent, q components.Vec2, hit bool) {
	s := a.steering
	spare := float32(0)
	if s != nil && s.Mode < searching && a.order.Target.IsZero() {
		spare = min(s.Timer, crowdTolerance) // other agents may stand on the point
	}
	left := vec.Length(vec.Sub(a.goal, q))
	if a.goal == a.asked && left <= a.goalRadius+spare || a.goal != a.asked && a.arrived(q, left, spare) {
		w.reachGoal(a)
		return
	}
	if s == nil {
		return
	}
	if s.Patience > 0 {
		w.spendPatience(a)
	}
	switch free := w.madeProgress(a, q); {
	case !free || s.Patience < 0:
		s.Timer += w.dt
	case s.Mode == straight:
		if left < s.ClosestDistance {
			s.ClosestDistance, s.Timer, s.Patience = left, 0, 0
		} else if vec.Length(a.goalMove) >= float32(progressShare*float32(a.pace*w.dt)) {
			s.ClosestDistance, s.Timer = left, 0 // it follows a target that walks away
		}
	case left < s.ClosestDistance-progressGain:
		s.ClosestDistance, s.Timer, s.Patience = left, 0, 0
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

// limitPatience bounds how far an agent walks that has found a path of some metres and does not come nearer to its goal
// than it was before. So an agent does not walk to and fro for ever where each path looks better from the other end.
func limitPatience(s *components.Steering, path float32) {
	if most := float32(patienceShare*path) + patienceSpare; s.Patience == 0 || most < s.Patience {
		s.Patience = most
	}
}

// spendPatience counts what an agent has walked in this frame beyond what its goal has moved.
func (w *walker) spendPatience(a *agent) {
	s := a.steering
	s.Patience += vec.Length(a.goalMove) - float32(vec.Length(a.body.Velocity)*w.dt)
	if s.Patience <= 0 {
		s.Patience = usedUp
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
