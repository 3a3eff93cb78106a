package systems

import "math/bits"

// The square of tiles in which a way is looked for.
const (
	waySide   = 64  // tiles; one bit of a word for each
	wayMargin = 12  // tiles left behind an agent whose goal is beyond the square
	wayLength = 384 // tiles of the longest way
)

// wayfinder finds the way round what stands between an agent and its goal. It floods a square of 64 × 64
// tiles, one row per word, in waves that begin at the agent, and goes back from the goal through ever earlier
// waves. Two neighbours are always reached in successive waves, so the number of a wave modulo 3 tells which of
// them is nearer to the agent. That costs some microseconds, and nothing is allocated or remembered: there is one
// for each worker, and it is asked when the straight way is shut.
type wayfinder struct {
	x0, y0  int                // the square's first tile
	open    [waySide]uint64    // tiles that can be stood on
	reached [waySide]uint64    // tiles that a wave has come to
	wave    [waySide]uint64    // the last wave
	thirds  [3][waySide]uint64 // reached tiles by the number of their wave modulo 3
	way     [wayLength]uint16  // the tiles of a way, row by row in the square; filled from the end
}

// find returns the tile to head for from p, which is in a passable tile: of the shortest way to the goal over
// tiles that touch along an edge, the last one up to which all can be walked to straight. Where the goal is not
// reached inside the square, whole is false and the way leads to the reached tile that is nearest to it. ok is false
// when that is where the agent stands.
func (f *wayfinder) find(m *Map, p, goal vec2, clear float32) (x, y int, whole, ok bool) {
	px, py := tileOf(p)
	gx, gy := tileOf(goal)
	f.x0, f.y0 = squareStart(px, gx), squareStart(py, gy)
	for row := range f.open {
		f.open[row] = m.passableWord(f.x0, f.y0+row)
	}
	px, py, gx, gy = px-f.x0, py-f.y0, gx-f.x0, gy-f.y0
	whole = f.flood(px, py, gx, gy)
	if !whole {
		gx, gy = f.nearest(goal)
	}
	way := f.trace(px, py, gx, gy)
	if len(way) == 0 {
		return px + f.x0, py + f.y0, whole, false
	}
	for i, tile := range way {
		nx, ny := f.x0+int(tile)%waySide, f.y0+int(tile)/waySide
		if i > 0 && !walkable(m, p, center(nx, ny), clear) {
			break
		}
		x, y = nx, ny
	}
	return x, y, whole, true
}

// squareStart returns where the square begins on one axis: such that the agent and the goal lie about its
// middle or, where they are too far apart, the agent wayMargin tiles from its edge.
func squareStart(agent, goal int) int {
	switch d := goal - agent; {
	case d >= waySide-wayMargin:
		return agent - wayMargin
	case d <= wayMargin-waySide:
		return agent + wayMargin - waySide + 1
	default:
		return agent + d/2 - waySide/2
	}
}

// passableWord returns 64 tiles of a row from (x, y) on, as the bits of a word. Outside the map is wall.
func (m *Map) passableWord(x, y int) uint64 {
	if uint(y) >= uint(m.Height) {
		return 0
	}
	row := m.passable[y*m.rowWords : (y+1)*m.rowWords]
	i, shift := x>>6, x&63
	word := uint64(0)
	if uint(i) < uint(len(row)) {
		word = row[i] >> shift
	}
	if uint(i+1) < uint(len(row)) {
		word |= row[i+1] << (64 - shift) // nothing where the shift is 0
	}
	return word
}

// flood sends out waves from tile (x, y) of the square until one reaches (goalX, goalY), and reports whether
// one does.
func (f *wayfinder) flood(x, y, goalX, goalY int) bool {
	clear(f.wave[:])
	f.thirds = [3][waySide]uint64{}
	f.wave[y], f.thirds[0][y] = 1<<x, 1<<x
	f.reached = f.wave
	inside := uint(goalX) < waySide && uint(goalY) < waySide
	if inside && x == goalX && y == goalY {
		return true
	}
	first, last := y, y // rows of the last wave
	for n := 1; n < wayLength; n++ {
		from, to := max(first-1, 0), min(last+1, waySide-1)
		first, last = waySide, -1
		third := &f.thirds[n%3]
		above := uint64(0) // the row from which nothing of the last wave was taken out yet
		for row := from; row <= to; row++ {
			here, below := f.wave[row], uint64(0)
			if row+1 < waySide {
				below = f.wave[row+1]
			}
			fresh := (here<<1 | here>>1 | above | below) & f.open[row] &^ f.reached[row]
			above = here
			f.wave[row] = fresh
			if fresh != 0 {
				f.reached[row] |= fresh
				third[row] |= fresh
				first, last = min(first, row), row
			}
		}
		switch {
		case last < 0:
			return false
		case inside && f.wave[goalY]>>goalX&1 != 0:
			return true
		}
	}
	return false
}

// nearest returns the reached tile whose middle is nearest to the goal. Of those as near the first by row is
// taken, then the western one.
func (f *wayfinder) nearest(goal vec2) (x, y int) {
	best := float32(-1)
	column, _ := tileOf(vec2{X: goal.X})
	column = min(max(column-f.x0, 0), waySide-1)
	for row, word := range f.reached {
		// Of a row only the first tile on either side of the goal's column can be nearest.
		west, east := word<<(waySide-1-column), word>>column
		for _, at := range [2]int{column - bits.LeadingZeros64(west), column + bits.TrailingZeros64(east)} {
			if at < 0 || at >= waySide {
				continue // none on this side
			}
			away := sub(center(f.x0+at, f.y0+row), goal)
			if d := dot(away, away); best < 0 || d < best {
				best, x, y = d, at, row
			}
		}
	}
	return x, y
}

// trace returns the tiles of a shortest way from tile (x, y) of the square, which is left out, to a reached one.
func (f *wayfinder) trace(x, y, goalX, goalY int) []uint16 {
	third := 0
	for i := range f.thirds {
		if f.thirds[i][goalY]>>goalX&1 != 0 {
			third = i
		}
	}
	at := len(f.way)
	heading := 0
	for goalX != x || goalY != y {
		at--
		f.way[at] = uint16(goalY*waySide + goalX)
		third = (third + 2) % 3
		for turn := range 4 { // straight on where that is as short
			d := (heading + turn) & 3
			nx, ny := goalX+tileSteps[d][0], goalY+tileSteps[d][1]
			if uint(nx) < waySide && uint(ny) < waySide && f.thirds[third][ny]>>nx&1 != 0 {
				goalX, goalY, heading = nx, ny, d
				break
			}
		}
	}
	return f.way[at:]
}
