package systems

import "github.com/flockwork-ai/flockwork/components"

// Rays are walked in whole numbers: a tile has rayUnit units, and a point stands in the middle of the two
// units (1/256 m) it falls in, at an odd unit. So no ray starts, ends or runs along the edge of a tile, and whether
// it crosses one is decided exactly.
const (
	rayUnit  = 512
	rayShift = 9
)

// Sees reports whether a look from one point reaches the other: the straight line between them enters
// no tile that is opaque, the two tiles where it ends included, and does not pass a corner at which
// two opaque tiles touch. A line that grazes the corner of one opaque tile is clear. Water is seen
// across. A point outside the map, or one that is not a number, sees nothing and is not seen.
//
// Points are rounded to 1/256 of a metre. Sees(a, b) equals Sees(b, a): which tiles a line enters
// is computed without error.
func (m *Map) Sees(from, to components.Vec2) bool {
	width, height := float32(m.Width), float32(m.Height)
	if !(from.X >= 0 && from.X < width && from.Y >= 0 && from.Y < height &&
		to.X >= 0 && to.X < width && to.Y >= 0 && to.Y < height) {
		return false
	}
	ax, ay, bx, by := rayPoint(from.X), rayPoint(from.Y), rayPoint(to.X), rayPoint(to.Y)
	// Walk the lines of tiles of which the ray crosses fewer.
	if abs(bx>>rayShift-ax>>rayShift) >= abs(by>>rayShift-ay>>rayShift) {
		return rayClear(m.opaque, m.rowWords, ax, ay, bx, by)
	}
	return rayClear(m.opaqueCols, m.colWords, ay, ax, by, bx)
}

// rayPoint rounds a coordinate, which is not negative, to the units of rays. Scaling by a power of two is exact.
func rayPoint(x float32) int { return int(x*(rayUnit/2))<<1 | 1 }

// rayClear walks a ray from row to row. In each row it covers the tiles from where it entered to where
// it leaves, which is one mask.
//
// A ray leaves row y at x = ax + (edge-ay)·dx/dy, so in tile floor(num/den), num = ax·dy + (edge-ay)·dx and
// den = dy·rayUnit. Both are whole numbers below 2⁴⁷ and 2³³, exact in a float64. The division is a product
// with the inverse of den; as num is whole, num + ½ is at least ½ away from a multiple of den, 2⁻³⁴ of a tile,
// and the product is off by less than 2⁻³⁶, so the floor is exact.
func rayClear(opaque []uint64, stride, ax, ay, bx, by int) bool {
	x, y, lastX, lastY := ax>>rayShift, ay>>rayShift, bx>>rayShift, by>>rayShift
	if y != lastY {
		dx, dy, step := bx-ax, by-ay, 1
		edge := (y+1)<<rayShift - ay // units to the row's end
		if dy < 0 {
			dy, step = -dy, -1
			edge = ay - y<<rayShift
		}
		num := float64(ax*dy + edge*dx)
		den := float64(dy << rayShift)
		inverse := 1 / den
		for ; y != lastY; y += step {
			next := int((num + 0.5) * inverse)
			if float64(next)*den == num {
				// The ray passes the corner between the tiles left and right of next's near edge, and
				// between this row and the following: it leaves by one of them and enters by the other.
				leave, enter := next-1, next
				if dx < 0 {
					leave, enter = next, next-1
				}
				if !rowClear(opaque, stride, y, x, leave) ||
					!rowClear(opaque, stride, y, enter, enter) && !rowClear(opaque, stride, y+step, leave, leave) {
					return false
				}
				x = enter
			} else {
				if !rowClear(opaque, stride, y, x, next) {
					return false
				}
				x = next
			}
			num += float64(dx << rayShift)
		}
	}
	return rowClear(opaque, stride, y, x, lastX)
}

// rowClear reports whether no tile of a row from a to b, in either order, is opaque.
func rowClear(opaque []uint64, stride, y, a, b int) bool {
	if a > b {
		a, b = b, a
	}
	row := y * stride
	first, last := row+a>>6, row+b>>6
	low, high := ^uint64(0)<<(a&63), ^uint64(0)>>(63-b&63)
	if first == last {
		return opaque[first]&low&high == 0
	}
	if opaque[first]&low != 0 || opaque[last]&high != 0 {
		return false
	}
	for _, word := range opaque[first+1 : last] {
		if word != 0 {
			return false
		}
	}
	return true
}

func abs(x int) int { return max(x, -x) }
