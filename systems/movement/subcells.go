package movement

import (
	"math"
	"math/bits"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
)

const (
	subCellBits   = 3 // of a sub-cell's column and of its row within a block
	blockSide     = 1 << subCellBits
	subCellMask   = blockSide - 1
	unitBits      = 5 // a side of a sub-cell is 1 << unitBits units
	blockUnits    = 1 << (subCellBits + unitBits)
	maxReachUnits = 3 << unitBits // so that what is within reach lies in two by two blocks
	noSlot        = math.MaxUint32
)

// subCells finds overlapping bodies. It divides rows of a grid's cells into blocks, and each block into 8 × 8
// sub-cells. One word per block has a bit for each sub-cell that is occupied. For most agents a few words show that no
// other body is near; for the others they show which sub-cells to search. A search of all slots in the neighbouring
// cells takes several times as long.
//
// Each worker has its own subCells, which stay in the cache: they hold the rows of a task and one row of blocks on
// either side.
type subCells struct {
	grid     *spatial.Grid
	largest  float32    // push radius in the grid, metres
	cells    int        // grid cells to a side of a block
	rows     int        // rows of grid cells of a task: whole blocks
	perMetre float32    // units
	lastX    float32    // the largest coordinate, in units, within the grid's columns
	lastY    float32    // and within its rows
	stride   int        // blocks of a row, with one more on either side
	first    int        // row of blocks, of the whole grid, that is stored first
	base     int        // the first slot in it
	occupied []uint64   // by block: bit mask of the occupied sub-cells
	newest   []uint32   // by occupied sub-cell: the slot that was added last
	members  []member   // by slot, from base on
	found    []uint32   // slots; the result of a search
	heads    [64]uint32 // by sub-cell: the slot that a search tests next

	reach      float32  // metres; of the last search, as most have the same
	reachUnits int      // the reach in units
	_          [64]byte // no cache line shared with another worker
}

// member is an agent in a sub-cell.
type member struct {
	x, y     int32  // units
	previous uint32 // the slot that was added before to the same sub-cell, or noSlot
}

// fit sizes the sub-cells for a grid in which no push radius exceeds largest. It makes room for all agents in one task,
// so that a gathering crowd does not allocate.
func (c *subCells) fit(g *spatial.Grid, largest float32) {
	c.grid, c.largest = g, largest
	c.cells, c.perMetre = 1, float32(g.PerMetre*blockUnits) // exact, as what follows
	for c.units(2*largest) > maxReachUnits {
		c.cells, c.perMetre = c.cells*2, c.perMetre/2
	}
	c.lastX = math.Nextafter32(float32(g.Cols*blockUnits)/float32(c.cells), 0)
	c.lastY = math.Nextafter32(float32(g.Rows*blockUnits)/float32(c.cells), 0)
	c.stride = (g.Cols+c.cells-1)/c.cells + 2
	c.rows = max(minTaskRows, c.cells)
	blocks := ((min(c.rows, g.Rows)+c.cells-1)/c.cells + 2) * c.stride
	c.occupied, c.newest = scratch.Sized(c.occupied, blocks), scratch.Sized(c.newest, blocks<<(2*subCellBits))
	c.members = scratch.Sized(c.members, len(g.Positions))
	c.found = slices.Grow(c.found[:0], maxOverlaps+1)
	c.reach = -1 // no search has this reach
}

// units returns a reach in units, and two more for the rounding of it and of two points.
func (c *subCells) units(reach float32) int {
	return int(float32(spatial.PaddedRadius(reach)*c.perMetre)) + 2
}

// unitsAt returns a point in units.
func (c *subCells) unitsAt(p components.Vec2) (x, y int) {
	g := c.grid
	x = spatial.CellAt(float32((p.X-g.Origin.X)*c.perMetre), c.lastX)
	y = spatial.CellAt(float32((p.Y-g.Origin.Y)*c.perMetre), c.lastY)
	return x, y
}

// load adds all agents in the rows of grid cells of a task, and in the blocks next to them, and returns the slots of
// those rows.
func (c *subCells) load(task int) (from, to int) {
	g := c.grid
	first, end := task*c.rows, min((task+1)*c.rows, g.Rows)
	c.first = first/c.cells - 1
	last := (end-1)/c.cells + 1
	start, stop := g.SlotsOfRows(max(c.first*c.cells, 0), min((last+1)*c.cells, g.Rows))
	c.base = start
	clear(c.occupied[:(last+1-c.first)*c.stride])
	for slot := start; slot < stop; slot++ {
		if !(g.Radii[slot] > 0) {
			continue // does not push
		}
		x, y := c.unitsAt(g.Positions[slot])
		block, cell := c.block(x, y), subCellAt(x, y)
		previous := uint32(noSlot)
		if c.occupied[block]>>cell&1 != 0 {
			previous = c.newest[block<<(2*subCellBits)|int(cell)]
		}
		c.occupied[block] |= 1 << cell
		c.newest[block<<(2*subCellBits)|int(cell)] = uint32(slot)
		c.members[slot-start] = member{int32(x), int32(y), previous}
	}
	return g.SlotsOfRows(first, end)
}

// block returns the block that holds a point given in units.
func (c *subCells) block(x, y int) int {
	return (y>>(subCellBits+unitBits)-c.first)*c.stride + x>>(subCellBits+unitBits) + 1
}

