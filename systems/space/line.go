package space

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// Walkable reports whether a body can walk straight from a to b: the two lines along its sides cross no wall. The strip
// between the lines is narrower than a tile, so a wall in it would touch a line. It is true where the map is nil.
func Walkable(m *Map, a, b components.Vec2, clearance float32) bool {
	if m == nil {
		return true
	}
	u, d := vec.Direction(vec.Sub(b, a))
	if d == 0 {
		return Standable(m, a)
	}
	side := vec.Scale(vec.Quarter(u), clearance-touching)
	return LinePassable(m, vec.Add(a, side), vec.Add(b, side)) && LinePassable(m, vec.Sub(a, side), vec.Sub(b, side))
}

// LinePassable reports whether all tiles that the line from a to b passes through are passable. The line is
// walked tile by tile (Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing", 1987); at a corner it
// takes the step along Y first. The map must not be nil.
func LinePassable(m *Map, a, b components.Vec2) bool {
	x, y := TileOf(a)
	endX, endY := TileOf(b)
	if !m.Passable(x, y) || !m.Passable(endX, endY) {
		return false
	}
	dx, dy := b.X-a.X, b.Y-a.Y
	stepX, edgeX := 1, float32(x+1)-a.X
	if dx < 0 {
		stepX, edgeX = -1, a.X-float32(x)
	}
	stepY, edgeY := 1, float32(y+1)-a.Y
	if dy < 0 {
		stepY, edgeY = -1, a.Y-float32(y)
	}
	// Distances to the next edge along X and Y are compared as cross products, so nothing is divided.
	lenX, lenY := vec.Absolute(dx), vec.Absolute(dy)
	left := (endX-x)*stepX + (endY-y)*stepY
	for ; left > 0; left-- {
		if x != endX && (y == endY || float32(edgeX*lenY) < float32(edgeY*lenX)) {
			x += stepX
			edgeX++
		} else {
			y += stepY
			edgeY++
		}
		if !m.Passable(x, y) {
			return false
		}
	}
	return true
}
