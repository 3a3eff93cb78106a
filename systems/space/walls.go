package space

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// Walls are the map's impassable tiles; outside the map is wall. A body is a disc, but it is held off
// walls by its clearance, which is under half a tile. So every passable tile has room for every body,
// and the two rules below always hold together: the centre stands in a passable tile, and no wall
// is nearer to it than the clearance.
const (
	MaxClearance = 0.45     // metres; wider bodies overlap the walls of a narrow lane
	MinClearance = 1.0 / 64 // metres; keeps a coordinate off a tile's edge up to 100 km from the origin
	maxStride    = 0.45     // metres along an axis: less than a tile, so that no wall is stepped over
	maxWalk      = 64       // metres in one frame; whoever wants more stops short
	freeRings    = 32       // tiles around one in a wall that are searched for a way out
	touching     = 1.0 / 64 // metres by which a body may brush a wall on a straight way
)

// Clearance returns how far a body keeps from walls, in metres.
func Clearance(radius float32) float32 {
	return min(max(radius, MinClearance), MaxClearance)
}

// TileOf returns the tile that a point lies in; (-1, -1), a wall, for whatever is on no map.
func TileOf(p components.Vec2) (x, y int) {
	const far = 1 << 24
	if p.X >= 0 && p.Y >= 0 && p.X < far && p.Y < far { // false for NaN
		return int(int32(p.X)), int(int32(p.Y))
	}
	return -1, -1
}

// tileSteps are the offsets to the four tiles that share a side with one.
var tileSteps = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

// TileCentre returns the middle of a tile.
func TileCentre(x, y int) components.Vec2 {
	return components.Vec2{X: float32(x) + 0.5, Y: float32(y) + 0.5}
}

// Standable reports whether the tile at a point is passable.
func Standable(m *Map, p components.Vec2) bool {
	x, y := TileOf(p)
	return m.Passable(x, y)
}

// Footing is the tile that a body stands in and which of the tiles around it are passable.
type Footing struct {
	X, Y int
	Open uint // bit 3·dy + dx + 4 of the tile at (x+dx, y+dy)
}

const allOpen = 1<<9 - 1

// FootingAt looks at the ground around a point.
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

// Passable reports whether the tile at (x+dx, y+dy) is, for steps of -1, 0 and 1.
func (f *Footing) Passable(dx, dy int) bool { return f.Open>>uint(3*dy+dx+4)&1 != 0 }

