package space

import (
	"math/bits"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// The square of tiles in which a path is searched.
const (
	squareSide   = 64  // tiles; one bit of a word for each
	squareMargin = 12  // tiles kept on the far side of an agent whose goal is beyond the square
	maxPath      = 384 // tiles of the longest path
)

// corridorMargin is by how many tiles a path may leave the rectangle between its ends before the whole square is
// flooded.
const corridorMargin = 6

// guardRows is the number of rows on either side of a wave's rows that are read.
const guardRows = 2

// Wayfinder finds a path round an obstacle between an agent and its goal. It floods a square of 64 × 64 tiles, one
// row per word, in waves that begin at the agent, and traces the path from the goal back through the earlier waves.
// That takes about a microsecond. It allocates nothing and keeps no state between calls; the zero value is ready. It
// belongs to one goroutine at a time.
type Wayfinder struct {
	x0, y0    int                // the square's first tile
	open      [squareSide]uint64 // passable tiles
	unreached [squareSide]uint64 // passable tiles that no wave has reached
	waves     [maxPath]wave      // the waves so far
	spans     [maxPath]rowRange  // by wave: the rows that it could reach
	path      [maxPath]uint16    // the tiles of a path, row by row in the square; filled from the end
}

// wave is the tiles that a wave has reached, after guardRows rows. Only the rows that it could reach are
// written, and guardRows on either side.
type wave [squareSide + 2*guardRows]uint64

// rowRange is a range of rows, end excluded.
type rowRange struct{ first, end uint8 }

// Find returns the tile to head for from p, which is in a passable tile: on the shortest path to the goal over tiles
// that share a side, the last tile that the agent can walk straight to with its clearance. Where no path to the goal
// lies in the square, whole is false and the path leads to the reached tile that is nearest to the goal. steps is the
// number of tiles on the path; 0 when it ends in the tile of the agent.
func (w *Wayfinder) Find(m *Map, p, goal components.Vec2, clearance float32) (x, y, steps int, whole bool) {
	px, py := TileOf(p)
	gx, gy := TileOf(goal)
	w.x0, w.y0 = squareStart(px, gx), squareStart(py, gy)
	for row := range w.open {
		w.open[row] = m.passableWord(w.x0, w.y0+row)
	}
	px, py, gx, gy = px-w.x0, py-w.y0, gx-w.x0, gy-w.y0
	waves, whole := w.flood(px, py, gx, gy)
	if !whole {
		gx, gy = w.nearest(goal)
	}
	path := w.trace(waves, gx, gy)
	if len(path) == 0 {
		return px + w.x0, py + w.y0, 0, whole
	}
	for i, tile := range path {
		nx, ny := int(tile)%squareSide, int(tile)/squareSide
		if i > 0 && !w.rectangleOpen(p, nx, ny, clearance) && !Walkable(m, p, TileCentre(nx+w.x0, ny+w.y0), clearance) {
			break
		}
		x, y = nx+w.x0, ny+w.y0
	}
	return x, y, len(path), whole
}

// rectangleOpen reports whether all tiles between a point and a tile of the square are passable, so that the agent can
// walk straight there. Where it returns false, a test of the line may still succeed.
func (w *Wayfinder) rectangleOpen(p components.Vec2, x, y int, clearance float32) bool {
	// Both lines along a body's sides end inside the tile, and begin less than the clearance from the point.
	left, top := TileOf(components.Vec2{X: p.X - clearance, Y: p.Y - clearance})
	right, bottom := TileOf(components.Vec2{X: p.X + clearance, Y: p.Y + clearance})
	left, right = min(left-w.x0, x), max(right-w.x0, x)
	top, bottom = min(top-w.y0, y), max(bottom-w.y0, y)
	if left < 0 || top < 0 || right >= squareSide || bottom >= squareSide {
		return false
	}
	closed := uint64(0)
	for _, row := range w.open[top : bottom+1] {
		closed |= ^row
	}
	return closed>>left<<(squareSide-1-right+left) == 0
}

// squareStart returns the start of the square on one axis. The agent and the goal lie about its middle or, where they
// are too far apart, the agent lies squareMargin tiles from its edge.
func squareStart(agent, goal int) int {
	switch d := goal - agent; {
	case d >= squareSide-squareMargin:
		return agent - squareMargin
	case d <= squareMargin-squareSide:
		return agent + squareMargin - squareSide + 1
	default:
		return agent + d/2 - squareSide/2
	}
}

// flood sends out waves from tile (x, y) of the square until one reaches (goalX, goalY), and reports whether
// one does. It returns the number of the last wave; the tile itself is wave 0.
//
// Most paths lead past one building. So only the tiles in and around the rectangle between the two tiles are flooded
// first. A path through a tile beyond this margin is longer than crossing the rectangle and leaving and entering it by
// the margin. If a path up to that length is found, its waves equal those of the whole square.
func (w *Wayfinder) flood(x, y, goalX, goalY int) (waves int, whole bool) {
	if uint(goalX) < squareSide && uint(goalY) < squareSide {
		left, right := max(min(x, goalX)-corridorMargin, 0), min(max(x, goalX)+corridorMargin, squareSide-1)
		top, bottom := max(min(y, goalY)-corridorMargin, 0), min(max(y, goalY)+corridorMargin, squareSide-1)
		columns := ^uint64(0) >> (squareSide - 1 - right + left) << left
		w.unreached = [squareSide]uint64{}
		for row := top; row <= bottom; row++ {
			w.unreached[row] = w.open[row] & columns
		}
		if waves, whole = w.spread(x, y, goalX, goalY, absolute(goalX-x)+absolute(goalY-y)+2*corridorMargin); whole {
			return waves, true
		}
	}
	w.unreached = w.open
	return w.spread(x, y, goalX, goalY, maxPath-1)
}

// spread sends out waves over the unreached tiles, up to the one with the number last.
func (w *Wayfinder) spread(x, y, goalX, goalY, last int) (waves int, whole bool) {
	clear(w.waves[0][y : y+2*guardRows+1])
	w.waves[0][y+guardRows] = 1 << x
	w.unreached[y] &^= 1 << x
	if x == goalX && y == goalY {
		return 0, true
	}
	inside := uint(goalX) < squareSide && uint(goalY) < squareSide
	first, end := y, y+1 // rows of the last wave
	for n := 1; n <= last; n++ {
		first, end = max(first-1, 0), min(end+1, squareSide)
		rows := w.unreached[first:end]
		previous := w.waves[n-1][first+guardRows-1:][:len(rows)+2]
		w.spans[n] = rowRange{uint8(first), uint8(end)}
		next := w.waves[n][first:][:len(rows)+2*guardRows]
		next[0], next[1], next[len(rows)+2], next[len(rows)+3] = 0, 0, 0, 0
		next = next[guardRows:]
		above, here, any := previous[0], previous[1], uint64(0)
		for i, unreached := range rows {
			below := previous[i+2]
			reached := (here<<1 | here>>1 | above | below) & unreached
			next[i] = reached
			rows[i] = unreached ^ reached
			any |= reached
			above, here = here, below
		}
		switch {
		case any == 0:
			return n - 1, false
		case inside && goalY >= first && goalY < end && next[goalY-first]>>goalX&1 != 0:
			return n, true
		}
		for next[0] == 0 {
			next, first = next[1:], first+1
		}
		for next[end-first-1] == 0 {
			end--
		}
	}
	return last, false
}

// nearest returns the reached tile whose centre is nearest to the goal. Ties go to the lowest row, then to the western
// tile.
func (w *Wayfinder) nearest(goal components.Vec2) (x, y int) {
	best := float32(-1)
	column, _ := TileOf(components.Vec2{X: goal.X})
	column = min(max(column-w.x0, 0), squareSide-1)
	for row, word := range w.open {
		word &^= w.unreached[row] // reached
		// Only the first tile on either side of the goal's column can be the nearest of a row.
		west, east := word<<(squareSide-1-column), word>>column
		for _, at := range [2]int{column - bits.LeadingZeros64(west), column + bits.TrailingZeros64(east)} {
			if at < 0 || at >= squareSide {
				continue // none on this side
			}
			away := vec.Sub(TileCentre(w.x0+at, w.y0+row), goal)
			if d := vec.Dot(away, away); best < 0 || d < best {
				best, x, y = d, at, row
			}
		}
	}
	return x, y
}

// trace returns the tiles of a shortest path from the first tile of the waves, which is left out, to a tile that one of
// the waves up to the last has reached.
func (w *Wayfinder) trace(last, goalX, goalY int) []uint16 {
	n := last
	for n > 0 && (goalY < int(w.spans[n].first) || goalY >= int(w.spans[n].end) ||
		w.waves[n][goalY+guardRows]>>goalX&1 == 0) {
		n--
	}
	path := w.path[maxPath-n:]
	heading := 0
	for ; n > 0; n-- {
		path[n-1] = uint16(goalY*squareSide + goalX)
		before := &w.waves[n-1]
		for turn := range 4 { // prefers to go straight on
			d := (heading + turn) & 3
			nx, ny := goalX+tileSteps[d][0], goalY+tileSteps[d][1]
			if uint(nx) < squareSide && before[ny+guardRows]>>nx&1 != 0 {
				goalX, goalY, heading = nx, ny, d
				break
			}
		}
	}
	return path
}
