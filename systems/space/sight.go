package space

import "github.com/flockwork-ai/flockwork/components"

// Lines of sight are computed in whole numbers: a point lies at a multiple of 1/256 m, which is two units, and one on
// the western or northern edge of its tile one unit further in. So no line starts, ends or runs along an edge, and
// whether it crosses one is decided exactly.
const (
	rayUnit  = 512 // units of a tile
	rayShift = 9
)

// Sees reports whether there is a line of sight from one point to the other: the straight line between them enters no
// opaque tile, the tiles of both points included, and does not pass a corner at which two opaque tiles touch. A line
// may graze the corner of one opaque tile. There is no line of sight to or from a point that is outside the map or not
// finite.
//
// Points are rounded down to 1/256 of a metre. Sees(a, b) equals Sees(b, a), since the tiles that a line enters are
// computed exactly.
func (m *Map) Sees(from, to components.Vec2) bool {
	width, height := float32(m.Width), float32(m.Height)
	if !(from.X >= 0 && from.X < width && from.Y >= 0 && from.Y < height &&
		to.X >= 0 && to.X < width && to.Y >= 0 && to.Y < height) {
		return false
	}
	ax, ay, bx, by := rayPoint(from.X), rayPoint(from.Y), rayPoint(to.X), rayPoint(to.Y)
	// The walk goes from tile to tile through their sides (Amanatides and Woo, "A Fast Voxel Traversal
	// Algorithm for Ray Tracing", 1987). The ray reaches the next side to the east or west after ex/dx of
	// its length, the next to the north or south after ey/dy; ahead = ex·dy - ey·dx tells which is first, and
	// a step adds a tile to its side. Masks replace branches that would be mispredicted: west, south
	// and sideways are -1 or 0.
	dx, dy := bx-ax, by-ay
	west, south := dx>>63, dy>>63
	dx, dy = dx^west-west, dy^south-south
	ex := (rayUnit-ax&(rayUnit-1))&^west | ax&(rayUnit-1)&west
	ey := (rayUnit-ay&(rayUnit-1))&^south | ay&(rayUnit-1)&south
	ahead := ex*dy - ey*dx
	gainX, gainY := dy<<rayShift, dx<<rayShift
	stride := int64(m.rowWords) << 6
	stepX, stepY := 1|west, stride^south-south
	bit := ay>>rayShift*stride + ax>>rayShift
	opaque := m.opaque
	if opaque[bit>>6]>>(bit&63)&1 != 0 {
		return false
	}
	for steps := absolute(bx>>rayShift-ax>>rayShift) + absolute(by>>rayShift-ay>>rayShift); steps > 0; steps-- {
		if ahead == 0 {
			// Through a corner, into the tile across it.
			x, y := uint64(bit+stepX), uint64(bit+stepY)
			if (opaque[x>>6]>>(x&63))&(opaque[y>>6]>>(y&63))&1 != 0 {
				return false
			}
			bit += stepX + stepY
			ahead += gainX - gainY
			steps--
		} else {
			sideways := ahead >> 63
			bit += stepY ^ (stepX^stepY)&sideways
			ahead += (gainX+gainY)&sideways - gainY
		}
		if opaque[uint64(bit)>>6]>>(bit&63)&1 != 0 {
			return false
		}
	}
	return true
}

// rayPoint rounds a coordinate on the map to units. Scaling by a power of two is exact.
func rayPoint(x float32) int64 {
	unit := int64(x*(rayUnit/2)) << 1
	return unit | int64(uint64(unit&(rayUnit-1)-1)>>63) // 1 more on an edge
}

func absolute[T int | int64](x T) T { return max(x, -x) }
