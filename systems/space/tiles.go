package space

import "github.com/flockwork-ai/flockwork/components"

// TileOf returns the tile that a point lies in; (-1, -1), a wall, for a point that no map can hold or that is not
// finite.
func TileOf(p components.Vec2) (x, y int) {
	const far = 1 << 24
	if p.X >= 0 && p.Y >= 0 && p.X < far && p.Y < far { // false for NaN
		return int(int32(p.X)), int(int32(p.Y))
	}
	return -1, -1
}

// TileCentre returns the middle of tile (x, y), in metres.
func TileCentre(x, y int) components.Vec2 {
	return components.Vec2{X: float32(x) + 0.5, Y: float32(y) + 0.5}
}

// Standable reports whether the tile at a point is passable.
func Standable(m *Map, p components.Vec2) bool {
	x, y := TileOf(p)
	return m.Passable(x, y)
}

// tileSteps are the offsets to the four tiles that share a side with one.
var tileSteps = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}
