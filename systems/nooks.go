package systems

import (
	"math"
	"math/bits"
	"slices"
)

const (
	nookBits   = 3 // of a nook's column and of its row within a block
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
	grid     *Grid
	widest   float32
	cells    int     // to a side of a block
	perMetre float32 // parts of a nook
	lastX    float32 // the most parts that lie within the grid's columns
	lastY    float32
	stride   int      // blocks of a row, one more on either side included
	first    int      // the row of blocks, of the whole grid, that comes first
	base     int      // the first slot in it
	taken    []uint64 // by block: the nooks that somebody is in
	last     []uint32 // by nook that is taken: the slot that came last
	before   []uint32 // by slot, from base on: the one that came before it in its nook, or noSlot
	near     []uint32 // slots
	_        [64]byte // no cache line shared with another worker
}

// lay makes the nooks fit a grid in which nobody pushes with a radius of more than widest.
func (k *nooks) lay(g *Grid, widest float32) {
	k.grid, k.widest = g, widest
	k.cells, k.perMetre = 1, float32(g.perMetre*blockParts) // exact, as what follows
	for k.parts(2*widest) > maxParts {
		k.cells, k.perMetre = k.cells*2, k.perMetre/2
	}
	k.lastX = math.Nextafter32(float32(g.cols*blockParts)/float32(k.cells), 0)
	k.lastY = math.Nextafter32(float32(g.rows*blockParts)/float32(k.cells), 0)
	k.stride = (g.cols+k.cells-1)/k.cells + 2
	k.near = slices.Grow(k.near[:0], maxCrowd)
}

// parts returns a reach in parts of nooks, and two more for what is lost where it and two points are rounded down.
func (k *nooks) parts(reach float32) int { return int(float32(reachOf(reach)*k.perMetre)) + 2 }

// of returns where a point is in parts of nooks.
func (k *nooks) of(p vec2) (x, y int) {
	g := k.grid
	return cellAt(float32((p.X-g.origin.X)*k.perMetre), k.lastX), cellAt(float32((p.Y-g.origin.Y)*k.perMetre), k.lastY)
}

// take notes all who stand in some rows of cells, whole blocks but at the grid's end, or in the blocks next to them.
func (k *nooks) take(first, end int) {
	g := k.grid
	k.first = first/k.cells - 1
	last := (end-1)/k.cells + 1
	start, stop := g.slotsOfRows(max(k.first*k.cells, 0), min((last+1)*k.cells, g.rows))
	k.base = start
	blocks := (last + 1 - k.first) * k.stride
	k.taken, k.last = sized(k.taken, blocks), sized(k.last, blocks<<(2*nookBits))
	k.before = sized(k.before, stop-start)
	clear(k.taken)
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
		k.before[slot-start] = before
	}
}

// block returns the block that holds a point given in parts.
func (k *nooks) block(x, y int) int {
	return (y>>(nookBits+nookFine)-k.first)*k.stride + x>>(nookBits+nookFine) + 1
}

// nookOf returns the number of a point's nook in its block.
func nookOf(x, y int) uint {
	const mask = 1<<nookBits - 1
	return uint(y>>nookFine&mask<<nookBits | x>>nookFine&mask)
}

// around returns the slots, ascending, of those whose centres are less than a reach from that of one who has been
// noted, itself left out; of more than maxCrowd in the nooks around, those of the first. The slice holds until the
// next call.
func (k *nooks) around(self int, p vec2, reach float32) []uint32 {
	x, y := k.of(p)
	parts := k.parts(reach)
	left, low := (x-parts)>>nookFine, (y-parts)>>nookFine
	wide, high := (x+parts)>>nookFine-left, (y+parts)>>nookFine-low // less one; at most 7
	// The nooks within reach lie in two blocks by two. They are no more than one block has, so no two are at the same
	// place of their blocks, and one word shows them all.
	const side, mask, column = 1 << nookBits, 1<<nookBits - 1, 0x0101010101010101
	columns := (uint64(2)<<(uint(wide)&mask) - 1) << (uint(left) & mask)
	rows := ^uint64(0) >> (side * (uint(mask-high) & mask))
	shift := side * (uint(low) & mask)
	west, south := columns&(1<<side-1)*column, rows<<shift
	east, north := columns>>side*column, rows>>(63-shift)>>1
	block := k.block(left<<nookFine, low<<nookFine)
	line, next := k.taken[block:][:2], k.taken[block+k.stride:][:2]
	taken := line[0]&south&west | line[1]&south&east | next[0]&north&west | next[1]&north&east
	if taken&(taken-1) == 0 && k.before[self-k.base] == noSlot &&
		k.last[k.block(x, y)<<(2*nookBits)|int(nookOf(x, y))] == uint32(self) {
		return nil // nobody but itself
	}
	return k.sift(self, p, float32(reach*reach), taken, west, south, block)
}

// sift returns those in some nooks of two blocks by two whose centres are near enough.
func (k *nooks) sift(self int, p vec2, reach2 float32, taken, west, south uint64, block int) []uint32 {
	const bitsOfBlock = 2 * nookBits
	near, count, looks := k.near[:maxCrowd], 0, 0
	positions := k.grid.Positions
	limit := int64(math.Float32bits(reach2))
	for ; taken != 0; taken &= taken - 1 {
		nook := bits.TrailingZeros64(taken)
		in := block + int(^west>>nook&1) + int(^south>>nook&1)*k.stride
		for slot := k.last[in<<bitsOfBlock|nook]; slot != noSlot && looks < maxCrowd; looks++ {
			away := sub(p, positions[slot])
			near[count&(maxCrowd-1)] = slot
			// The bits of floats that are not negative are ordered as the floats are.
			hit := uint64(int64(math.Float32bits(dot(away, away)))-limit) >> 63
			if int(slot) == self {
				hit = 0
			}
			count += int(hit)
			slot = k.before[int(slot)-k.base]
		}
	}
	near = near[:count]
	if count > 1 {
		slices.Sort(near)
	}
	return near
}