// subCellAt returns the number of a point's sub-cell in its block.
func subCellAt(x, y int) uint {
	return uint(y>>unitBits&subCellMask<<subCellBits | x>>unitBits&subCellMask)
}

// overlapping returns the slots, ascending, of the loaded agents whose bodies overlap that of the agent at slot self,
// which pushes others with a radius in metres. Bodies that touch may be among them. It tests no more agents once it
// has tested maxTested, and returns at most maxOverlaps. The slice holds until the next call.
func (c *subCells) overlapping(self int, radius float32) []uint32 {
	if reach := radius + c.largest; reach != c.reach {
		c.reach, c.reachUnits = reach, c.units(reach)
	}
	at := c.members[self-c.base]
	x, y := int(at.x), int(at.y)
	left, low := (x-c.reachUnits)>>unitBits, (y-c.reachUnits)>>unitBits
	width, height := (x+c.reachUnits)>>unitBits-left, (y+c.reachUnits)>>unitBits-low // less one; at most 7
	// The sub-cells within reach lie in two by two blocks. They are at most 8 × 8, so no two have the same number in
	// their blocks, and one word shows them all.
	columns, rows := &columnMasks[width&subCellMask][left&subCellMask], &rowMasks[height&subCellMask][low&subCellMask]
	block := (low>>subCellBits-c.first)*c.stride + left>>subCellBits + 1
	line, next := c.occupied[block:], c.occupied[block+c.stride:]
	occupied := (line[0]&columns[0]|line[1]&columns[1])&rows[0] | (next[0]&columns[0]|next[1]&columns[1])&rows[1]
	if occupied&(occupied-1) == 0 && at.previous == noSlot &&
		c.newest[c.block(x, y)<<(2*subCellBits)|int(subCellAt(x, y))] == uint32(self) {
		return nil // only the agent itself
	}
	return c.collect(self, radius, occupied, columns[0], rows[0], block)
}

// columnMasks are the sub-cells of n+1 columns from a column on: those in the block where they begin, and those in the
// block to the east of it. rowMasks are those of rows, and of the block to the north.
var columnMasks, rowMasks = func() (columns, rows [blockSide][blockSide][2]uint64) {
	for n := range uint(blockSide) {
		for from := range uint(blockSide) {
			for i := from; i <= from+n; i++ {
				columns[n][from][i/blockSide] |= 0x0101010101010101 << (i % blockSide)
				rows[n][from][i/blockSide] |= 0xff << (i % blockSide * blockSide)
			}
		}
	}
	return columns, rows
}()

// collect returns the agents in some sub-cells of two by two blocks whose bodies overlap that of an agent. west and
// south tell which of the sub-cells belong to the western and southern blocks.
func (c *subCells) collect(self int, radius float32, occupied, west, south uint64, block int) []uint32 {
	found, count, tested := c.found[:maxOverlaps+1], 0, 0
	for left := occupied; left != 0; left &= left - 1 {
		cell := bits.TrailingZeros64(left)
		in := block + int(^west>>cell&1) + int(^south>>cell&1)*c.stride
		for slot := c.newest[in<<(2*subCellBits)|cell]; slot != noSlot; tested++ {
			if count == maxOverlaps || tested == maxTested {
				return c.sample(self, radius, occupied, west, south, block)
			}
			found[count] = slot
			count += c.overlap(self, int(slot), radius)
			slot = c.members[int(slot)-c.base].previous
		}
	}
	found = found[:count]
	if count > 1 {
		slices.Sort(found)
	}
	return found
}

// sample is collect where there are too many agents. It tests one agent of each sub-cell after the other, so that those
// found lie on all sides.
func (c *subCells) sample(self int, radius float32, occupied, west, south uint64, block int) []uint32 {
	for left := occupied; left != 0; left &= left - 1 {
		cell := bits.TrailingZeros64(left)
		in := block + int(^west>>cell&1) + int(^south>>cell&1)*c.stride
		c.heads[cell] = c.newest[in<<(2*subCellBits)|cell]
	}
	found, count := c.found[:maxOverlaps+1], 0
	for tested := 0; tested < maxTested && occupied != 0 && count < maxOverlaps; {
		for left := occupied; left != 0 && count < maxOverlaps; left &= left - 1 {
			cell := bits.TrailingZeros64(left)
			slot := c.heads[cell]
			found[count] = slot
			count += c.overlap(self, int(slot), radius)
			tested++
			if c.heads[cell] = c.members[int(slot)-c.base].previous; c.heads[cell] == noSlot {
				occupied &^= 1 << cell
			}
		}
	}
	found = found[:count]
	slices.Sort(found)
	return found
}

// overlap returns 1 if the bodies of two agents, of which self pushes with a radius, overlap or touch.
func (c *subCells) overlap(self, slot int, radius float32) int {
	away := vec.Sub(c.grid.Positions[self], c.grid.Positions[slot])
	reach := radius + pushRadius(c.grid.Radii[slot])
	// The bits of floats that are not negative are ordered as the floats are.
	room := int64(math.Float32bits(float32(reach*reach))) - int64(math.Float32bits(vec.Dot(away, away)))
	if slot == self {
		room = -1
	}
	return int(^room >> 63 & 1)
}
