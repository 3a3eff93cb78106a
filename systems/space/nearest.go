package space

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// searchRings is how many tiles around a body in a wall are searched for a passable one.
const searchRings = 32

// NearestStandable returns where a body that is in a wall or outside the map can stand: the nearest point in the
// nearest passable tile. It returns false when there is none within 32 tiles or the point is not finite.
func NearestStandable(m *Map, p components.Vec2, clearance float32) (components.Vec2, bool) {
	if m.Width <= 0 || m.Height <= 0 || !vec.FiniteVec(p) {
		return p, false
	}
	p.X = min(max(p.X, clearance), float32(m.Width)-clearance)
	p.Y = min(max(p.Y, clearance), float32(m.Height)-clearance)
	x, y := TileOf(p)
	bestX, bestY, best := 0, 0, float32(-1)
	for ring := range searchRings + 1 {
		if nearest := float32(ring) - 1; best >= 0 && ring > 0 && float32(nearest*nearest) > best {
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
				away := vec.Sub(TileCentre(x+dx, y+dy), p)
				if d := vec.Dot(away, away); best < 0 || d < best {
					bestX, bestY, best = x+dx, y+dy, d
				}
			}
		}
	}
	if best < 0 {
		return p, false
	}
	// Into the tile by its nearest edge, then off the walls.
	p.X = min(max(p.X, float32(bestX)+clearance), float32(bestX+1)-clearance)
	p.Y = min(max(p.Y, float32(bestY)+clearance), float32(bestY+1)-clearance)
	return p, true
}
