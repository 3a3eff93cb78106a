package space

import (
	"math/bits"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// The square of tiles in which a way is looked for.
const (
	squareSide   = 64  // tiles; one bit of a word for each
	squareMargin = 12  // tiles left behind an agent whose goal is beyond the square
	maxPath      = 384 // tiles of the longest way
)

// Wayfinder finds the way round what stands between an agent and its goal. It floods a square of 64 × 64
// tiles, one row per word, in waves that begin at the agent, and goes back from the goal through ever earlier
// waves. That costs about a microsecond, and nothing is allocated or remembered: there is one
// for each worker, and it is asked when the straight way is shut.
type Wayfinder struct {
	x0, y0    int                // the square's first tile
	open      [squareSide]uint64 // tiles that can be stood on
	unreached [squareSide]uint64 // those that no wave has come to
	waves     [maxPath]wave      // the waves so far
	spans     [maxPath]rowRange  // by wave: the rows that it could come to
	path      [maxPath]uint16    // the tiles of a way, row by row in the square; filled from the end
}

// wave is the tiles that a wave has come to, behind wayGuard rows. Only the rows that it could come to are
// written, and as many as wayGuard before and behind.
type wave [squareSide + 2*guardRows]uint64

// rowRange is a range of rows, end excluded.
type rowRange struct{ first, end uint8 }

// guardRows is how many rows beyond its own a wave is asked for.
const guardRows = 2

// Find returns the tile to head for from p, which is in a passable tile: of the shortest way to the goal over
// tiles that touch along an edge, the last one up to which all can be walked to straight. Where the goal is not
// reached inside the square, whole is false and the way leads to the reached tile that is nearest to it. ok is false
// when that is where the agent stands.
func (f *Wayfinder) Find(m *Map, p, goal components.Vec2, clear float32) (x, y int, whole, ok bool) {
	px, py := TileOf(p)
	gx, gy := TileOf(goal)
	f.x0, f.y0 = squareStart(px, gx), squareStart(py, gy)
	for row := range f.open {
		f.open[row] = m.passableWord(f.x0, f.y0+row)
	}
	px, py, gx, gy = px-f.x0, py-f.y0, gx-f.x0, gy-f.y0
	waves, whole := f.flood(px, py, gx, gy)
	if !whole {
		gx, gy = f.nearest(goal)
	}
	way := f.trace(waves, gx, gy)
	if len(way) == 0 {
		return px + f.x0, py + f.y0, whole, false
	}
	for i, tile := range way {
		nx, ny := int(tile)%squareSide, int(tile)/squareSide
		if i > 0 && !f.rectangleOpen(p, nx, ny, clear) && !Walkable(m, p, TileCentre(nx+f.x0, ny+f.y0), clear) {
			break
		}
		x, y = nx+f.x0, ny+f.y0
	}
	return x, y, whole, true
}

// rectangleOpen reports whether all is open between a point and a tile of the square, so that one can walk there whatever the
// line. Where it is not, or the square does not show it, one may be able to.
func (f *Wayfinder) rectangleOpen(p components.Vec2, x, y int, clear float32) bool {
	// Both lines along a body's sides end inside the tile, and begin less than the clearance from the point.
	left, top := TileOf(components.Vec2{X: p.X - clear, Y: p.Y - clear})
	right, bottom := TileOf(components.Vec2{X: p.X + clear, Y: p.Y + clear})
	left, right = min(left-f.x0, x), max(right-f.x0, x)
	top, bottom = min(top-f.y0, y), max(bottom-f.y0, y)
	if left < 0 || top < 0 || right >= squareSide || bottom >= squareSide {
		return false
	}
	shut := uint64(0)
	for _, row := range f.open[top : bottom+1] {
		shut |= ^row
	}
	return shut>>left<<(squareSide-1-right+left) == 0
}

// squareStart returns where the square begins on one axis: such that the agent and the goal lie about its
// middle or, where they are too far apart, the agent wayMargin tiles from its edge.
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

// corridorMargin is by how many tiles a way may leave the rectangle between its ends before all of the square is flooded.
const corridorMargin = 6

// flood sends out waves from tile (x, y) of the square until one reaches (goalX, goalY), and reports whether
// one does. It returns the number of the last wave; the tile itself is wave 0.
//
// Most ways lead past one house. So first only the tiles in and around the rectangle between the two are flooded: a
// shortest way that is no longer than what it takes to cross the rectangle and to go out and in again cannot leave
// them, nor can any other as short, so the waves on it are what they would be in all of the square.
func (f *Wayfinder) flood(x, y, goalX, goalY int) (waves int, whole bool) {
	if uint(goalX) < squareSide && uint(goalY) < squareSide {
		left, right := max(min(x, goalX)-corridorMargin, 0), min(max(x, goalX)+corridorMargin, squareSide-1)
		top, bottom := max(min(y, goalY)-corridorMargin, 0), min(max(y, goalY)+corridorMargin, squareSide-1)
		columns := ^uint64(0) >> (squareSide - 1 - right + left) << left
		f.unreached = [squareSide]uint64{}
		for row := top; row <= bottom; row++ {
			f.unreached[row] = f.open[row] & columns
		}
		if waves, whole = f.spread(x, y, goalX, goalY, absolute(goalX-x)+absolute(goalY-y)+2*corridorMargin); whole {
			return waves, true
		}
	}
	f.unreached = f.open
	return f.spread(x, y, goalX, goalY, maxPath-1)
}

// spread sends out waves over what is dry, up to the one with the number last.
func (f *Wayfinder) spread(x, y, goalX, goalY, last int) (waves int, whole bool) {
	clear(f.waves[0][y : y+2*guardRows+1])
	f.waves[0][y+guardRows] = 1 << x
	f.unreached[y] &^= 1 << x
	if x == goalX && y == goalY {
		return 0, true
	}
	inside := uint(goalX) < squareSide && uint(goalY) < squareSide
	first, end := y, y+1 // rows of the last wave
	for n := 1; n <= last; n++ {
		first, end = max(first-1, 0), min(end+1, squareSide)
		rows := f.unreached[first:end]
		before := f.waves[n-1][first+guardRows-1:][:len(rows)+2]
		f.spans[n] = rowRange{uint8(first), uint8(end)}
		fresh := f.waves[n][first:][:len(rows)+2*guardRows]
		fresh[0], fresh[1], fresh[len(rows)+2], fresh[len(rows)+3] = 0, 0, 0, 0
		fresh = fresh[guardRows:]
		above, here, any := before[0], before[1], uint64(0)
		for i, dry := range rows {
			below := before[i+2]
			wet := (here<<1 | here>>1 | above | below) & dry
			fresh[i] = wet
			rows[i] = dry ^ wet
			any |= wet
			above, here = here, below
		}
		switch {
		case any == 0:
			return n - 1, false
		case inside && goalY >= first && goalY < end && fresh[goalY-first]>>goalX&1 != 0:
			return n, true
		}
		for fresh[0] == 0 {
			fresh, first = fresh[1:], first+1
		}
		for fresh[end-first-1] == 0 {
			end--
		}
	}
	return last, false
}

// nearest returns the reached tile whose middle is nearest to the goal. Of those as near the first by row is
// taken, then the western one.
func (f *Wayfinder) nearest(goal components.Vec2) (x, y int) {
	best := float32(-1)
	column, _ := TileOf(components.Vec2{X: goal.X})
	column = min(max(column-f.x0, 0), squareSide-1)
	for row, word := range f.open {
		word &^= f.unreached[row] // reached
		// Of a row only the first tile on either side of the goal's column can be nearest.
		west, east := word<<(squareSide-1-column), word>>column
		for _, at := range [2]int{column - bits.LeadingZeros64(west), column + bits.TrailingZeros64(east)} {
			if at < 0 || at >= squareSide {
				continue // none on this side
			}
			away := vec.Sub(TileCentre(f.x0+at, f.y0+row), goal)
			if d := vec.Dot(away, away); best < 0 || d < best {
				best, x, y = d, at, row
			}
		}
	}
	return x, y
}

// trace returns the tiles of a shortest way from where waves came from, which is left out, to a tile that was reached
// by one of the waves up to the last.
func (f *Wayfinder) trace(last, goalX, goalY int) []uint16 {
	n := last
	for n > 0 && (goalY < int(f.spans[n].first) || goalY >= int(f.spans[n].end) ||
		f.waves[n][goalY+guardRows]>>goalX&1 == 0) {
		n--
	}
	way := f.path[maxPath-n:]
	heading := 0
	for ; n > 0; n-- {
		way[n-1] = uint16(goalY*squareSide + goalX)
		before := &f.waves[n-1]
		for turn := range 4 { // straight on where that is as short
			d := (heading + turn) & 3
			nx, ny := goalX+tileSteps[d][0], goalY+tileSteps[d][1]
			if uint(nx) < squareSide && before[ny+guardRows]>>nx&1 != 0 {
				goalX, goalY, heading = nx, ny, d
				break
			}
		}
	}
	return way
}
