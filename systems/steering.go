package systems

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Modes of a components.Steering.
const (
	straight  uint8 = iota // to the goal
	pausing                // at a waypoint
	detouring              // to a tile on the way round something
	groping                // to a tile nearer to a goal that no way was found to
	shutIn                 // no tile is nearer to the goal
)

// tileSteps are the four ways from tile to tile.
var tileSteps = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

const (
	fleeView   = 1.5  // metres that must be open ahead of one who flees
	wanderView = 1.25 // metres that must be open ahead of one who wanders
	wanderSlot = 1e9  // nanoseconds for which one turns at the same rate
	wanderRate = 1.2  // radians per second at most
)

// escape returns the unit direction in which to walk away along u: u itself, or the nearest of a few to its
// sides that is open, on the side that one is turned to already. With none open it is u.
func escape(m *Map, p, u, heading vec2, clear float32) vec2 {
	side := quarter(u)
	if dot(side, heading) < 0 {
		side = scale(side, -1)
	}
	left, _ := direction(add(u, side))
	right, _ := direction(sub(u, side))
	for _, v := range [5]vec2{u, left, right, side, scale(side, -1)} {
		if walkable(m, p, add(p, scale(v, fleeView)), clear) {
			return v
		}
	}
	return u
}

// wander returns the unit direction in which one walks who has nowhere to go: the heading, turned at a rate that
// is drawn anew each second, at an instant of its own for each entity; and by away, to either side, while
// a wall is ahead.
func wander(m *Map, p, heading vec2, key uint64, now components.Timestamp, dt float32, away rotor) vec2 {
	phase := random.Below(key, wanderSlot)
	draw := random.Mix(key, (uint64(now)+uint64(phase))/wanderSlot)
	if m == nil || open(m, p, add(p, scale(heading, wanderView))) {
		return newRotor(float32((float32(random.Unit(draw)*2)-1)*wanderRate) * dt).rotate(heading)
	}
	if draw&1 != 0 {
		away.sin = -away.sin
	}
	return away.rotate(heading)
}
