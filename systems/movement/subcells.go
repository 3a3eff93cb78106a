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
	nookBits   = 3 // of a nook's column and of its row within a block
	nookSide   = 1 << nookBits
	nookMask   = nookSide - 1
	nookFine   = 5 // bits of a part of a nook, in which reaches are measured
	blockParts = 1 << (nookBits + nookFine)
	maxParts   = 3 << nookFine // of a reach, so that what is within it lies in two blocks by two
	noSlot     = math.MaxUint32
)

// nooks finds who stands in somebody. It divides some rows of a grid's cells into blocks, and each block into 8 × 8
// nooks: a word says which of them are taken, so a few words tell most agents that nobody is near, and the others
// in which nook to look. To go through the slots of the cells around would take several times as long.
//
// There is one for each worker, and it stays in the cache: it holds the rows of a task and a block beyond.
type nooks struct {
	grid     *spatial.Grid
	widest   float32
	cells    int     // to a side of a block
	rows     int     // of cells of a task: whole blocks
	perMetre float32 // parts of a nook
	lastX    float32 // the most parts that lie within the grid's columns
	lastY    float32
	stride   int      // blocks of a row, one more on either side included
	first    int      // the row of blocks, of the whole grid, that comes first
	base     int      // the first slot in it
	taken    []uint64 // by block: the nooks that somebody is in
	last     []uint32 // by nook that is taken: the slot that came last
	places   []place  // by slot, from base on
	near     []uint32 // slots

	reach  float32  // metres; of the last one that asked, as most have the same
	reach2 int64    // bits of its square: those of floats that are not negative are ordered as the floats are
	far    int      // the reach in parts
	_      [64]byte // no cache line shared with another worker
}

// place is where one stands.
type place struct {
	x, y   int32  // in parts of nooks
	before uint32 // the slot that came before in its nook, or noSlot
}

// lay makes the nooks fit a grid in which nobody pushes with a radius of more than widest. There is room for all in one
// task, or somewhere a crowd that gathers would make it grow.
func (k *nooks) lay(g *spatial.Grid, widest float32) {
	k.grid, k.widest = g, widest
	k.cells, k.perMetre = 1, float32(g.PerMetre*blockParts) // exact, as what follows
	for k.parts(2*widest) > maxParts {
		k.cells, k.perMetre = k.cells*2, k.perMetre/2
	}
	k.lastX = math.Nextafter32(float32(g.Cols*blockParts)/float32(k.cells), 0)
	k.lastY = math.Nextafter32(float32(g.Rows*blockParts)/float32(k.cells), 0)
	k.stride = (g.Cols+k.cells-1)/k.cells + 2
	k.rows = max(lookRows, k.cells)
	blocks := ((min(k.rows, g.Rows)+k.cells-1)/k.cells + 2) * k.stride
	k.taken, k.last = scratch.Sized(k.taken, blocks), scratch.Sized(k.last, blocks<<(2*nookBits))
	k.places = scratch.Sized(k.places, len(g.Positions))
	k.near = slices.Grow(k.near[:0], maxCrowd)
	k.reach = -1 // of nobody
}

// parts returns a reach in parts of nooks, and two more for what is lost where it and two points are rounded down.
func (k *nooks) parts(reach float32) int {
	return int(float32(spatial.PaddedRadius(reach)*k.perMetre)) + 2
}

// of returns where a point is in parts of nooks.
func (k *nooks) of(p components.Vec2) (x, y int) {
	g := k.grid
	return spatial.CellAt(float32((p.X-g.Origin.X)*k.perMetre), k.lastX), spatial.CellAt(float32((p.Y-g.Origin.Y)*k.perMetre), k.lastY)
}

// take notes all who stand in the rows of cells of a task, or in the blocks next to them, and returns the slots of
// those rows.
func (k *nooks) take(task int) (from, to int) {
	g := k.grid
	first, end := task*k.rows, min((task+1)*k.rows, g.Rows)
	k.first = first/k.cells - 1
	last := (end-1)/k.cells + 1
	start, stop := g.SlotsOfRows(max(k.first*k.cells, 0), min((last+1)*k.cells, g.Rows))
	k.base = start
	clear(k.taken[:(last+1-k.first)*k.stride])
	for slot := start; slot < stop; slot++ {
		if !(g.Radii[slot] > 0) {
			continue // it pushes nobody
		}
		x, y := k.of(g.Positions[slot])
		block, nook := k.block(x, y), nookOf(x, y)
		before := uint32(noSlot)
		if k.taken[block]>>nook&1 != 0 {
			before = k.last[block<<(2*nookBits)|int(nook)]
		}
		k.taken[block] |= 1 << nook
		k.last[block<<(2*nookBits)|int(nook)] = uint32(slot)
		k.places[slot-start] = place{int32(x), int32(y), before}
	}
	return g.SlotsOfRows(first, end)
}