// Walk takes a body from p, where it has the footing f, by d. It slides along walls and returns where it ends
// and whether a wall took part of the way. If p is in a passable tile, so is the end; the footing is
// that of the end. No wall is in the way where there is no map.
func Walk(m *Map, f *Footing, p, d components.Vec2, clear float32) (components.Vec2, bool) {
	longest := max(vec.Absolute(d.X), vec.Absolute(d.Y))
	if m == nil {
		if longest > maxWalk {
			d = vec.Scale(d, maxWalk/longest)
		}
		return vec.Add(p, d), false
	}
	if longest <= maxStride { // most agents in most frames
		if q := vec.Add(p, d); f.contains(q) && f.keepsOff(q, clear) {
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
		q, blocked := stride(m, f, p, d, clear)
		hit = hit || blocked
		if q == p { // every further stride would end here too
			break
		}
		p = q
	}
	return p, hit
}

// contains reports whether a point lies in the footing's tile.
func (f *Footing) contains(p components.Vec2) bool {
	x, y := TileOf(p)
	return x == f.X && y == f.Y
}

// stride is a walk of at most maxStride along either axis.
func stride(m *Map, f *Footing, p, d components.Vec2, clear float32) (components.Vec2, bool) {
	q := vec.Add(p, d)
	blocked := false
	if !f.contains(q) {
		// One axis after the other, so that no corner is cut where two walls meet.
		dx, dy := 0, 0
		if x, _ := TileOf(components.Vec2{X: q.X, Y: p.Y}); x != f.X {
			if dx = x - f.X; x < 0 || !f.Passable(dx, 0) {
				q.X, dx, blocked = stopAt(f.X, d.X, clear), 0, true
			}
		}
		if _, y := TileOf(components.Vec2{X: p.X, Y: q.Y}); y != f.Y {
			if dy = y - f.Y; y < 0 || !f.Passable(dx, dy) {
				q.Y, dy, blocked = stopAt(f.Y, d.Y, clear), 0, true
			}
		}
		if dx != 0 || dy != 0 {
			next := FootingAt(m, q)
			q, pressed := next.KeepOff(q, clear)
			if !next.contains(q) || next.X != f.X+dx || next.Y != f.Y+dy {
				return p, true // rounding far from the origin: stay where it is safe
			}
			*f = next
			return q, blocked || pressed
		}
	}
	q, pressed := f.KeepOff(q, clear)
	if !f.contains(q) {
		return p, true
	}
	return q, blocked || pressed
}

// stopAt returns the coordinate, along one axis, of a body stopped by the wall beyond its tile.
func stopAt(tile int, d, clear float32) float32 {
	if d < 0 {
		return float32(tile) + clear
	}
	return float32(tile+1) - clear
}

// KeepOff moves a point within the footing's tile until the walls around are at least the clearance away, to
// a quarter of a millimetre, and reports whether one of the four beside the tile was nearer.
func (f *Footing) KeepOff(p components.Vec2, clear float32) (components.Vec2, bool) {
	if f.keepsOff(p, clear) {
		return p, false
	}
	nx, ny := nearSide(p.X-float32(f.X), clear), nearSide(p.Y-float32(f.Y), clear)
	wallX := nx != 0 && !f.Passable(nx, 0)
	wallY := ny != 0 && !f.Passable(0, ny)
	if wallX {
		p.X = stopAt(f.X, float32(nx), clear)
	}
	if wallY {
		p.Y = stopAt(f.Y, float32(ny), clear)
	}
	if nx != 0 && ny != 0 && !wallX && !wallY && !f.Passable(nx, ny) {
		corner := components.Vec2{X: float32(f.X + (nx+1)/2), Y: float32(f.Y + (ny+1)/2)}
		away, d := vec.Direction(vec.Sub(p, corner))
		if d == 0 {
			away = components.Vec2{X: float32(-nx), Y: float32(-ny)}
		}
		if d < clear-touching/64 { // not again for the rounding of the last time
			p = vec.Add(corner, vec.Scale(away, clear))
		}
	}
	return p, wallX || wallY
}

// keepsOff reports whether all tiles are open that a body at a point of the footing's tile comes nearer to than the
// clearance.
func (f *Footing) keepsOff(p components.Vec2, clear float32) bool {
	if f.Open == allOpen {
		return true
	}
	// What a branch would choose at random is looked up.
	nx, ny := nearSide(p.X-float32(f.X), clear), nearSide(p.Y-float32(f.Y), clear)
	near := uint(nearTiles[(3*ny+nx+4)&15])
	return f.Open&near == near
}

// nearTiles are the tiles beside and across the corner on a side, by the bit of the tile across the corner.
var nearTiles = [16]uint16{
	0b000_001_011, 0b000_000_010, 0b000_100_110,
	0b000_001_000, 0b000_000_000, 0b000_100_000,
	0b011_001_000, 0b010_000_000, 0b110_100_000,
}

// nearSide returns on which side of its tile, -1 or 1, a coordinate in [0, 1) is within the clearance
// of the edge; 0 for neither. Clearances under a half cannot meet.
func nearSide(f, clear float32) int {
	return boolToInt(f > 1-clear) - boolToInt(f < clear)
}

// NearestStandable returns the place nearest to p, by tile, where a body can stand, for one that is in a wall or
// outside the map; false where there is none within freeRings.
func NearestStandable(m *Map, p components.Vec2, clear float32) (components.Vec2, bool) {
	if m.Width <= 0 || m.Height <= 0 || !vec.FiniteVec(p) {
		return p, false
	}
	p.X = min(max(p.X, clear), float32(m.Width)-clear)
	p.Y = min(max(p.Y, clear), float32(m.Height)-clear)
	x, y := TileOf(p)
	bestX, bestY, best := 0, 0, float32(-1)
	for ring := range freeRings + 1 {
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
	p.X = min(max(p.X, float32(bestX)+clear), float32(bestX+1)-clear)
	p.Y = min(max(p.Y, float32(bestY)+clear), float32(bestY+1)-clear)
	return p, true
}

// Walkable reports whether a body can walk straight from a to b: the two lines along its sides cross
// no wall. A tile is wider than the strip between them, so none can stand there untouched. Without a map
// all ways are open.
func Walkable(m *Map, a, b components.Vec2, clear float32) bool {
	if m == nil {
		return true
	}
	u, d := vec.Direction(vec.Sub(b, a))
	if d == 0 {
		return Standable(m, a)
	}
	side := vec.Scale(vec.Quarter(u), clear-touching)
	return LinePassable(m, vec.Add(a, side), vec.Add(b, side)) && LinePassable(m, vec.Sub(a, side), vec.Sub(b, side))
}

// LinePassable reports whether all tiles that the line from a to b passes through are passable. The line is
// walked tile by tile (Amanatides and Woo, "A Fast Voxel Traversal Algorithm", 1987); at a corner it
// takes the step along Y first.
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

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
