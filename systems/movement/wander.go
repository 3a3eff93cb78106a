package movement

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/space"
)

const (
	wanderLookAhead = 1.25 // metres that must be open ahead of an agent that wanders
	wanderPeriod    = 1e9  // nanoseconds for which an agent turns at the same rate
	wanderTurnRate  = 1.2  // radians per second at most
)

// wander walks in random directions; within bounds metres of a point if bounds is positive.
func (w *walker) wander(a *agent, around components.Vec2, bounds float32) {
	a.pace = a.speed
	key := random.Mix(w.seed, a.entity.Key())
	heading := a.transform.Heading
	if u, d := vec.Direction(vec.Sub(around, a.position)); bounds > 0 && d > bounds {
		a.direction = w.maxTurn.Towards(heading, u)
		return
	}
	a.direction = wanderDirection(w.world, a.position, heading, key, w.now, w.dt, w.maxTurn)
}

// wanderDirection returns the unit direction in which an agent wanders: its heading, turned at a rate that is drawn
// once in wanderPeriod, at an instant that depends on the entity. While a wall is ahead it is the heading turned by
// away, to a side that is drawn as well.
func wanderDirection(
	m *space.Map, p, heading components.Vec2, key uint64, now components.Timestamp, dt float32, away vec.Rotor,
) components.Vec2 {
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