// block returns the block that holds a point given in parts.
func (k *nooks) block(x, y int) int {
	return (y>>(nookBits+nookFine)-k.first)*k.stride + x>>(nookBits+nookFine) + 1
}

// nookOf returns the number of a point's nook in its block.
func nookOf(x, y int) uint {
	return uint(y>>nookFine&nookMask<<nookBits | x>>nookFine&nookMask)
}

// around returns the slots, ascending, of those whose centres are less than a reach from that of one who has been
// noted, itself left out; of more than maxCrowd in the nooks around, those of the first. The slice holds until the
// next call.
func (k *nooks) around(self int, reach float32) []uint32 {
	if reach != k.reach {
		k.reach, k.far = reach, k.parts(reach)
		k.reach2 = int64(math.Float32bits(float32(reach * reach)))
	}
	at := k.places[self-k.base]
	x, y := int(at.x), int(at.y)
	left, low := (x-k.far)>>nookFine, (y-k.far)>>nookFine
	wide, high := (x+k.far)>>nookFine-left, (y+k.far)>>nookFine-low // less one; at most 7
	// The nooks within reach lie in two blocks by two. They are no more than one block has, so no two are at the same
	// place of their blocks, and one word shows them all.
	columns, rows := &nookColumns[wide&nookMask][left&nookMask], &nookRows[high&nookMask][low&nookMask]
	block := (low>>nookBits-k.first)*k.stride + left>>nookBits + 1
	line, next := k.taken[block:], k.taken[block+k.stride:]
	taken := (line[0]&columns[0]|line[1]&columns[1])&rows[0] | (next[0]&columns[0]|next[1]&columns[1])&rows[1]
	if taken&(taken-1) == 0 && at.before == noSlot &&
		k.last[k.block(x, y)<<(2*nookBits)|int(nookOf(x, y))] == uint32(self) {
		return nil // nobody but itself
	}
	return k.sift(self, taken, columns[0], rows[0], block)
}

// nookColumns are the nooks of a number of columns, less one, from a column on: those of the block where they begin,
// and those of the block to the east of it. nookRows are those of rows, and the block to the north.
var nookColumns, nookRows = func() (columns, rows [nookSide][nookSide][2]uint64) {
	for n := range uint(nookSide) {
		for from := range uint(nookSide) {
			for i := from; i <= from+n; i++ {
				columns[n][from][i/nookSide] |= 0x0101010101010101 << (i % nookSide)
				rows[n][from][i/nookSide] |= 0xff << (i % nookSide * nookSide)
			}
		}
	}
	return columns, rows
}()

// sift returns those in some nooks of two blocks by two whose centres are near enough; the nooks that are not of the
// block to the south-west are told by what of columns and rows is in it.
func (k *nooks) sift(self int, taken, west, south uint64, block int) []uint32 {
	near, count, looks := k.near[:maxCrowd], 0, 0
	positions := k.grid.Positions
	p := positions[self]
	for ; taken != 0; taken &= taken - 1 {
		nook := bits.TrailingZeros64(taken)
		in := block + int(^west>>nook&1) + int(^south>>nook&1)*k.stride
		for slot := k.last[in<<(2*nookBits)|nook]; slot != noSlot && looks < maxCrowd; looks++ {
			away := vec.Sub(p, positions[slot])
			near[count&(maxCrowd-1)] = slot
			hit := uint64(int64(math.Float32bits(vec.Dot(away, away)))-k.reach2) >> 63
			if int(slot) == self {
				hit = 0
			}
			count += int(hit)
			slot = k.places[int(slot)-k.base].before
		}
	}
	near = near[:count]
	if count > 1 {
		slices.Sort(near)
	}
	return near
}
