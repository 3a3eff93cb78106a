package movement

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// Modes of a components.Steering.
const (
	straight  uint8 = iota // to the goal
	pausing                // at a waypoint
	detouring              // to a tile on the way round something
	searching              // to a tile nearer to a goal that no way was found to
	enclosed               // no tile is nearer to the goal
)

const (
	fleeLookAhead   = 1.5  // metres that must be open ahead of one who flees
	wanderLookAhead = 1.25 // metres that must be open ahead of one who wanders
	wanderPeriod    = 1e9  // nanoseconds for which one turns at the same rate
	wanderTurnRate  = 1.2  // radians per second at most
)

// fleeDirection returns the unit direction in which to walk away along u: u itself, or the nearest of a few to its
// sides that is open, on the side that one is turned to already. With none open it is u.
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

// wanderDirection returns the unit direction in which one walks who has nowhere to go: the heading, turned at a rate that
// is drawn anew each second, at an instant of its own for each entity; and by away, to either side, while
// a wall is ahead.
func wanderDirection(m *space.Map, p, heading components.Vec2, key uint64, now components.Timestamp, dt float32, away vec.Rotor) components.Vec2 {
	phase := random.Below(key, wanderPeriod)
	draw := random.Mix(key, (uint64(now)+uint64(phase))/wanderPeriod)
	if m == nil || space.LinePassable(m, p, vec.Add(p, vec.Scale(heading, wanderLookAhead))) {
		return vec.NewRotor(float32((float32(random.Unit(draw)*2)-1)*wanderTurnRate) * dt).Rotate(heading)
	}
	if draw&1 != 0 {
		away.Sin = -away.Sin
	}
	return away.Rotate(heading)
}
