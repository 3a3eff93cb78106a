package movement

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/elementary"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// maxCoordinate is the greatest coordinate of a goal, in metres; no map reaches further.
const maxCoordinate = 1 << 24

// decide turns an agent's order into the direction and the pace at which it wants to walk.
func (w *walker) decide(a *agent) {
	o := a.order
	if o == nil {
		v := a.body.Velocity
		if longest := max(vec.Absolute(v.X), vec.Absolute(v.Y)); longest > maxSpeed {
			v = vec.Scale(v, maxSpeed/longest)
		}
		a.direction, a.pace = vec.Direction(v)
		return
	}
	if o.Action == 0 {
		return
	}
	factor := o.Numbers[0]
	if factor == 0 || !elementary.IsFinite(factor) {
		factor = 1
	}
	a.speed = min(max(a.speed*factor, 0), maxSpeed)
	if s := a.steering; s != nil && s.Serial != o.Serial {
		s.Serial, a.newOrder = o.Serial, true
		restart(s)
		if o.Action == w.actions.Patrol {
			w.rejoin(a)
		}
	}
	point, ok := o.Point, true
	if !o.Target.IsZero() {
		t := w.transforms.Get(o.Target)
		if ok = t != nil; ok {
			point = t.Position
		}
		// Agents with other orders face the direction in which they walk.
		if ok && (o.Outcome != components.Pending || o.Action == w.actions.Stand || o.Action == w.actions.Patrol) {
			a.lookAt, _ = vec.Direction(vec.Sub(point, a.position))
		}
	}
	if o.Outcome != components.Pending {
		return
	}
	if !(vec.Absolute(point.X) < maxCoordinate && vec.Absolute(point.Y) < maxCoordinate) {
		if !vec.FiniteVec(point) {
			w.stats.Nonfinite++
		}
		ok = false
	}
	number := o.Numbers[1]
	if !elementary.IsFinite(number) {
		number = 0
	}
	switch o.Action {
	case w.actions.Seek, w.actions.Arrive:
		if !ok {
			o.Outcome = components.Failed
			return
		}
		a.asked, a.goalRadius = point, number
		if number <= 0 {
			a.goalRadius = pointRadius
			if !o.Target.IsZero() {
				a.goalRadius = targetRadius
			}
		}
		a.goalRadius = max(a.goalRadius, leastRadius)
		w.headFor(a, w.place(a, point))
		if near := float32(a.speed * slowingTime); o.Action == w.actions.Arrive && a.remaining < near {
			a.pace = min(a.pace, float32(a.speed*max(a.remaining/near, slowestShare)))
		}
	case w.actions.Flee:
		if !ok {
			o.Outcome = components.Failed
			return
		}
		w.flee(a, point, number)
	case w.actions.Patrol:
		w.patrol(a, number)
	case w.actions.Wander:
		w.wander(a, point, number)
	}
}
