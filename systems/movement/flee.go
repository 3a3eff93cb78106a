package movement

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// fleeLookAhead is how many metres must be open ahead of an agent that flees.
const fleeLookAhead = 1.5

// flee walks away from a point until the agent is far metres away; 0: for ever.
func (w *walker) flee(a *agent, from components.Vec2, far float32) {
	u, d := vec.Direction(vec.Sub(a.position, from))
	if far > 0 && d >= far {
		a.order.Outcome = components.Succeeded
		return
	}
	if d == 0 {
		u = a.transform.Heading
	}
	a.direction, a.pace = fleeDirection(w.world, a.position, u, a.transform.Heading, a.clearance), a.speed
	a.fleeing = true
	a.follow(from)
}

// reportFlight fails the order of an agent that flees and is cornered: for some time it has made no progress, or it
// walks to and fro without getting farther away. The agent has walked to q.
func (w *walker) reportFlight(a *agent, q components.Vec2) {
	s := a.steering
	if s == nil {
		return
	}
	if s.Patience > 0 {
		w.spendPatience(a)
	}
	if left := -vec.Length(vec.Sub(q, s.Goal)); left < s.ClosestDistance-progressGain {
		s.ClosestDistance, s.Patience = left, flightSpare
	}
	if w.madeProgress(a, q) && s.Patience >= 0 {
		s.Timer = 0
	} else if s.Timer += w.dt; s.Timer > w.blockedAfter {
		w.failBlocked(a)
	}
}

// fleeDirection returns the unit direction in which to walk away along u: u itself, or the first of four directions to
// its sides that is open, starting with the side that the agent already faces. If none is open it is u.
func fleeDirection(m *space.Map, p, u, heading components.Vec2, clear float32) components.Vec2 {
	side := vec.Quarter(u)
	if vec.Dot(side, heading) < 0 {
		side = vec.Scale(side, -1)
	}
	left, _ := vec.Direction(vec.Add(u, side))
	right, _ := vec.Direction(vec.Sub(u, side))
	for _, v := range [5]components.Vec2{u, left, right, side, vec.Scale(side, -1)} {
		if space.Walkable(m, p, vec.Add(p, vec.Scale(v, fleeLookAhead)), clear) {
			return v
		}
	}
	return u
}
