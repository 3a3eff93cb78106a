package space

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// Walls are the map's impassable tiles; outside the map is wall. A body is a disc, but it keeps only its clearance from
// walls, which is less than half a tile. So every passable tile has room for every body, and two invariants hold: the
// centre is in a passable tile, and no wall is nearer to it than the clearance.

// MaxClearance is the greatest clearance, in metres; wider bodies overlap walls.
const MaxClearance = 0.45

const (
	minClearance = 1.0 / 64 // metres; keeps a coordinate off a tile's edge up to 100 km from the origin
	maxStride    = 0.45     // metres along an axis: less than a tile, so that no wall is stepped over
	maxWalk      = 64       // metres in one call; a longer walk ends there
	touching     = 1.0 / 64 // metres by which a body may touch a wall on a straight line
)

// Clearance returns how far a body of a radius keeps from walls, in metres: its radius, within limits.
func Clearance(radius float32) float32 {
	return min(max(radius, minClearance), MaxClearance)
}

// Walk moves a body from p, where it has the footing f, by d, in metres; at most 64 along an axis. It slides along
// walls and returns where it ends and whether a wall took part of the way. If p is in a passable tile, so is the end;
// the footing becomes that of the end. Where the map is nil there are no walls, and the footing stays as it is.
func Walk(m *Map, f *Footing, p, d components.Vec2, clearance float32) (components.Vec2, bool) {
	longest := max(vec.Absolute(d.X), vec.Absolute(d.Y))
	if m == nil {
		if longest > maxWalk {
			d = vec.Scale(d, maxWalk/longest)
		}
		return vec.Add(p, d), false
	}
	if longest <= maxStride { // most agents in most frames
		if q := vec.Add(p, d); f.contains(q) && f.keepsOff(q, clearance) {
			return q, false
		}
	}
	strides := 1
	if !(longest <= maxStride) {
		if !(longest <= maxWalk) {
			d = vec.Scale(d, maxWalk/longest)
			longest = maxWalk
		}
		strides = int(longest/maxStride) + 1
		d = vec.Scale(d, 1/float32(strides))
	}
	hit := false
	for range strides {
		q, blocked := stride(m, f, p, d, clearance)
		hit = hit || blocked
		if q == p { // blocked: every further stride would end here too
			break
		}
		p = q
	}
	return p, hit
}

// stride is a walk of at most maxStride along either axis.
func stride(m *Map, f *Footing, p, d components.Vec2, clearance float32) (components.Vec2, bool) {
	q := vec.Add(p, d)
	blocked := false
	if !f.contains(q) {
		// One axis after the other, so that no corner is cut where two walls meet.
		dx, dy := 0, 0
		if x, _ := TileOf(components.Vec2{X: q.X, Y: p.Y}); x != f.X {
			if dx = x - f.X; x < 0 || !f.Passable(dx, 0) {
				q.X, dx, blocked = stopAt(f.X, d.X, clearance), 0, true
			}
		}
		if _, y := TileOf(components.Vec2{X: p.X, Y: q.Y}); y != f.Y {
			if dy = y - f.Y; y < 0 || !f.Passable(dx, dy) {
				q.Y, dy, blocked = stopAt(f.Y, d.Y, clearance), 0, true
			}
		}
		if dx != 0 || dy != 0 {
			next := FootingAt(m, q)
			q, pressed := next.KeepOff(q, clearance)
			if !next.contains(q) || next.X != f.X+dx || next.Y != f.Y+dy {
				return p, true // rounding far from the origin: stay where it is safe
			}
			*f = next
			return q, blocked || pressed
		}
	}
	q, pressed := f.KeepOff(q, clearance)
	if !f.contains(q) {
		return p, true
	}
	return q, blocked || pressed
}

// stopAt returns the coordinate, along one axis, of a body stopped by the wall beyond its tile.
func stopAt(tile int, d, clearance float32) float32 {
	if d < 0 {
		return float32(tile) + clearance
	}
	return float32(tile+1) - clearance
}
