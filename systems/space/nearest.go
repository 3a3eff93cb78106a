package space

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// searchRings is how many tiles around a point in a wall are searched for a passable one.
const searchRings = 32

// NearestStandable returns the place nearest to a point where a body can stand: in a passable tile, with its clearance
// from the walls. That is the point itself where the body can stand there or the map is nil. A point outside the map
// counts as the nearest one on it. It returns false when there is no such place within 32 tiles or the point is not
// finite.
func NearestStandable(m *Map, p components.Vec2, clearance float32) (components.Vec2, bool) {
	if !vec.FiniteVec(p) {
		return p, false
	}
	f := FootingAt(m, p)
	if f.Passable(0, 0) {
		p, _ = f.KeepOff(p, clearance)
		return p, true
	}
	if m.Width <= 0 || m.Height <= 0 {
		return p, false
	}
	return nearestAround(m, p, clearance)
}

// nearestAround is NearestStandable for a point that is in a wall.
func nearestAround(m *Map, p components.Vec2, clearance float32) (nearest components.Vec2, ok bool) {
	p.X = min(max(p.X, 0), float32(m.Width))
	p.Y = min(max(p.Y, 0), float32(m.Height))
	x, y := min(int(p.X), m.Width-1), min(int(p.Y), m.Height-1)
	best := float32(0)
	for ring := range searchRings + 1 {
		// The tiles of this ring and of those around it are farther than this.
		if least := float32(ring) - 1; ok && ring > 0 && float32(least*least) > best {
			break
		}
		for dy := -ring; dy <= ring; dy++ {
			step := 2 * ring // the sides of the square
			if dy == -ring || dy == ring || ring == 0 {
				step = 1
			}
			for dx := -ring; dx <= ring; dx += step {
				if !m.Passable(x+dx, y+dy) {
					continue
				}
				f := FootingAt(m, TileCentre(x+dx, y+dy))
				q := f.Nearest(p, clearance)
				away := vec.Sub(q, p)
				if d := vec.Dot(away, away); !ok || d < best {
					nearest, best, ok = q, d, true
				}
			}
		}
	}
	return nearest, ok
}
