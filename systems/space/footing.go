package space

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// Footing is the tile that a body stands in, and which of the tiles around it are passable.
type Footing struct {
	X, Y int  // the tile
	Open uint // bit 3·dy + dx + 4 of the passable tile at (X+dx, Y+dy), for steps of -1, 0 and 1
}

const allOpen = 1<<9 - 1

// FootingAt returns the footing at a point. All tiles are passable where the map is nil.
func FootingAt(m *Map, p components.Vec2) Footing {
	if m == nil {
		return Footing{Open: allOpen}
	}
	x, y := TileOf(p)
	bit := x & 63
	if bit > 0 && bit < 63 && y > 0 && y < m.Height-1 && uint(x) < uint(m.Width) {
		// The three tiles of each row are in one word. Bits beyond the last column are not set.
		word, shift := y*m.rowWords+x>>6, uint(bit-1)
		north, here, south := m.passable[word-m.rowWords], m.passable[word], m.passable[word+m.rowWords]
		return Footing{x, y, uint(north>>shift&7 | here>>shift&7<<3 | south>>shift&7<<6)}
	}
	f := Footing{X: x, Y: y}
	for i := range 9 {
		if m.Passable(x+i%3-1, y+i/3-1) {
			f.Open |= 1 << i
		}
	}
	return f
}

// Passable reports whether the tile at (X+dx, Y+dy) is passable, for steps of -1, 0 and 1.
func (f *Footing) Passable(dx, dy int) bool { return f.Open>>uint(3*dy+dx+4)&1 != 0 }

// KeepOff moves a point within the footing's tile until the walls around are at least the clearance away, in metres and
// to a quarter of a millimetre, and reports whether one of the four tiles beside it was nearer.
func (f *Footing) KeepOff(p components.Vec2, clearance float32) (components.Vec2, bool) {
	if f.Open == allOpen { // most footings; the compiler inlines this much
		return p, false
	}
	return f.keepOff(p, clearance)
}

func (f *Footing) keepOff(p components.Vec2, clearance float32) (components.Vec2, bool) {
	if f.keepsOff(p, clearance) {
		return p, false
	}
	nx, ny := nearSide(p.X-float32(f.X), clearance), nearSide(p.Y-float32(f.Y), clearance)
	wallX := nx != 0 && !f.Passable(nx, 0)
	wallY := ny != 0 && !f.Passable(0, ny)
	if wallX {
		p.X = stopAt(f.X, float32(nx), clearance)
	}
	if wallY {
		p.Y = stopAt(f.Y, float32(ny), clearance)
	}
	if nx != 0 && ny != 0 && !wallX && !wallY && !f.Passable(nx, ny) {
		corner := components.Vec2{X: float32(f.X + (nx+1)/2), Y: float32(f.Y + (ny+1)/2)}
		away, d := vec.Direction(vec.Sub(p, corner))
		if d == 0 {
			away = components.Vec2{X: float32(-nx), Y: float32(-ny)}
		}
		if d < clearance-touching/64 { // the margin covers the rounding of an earlier call
			p = vec.Add(corner, vec.Scale(away, clearance))
		}
	}
	return p, wallX || wallY
}

// Nearest returns the place in the footing's tile that is nearest to a point anywhere: into the tile by its nearest
// edge, then off the walls as [Footing.KeepOff] does.
func (f *Footing) Nearest(p components.Vec2, clearance float32) components.Vec2 {
	const last = 1 - minClearance/2 // the edge itself belongs to the next tile
	p.X = min(max(p.X, float32(f.X)), float32(f.X)+last)
	p.Y = min(max(p.Y, float32(f.Y)), float32(f.Y)+last)
	p, _ = f.KeepOff(p, clearance)
	return p
}

// contains reports whether a point lies in the footing's tile.
func (f *Footing) contains(p components.Vec2) bool {
	x, y := TileOf(p)
	return x == f.X && y == f.Y
}

// keepsOff reports whether a body at a point of the footing's tile has no wall nearer than the clearance.
func (f *Footing) keepsOff(p components.Vec2, clearance float32) bool {
	if f.Open == allOpen {
		return true
	}
	// A table replaces branches, which would be mispredicted.
	nx, ny := nearSide(p.X-float32(f.X), clearance), nearSide(p.Y-float32(f.Y), clearance)
	near := uint(nearTiles[(3*ny+nx+4)&15])
	return f.Open&near == near
}

// nearTiles are masks of the tiles near a point: those beside it and across the corner, by the bit of the tile across.
var nearTiles = [16]uint16{
	0b000_001_011, 0b000_000_010, 0b000_100_110,
	0b000_001_000, 0b000_000_000, 0b000_100_000,
	0b011_001_000, 0b010_000_000, 0b110_100_000,
}

// nearSide returns the side of the tile, -1 or 1, whose edge is within the clearance of a coordinate in [0, 1); 0 for
// neither. Clearances are below one half, so it cannot be both.
func nearSide(f, clearance float32) int {
	return boolToInt(f > 1-clearance) - boolToInt(f < clearance)
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
