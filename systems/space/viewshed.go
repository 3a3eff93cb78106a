package space

import (
	"math"
	"math/bits"

	"github.com/flockwork-ai/flockwork/components"
)

// Reach of a Viewshed, in tiles from the viewer.
const (
	viewSide   = 64           // columns: one bit of a word for each
	viewMiddle = viewSide / 2 // bit of the viewer's column, and index of its row
)

// Viewshed tells which tiles around a viewer are certainly out of its sight, at a fraction of the cost of a ray where
// many are asked for. It floods the tiles that are not opaque away from the viewer: a line of sight never turns back
// along either axis, so where the flood does not come there is none. The flood comes to some tiles that cannot be seen;
// [Map.Sees] tells. It covers 64 × 64 tiles about the viewer; of those beyond it tells nothing.
//
// A row of tiles is flooded when it is asked for, which takes some ten nanoseconds. A Viewshed allocates nothing and
// belongs to one goroutine at a time. Call [Viewshed.Set] before other methods.
type Viewshed struct {
	terrain     *Map
	x, y        int              // tile of the viewer
	first, last int              // rows that have been flooded, as indices of rows
	rows        [viewSide]uint64 // tiles that the flood comes to
	between     [viewSide]uint64 // columns that it comes to in this row or in one between it and the viewer
}

// Set places the viewer. The map must not be nil, and must not change before the next call.
func (v *Viewshed) Set(m *Map, from components.Vec2) {
	v.terrain = m
	v.x, v.y = TileOf(from)
	v.first, v.last = viewMiddle, viewMiddle
	v.between[viewMiddle] = 0
	v.flood(viewMiddle, 1<<viewMiddle, viewMiddle)
}

// Hides reports whether there is certainly no line of sight from the viewer to a point.
func (v *Viewshed) Hides(at components.Vec2) bool {
	x, y := TileOf(at)
	column, row := x-v.x+viewMiddle, y-v.y+viewMiddle
	if uint(column) >= viewSide || uint(row) >= viewSide {
		return false
	}
	v.floodTo(row)
	return v.rows[row]>>column&1 == 0
}

// Columns returns the columns of tiles, both included, outside of which nothing in the rows of tiles from top to bottom
// is in sight of the viewer. The first is greater than the last when nothing is.
func (v *Viewshed) Columns(top, bottom int) (first, last int) {
	top, bottom = top-v.y+viewMiddle, bottom-v.y+viewMiddle
	if top < 0 || bottom >= viewSide {
		return math.MinInt, math.MaxInt
	}
	v.floodTo(top)
	v.floodTo(bottom)
	tiles := uint64(0)
	for _, row := range v.rows[top : bottom+1] {
		tiles |= row
	}
	first, last = v.x-viewMiddle+bits.TrailingZeros64(tiles), v.x+viewMiddle-1-bits.LeadingZeros64(tiles)
	beyond := v.between[top] | v.between[bottom]
	if beyond&1 != 0 {
		first = math.MinInt
	}
	if beyond>>(viewSide-1) != 0 {
		last = math.MaxInt
	}
	return first, last
}

// floodTo floods the rows from the viewer to one.
func (v *Viewshed) floodTo(row int) {
	for v.last < row {
		v.last++
		v.flood(v.last, v.rows[v.last-1], v.last-1)
	}
	for v.first > row {
		v.first--
		v.flood(v.first, v.rows[v.first+1], v.first+1)
	}
}

// flood floods a row from those tiles where the flood comes to the row before: straight on, then away from the viewer's
// column.
func (v *Viewshed) flood(row int, from uint64, before int) {
	open := ^v.terrain.opaqueWord(v.x-viewMiddle, v.y+row-viewMiddle)
	rise, fall := from&open>>viewMiddle<<viewMiddle, from&open&(1<<(viewMiddle+1)-1)
	up, down := open, open
	for step := 1; step <= viewMiddle; step *= 2 { // the span of tiles doubles
		rise |= up & (rise << step)
		up &= up << step
		fall |= down & (fall >> step)
		down &= down >> step
	}
	v.rows[row] = rise | fall
	v.between[row] = v.between[before] | rise | fall
}
