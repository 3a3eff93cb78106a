package movement

import (
	"math"
	"math/bits"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/spatial"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

const (
	subCellBits   = 3 // of a nook's column and of its row within a block
	blockSide     = 1 << subCellBits
	subCellMask   = blockSide - 1
	unitBits      = 5 // bits of a part of a nook, in which reaches are measured
	blockUnits    = 1 << (subCellBits + unitBits)
	maxReachUnits = 3 << unitBits // of a reach, so that what is within it lies in two blocks by two
	noSlot        = math.MaxUint32
)

// subCells finds who stands in somebody. It divides some rows of a grid's cells into blocks, and each block into 8 × 8
// nooks: a word says which of them are taken, so a few words tell most agents that nobody is near, and the others
// in which nook to look. To go through the slots of the cells around would take several times as long.
//
// There is one for each worker, and it stays in the cache: it holds the rows of a task and a block beyond.
type subCells struct {
	grid       *spatial.Grid
	largest    float32
	cells      int     // to a side of a block
	rows       int     // of cells of a task: whole blocks
	perMetre   float32 // parts of a nook
	lastX      float32 // the most parts that lie within the grid's columns
	lastY      float32
	stride     int      // blocks of a row, one more on either side included
	first      int      // the row of blocks, of the whole grid, that comes first
	base       int      // the first slot in it
	occupied   []uint64 // by block: the nooks that somebody is in
	newest     []uint32 // by nook that is taken: the slot that came last
	members    []member // by slot, from base on
	neighbours []uint32 // slots

	reach      float32  // metres; of the last one that asked, as most have the same
	reach2     int64    // bits of its square: those of floats that are not negative are ordered as the floats are
	reachUnits int      // the reach in parts
	_          [64]byte // no cache line shared with another worker
}

// member is where one stands.
type member struct {
	x, y     int32  // in parts of nooks
	previous uint32 // the slot that came before in its nook, or noSlot
}

// fit makes the nooks fit a grid in which nobody pushes with a radius of more than widest. There is room for all in one
// task, or somewhere a crowd that gathers would make it grow.
func (k *subCells) fit(g *spatial.Grid, widest float32) {
	k.grid, k.largest = g, widest
	k.cells, k.perMetre = 1, float32(g.PerMetre*blockUnits) // exact, as what follows
	for k.units(2*widest) > maxReachUnits {
		k.cells, k.perMetre = k.cells*2, k.perMetre/2
	}
	k.lastX = math.Nextafter32(float32(g.Cols*blockUnits)/float32(k.cells), 0)
	k.lastY = math.Nextafter32(float32(g.Rows*blockUnits)/float32(k.cells), 0)
	k.stride = (g.Cols+k.cells-1)/k.cells + 2
	k.rows = max(minTaskRows, k.cells)
	blocks := ((min(k.rows, g.Rows)+k.cells-1)/k.cells + 2) * k.stride
	k.occupied, k.newest = scratch.Sized(k.occupied, blocks), scratch.Sized(k.newest, blocks<<(2*subCellBits))
	k.members = scratch.Sized(k.members, len(g.Positions))
	k.neighbours = slices.Grow(k.neighbours[:0], maxNeighbours)
	k.reach = -1 // of nobody
}

// units returns a reach in parts of nooks, and two more for what is lost where it and two points are rounded down.
func (k *subCells) units(reach float32) int {
	return int(float32(spatial.ReachOf(reach)*k.perMetre)) + 2
}

// unitsAt returns where a point is in parts of nooks.
func (k *subCells) unitsAt(p components.Vec2) (x, y int) {
	g := k.grid
	return spatial.CellAt(float32((p.X-g.Origin.X)*k.perMetre), k.lastX), spatial.CellAt(float32((p.Y-g.Origin.Y)*k.perMetre), k.lastY)
}

// load notes all who stand in the rows of cells of a task, or in the blocks next to them, and returns the slots of
// those rows.
func (k *subCells) load(task int) (from, to int) {
	g := k.grid
	first, end := task*k.rows, min((task+1)*k.rows, g.Rows)
	k.first = first/k.cells - 1
	last := (end-1)/k.cells + 1
	start, stop := g.SlotsOfRows(max(k.first*k.cells, 0), min((last+1)*k.cells, g.Rows))
	k.base = start
	clear(k.occupied[:(last+1-k.first)*k.stride])
	for slot := start; slot < stop; slot++ {
		if !(g.Radii[slot] > 0) {
			continue // it pushes nobody
		}
		x, y := k.unitsAt(g.Positions[slot])
		block, nook := k.block(x, y), subCellAt(x, y)
		before := uint32(noSlot)
		if k.occupied[block]>>nook&1 != 0 {
			before = k.newest[block<<(2*subCellBits)|int(nook)]
		}
		k.occupied[block] |= 1 << nook
		k.newest[block<<(2*subCellBits)|int(nook)] = uint32(slot)
		k.members[slot-start] = member{int32(x), int32(y), before}
	}
	return g.SlotsOfRows(first, end)
}

// block returns the block that holds a point given in parts.
func (k *subCells) block(x, y int) int {
	return (y>>(subCellBits+unitBits)-k.first)*k.stride + x>>(subCellBits+unitBits) + 1
}

// subCellAt returns the number of a point's nook in its block.
func subCellAt(x, y int) uint {
	return uint(y>>unitBits&subCellMask<<subCellBits | x>>unitBits&subCellMask)
}

// around returns the slots, ascending, of those whose centres are less than a reach from that of one who has been
// noted, itself left out; of more than maxCrowd in the nooks around, those of the first. The slice holds until the
// next call.
func (k *subCells) around(self int, reach float32) []uint32 {
	if reach != k.reach {
		k.reach, k.reachUnits = reach, k.units(reach)
		k.reach2 = int64(math.Float32bits(float32(reach * reach)))
	}
	at := k.members[self-k.base]
	x, y := int(at.x), int(at.y)
	left, low := (x-k.reachUnits)>>unitBits, (y-k.reachUnits)>>unitBits
	wide, high := (x+k.reachUnits)>>unitBits-left, (y+k.reachUnits)>>unitBits-low // less one; at most 7
	// The nooks within reach lie in two blocks by two. They are no more than one block has, so no two are at the same
	// place of their blocks, and one word shows them all.
	columns, rows := &columnMasks[wide&subCellMask][left&subCellMask], &rowMasks[high&subCellMask][low&subCellMask]
	block := (low>>subCellBits-k.first)*k.stride + left>>subCellBits + 1
	line, next := k.occupied[block:], k.occupied[block+k.stride:]
	taken := (line[0]&columns[0]|line[1]&columns[1])&rows[0] | (next[0]&columns[0]|next[1]&columns[1])&rows[1]
	if taken&(taken-1) == 0 && at.previous == noSlot &&
		k.newest[k.block(x, y)<<(2*subCellBits)|int(subCellAt(x, y))] == uint32(self) {
		return nil // nobody but itself
	}
	return k.collect(self, taken, columns[0], rows[0], block)
}

// columnMasks are the nooks of a number of columns, less one, from a column on: those of the block where they begin,
// and those of the block to the east of it. nookRows are those of rows, and the block to the north.
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

// collect returns those in some nooks of two blocks by two whose centres are near enough; the nooks that are not of the
// block to the south-west are told by what of columns and rows is in it.
func (k *subCells) collect(self int, taken, west, south uint64, block int) []uint32 {
	near, count, looks := k.neighbours[:maxNeighbours], 0, 0
	positions := k.grid.Positions
	p := positions[self]
	for ; taken != 0; taken &= taken - 1 {
		nook := bits.TrailingZeros64(taken)
		in := block + int(^west>>nook&1) + int(^south>>nook&1)*k.stride
		for slot := k.newest[in<<(2*subCellBits)|nook]; slot != noSlot && looks < maxNeighbours; looks++ {
			away := vec.Sub(p, positions[slot])
			near[count&(maxNeighbours-1)] = slot
			hit := uint64(int64(math.Float32bits(vec.Dot(away, away)))-k.reach2) >> 63
			if int(slot) == self {
				hit = 0
			}
			count += int(hit)
			slot = k.members[int(slot)-k.base].previous
		}
	}
	near = near[:count]
	if count > 1 {
		slices.Sort(near)
	}
	return near
}
