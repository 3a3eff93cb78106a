package ecs

import (
	"math"
	"math/bits"
	"reflect"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
)

// Facts are fields of components in the columns of open chunks. Make it once beside the [Columns], and
// open it after them.
type Facts struct {
	facts  []fact
	fields []unsafe.Pointer // a row of len(facts) per chunk: the field of the chunk's first row, or nil
}

// fact is what reading one takes.
type fact struct {
	term   int
	offset uintptr // of the field in its component
	stride uintptr // bytes from row to row
	size   int     // bytes of an integer
	signed bool
	number float32 // defaults
	whole  int64
}

// FactTerms returns terms for the components of facts that are not among terms yet: append them to those
// that [NewColumns] is given.
func FactTerms(facts []components.Fact, terms ...Term) []Term {
	var more []Term
	for _, f := range facts {
		if termOf(f.Component(), terms) < 0 && termOf(f.Component(), more) < 0 {
			more = append(more, OptionalType(f.Component()))
		}
	}
	return more
}

func termOf(t reflect.Type, terms []Term) int {
	for i := range terms {
		if terms[i].component == t {
			return i
		}
	}
	return -1
}

// NewFacts finds facts in columns. Panics when the component of a fact is not a term of the columns; see [FactTerms].
func NewFacts(c *Columns, facts []components.Fact) *Facts {
	f := &Facts{facts: make([]fact, len(facts))}
	for i, known := range facts {
		at := &f.facts[i]
		at.term = termOf(known.Component(), c.terms)
		if at.term < 0 {
			panic("ecs: NewFacts: no term for the component of fact " + known.Name())
		}
		at.offset, at.stride = known.Offset(), known.Component().Size()
		at.size, at.signed = known.IntSize()
		at.number, at.whole = known.DefaultFloat(), known.DefaultInt()
	}
	return f
}

// Open finds the fields in the chunks of the open columns. What it holds is valid until the columns close.
func (f *Facts) Open(chunks []Chunk) {
	f.fields = f.fields[:0]
	for i := range chunks {
		for k := range f.facts {
			var field unsafe.Pointer
			if base := chunks[i].columns[f.facts[k].term]; base != nil {
				// Inside the component of row 0: a Fact's offset lies in its component.
				field = unsafe.Add(base, f.facts[k].offset)
			}
			f.fields = append(f.fields, field)
		}
	}
}

// Gather reads the rows of one block of up to 64 agents, from whatever chunks they are in. It is the Source of
// package aitree over columns. One goroutine uses it at a time; [Gather.Set] begins a block.
type Gather struct {
	// Nonfinite counts the floats that were NaN or infinite and read as their fact's default.
	Nonfinite int64

	world *arche.World
	facts *Facts
	index []int32 // the source's fact i is fact index[i] of facts
	rows  []aitree.Row
	runs  []run
}

// run is a stretch of a block whose rows are in one chunk.
type run struct {
	fields     []unsafe.Pointer // of the chunk, by fact
	start, end int              // lanes
	lanes      uint64           // the same as a mask
	first      uintptr          // row of the first lane
	dense      bool             // the rows follow one another
}

// NewGather returns a gather for a world.
func NewGather(w *arche.World) *Gather { return &Gather{world: w, runs: make([]run, 0, 64)} }

// Set begins a block: lane i is rows[i]. index maps the facts that will be asked for to those of facts. Rows must be
// of the chunks that facts were opened for, each once, in storage order.
func (g *Gather) Set(facts *Facts, index []int32, rows []aitree.Row) {
	g.facts, g.index, g.rows = facts, index, rows
	g.runs = g.runs[:0]
	for start := 0; start < len(rows); {
		chunk := rows[start].Chunk
		end := len(rows)
		if rows[end-1].Chunk != chunk {
			end = start + 1
			for rows[end].Chunk == chunk {
				end++
			}
		}
		// In storage order rows only rise, so as many as they span are all of them.
		dense := int(rows[end-1].Row-rows[start].Row) == end-1-start
		g.add(rows[start], start, end, dense)
		start = end
	}
}

// SetRange is [Gather.Set] for 1 to 64 rows that follow one another.
func (g *Gather) SetRange(facts *Facts, index []int32, first aitree.Row, count int) {
	g.facts, g.index, g.rows = facts, index, nil
	g.runs = g.runs[:0]
	g.add(first, 0, count, true)
}

func (g *Gather) add(first aitree.Row, start, end int, dense bool) {
	n := len(g.facts.facts)
	g.runs = append(g.runs, run{
		fields: g.facts.fields[int(first.Chunk)*n : int(first.Chunk)*n+n],
		start:  start, end: end,
		lanes: ^uint64(0) >> (uint(64-end+start) & 63) << (uint(start) & 63),
		first: uintptr(first.Row), dense: dense,
	})
}

// Clear drops what the gather holds of the columns.
func (g *Gather) Clear() {
	clear(g.runs[:cap(g.runs)])
	g.facts, g.index, g.rows, g.runs = nil, nil, nil, g.runs[:0]
}

// column is the fields of a fact that a run's lanes read: of lane l at p + (l-start)*stride if the rows follow one
// another, else at p + rows[l]*stride.
type column struct {
	p      unsafe.Pointer // nil: the archetype lacks the component
	stride uintptr
	rows   []aitree.Row // nil: the rows follow one another
	start  int
}

func (g *Gather) column(r *run, i int32) column {
	p, stride := r.fields[i], g.facts.facts[i].stride
	if r.dense && p != nil {
		return column{p: unsafe.Add(p, r.first*stride), stride: stride, start: r.start}
	}
	return column{p: p, stride: stride, rows: g.rows, start: r.start}
}

// at returns where the field of a lane lies.
func (c *column) at(lane int) unsafe.Pointer {
	row := uintptr(lane - c.start)
	if c.rows != nil {
		row = uintptr(c.rows[lane].Row)
	}
	return unsafe.Add(c.p, row*c.stride)
}

// whole reports whether all of a run's lanes are to be read, one row after the other: they follow one another, and
// many of them are asked for.
func (r *run) whole(mask uint64) bool {
	return r.dense && 2*bits.OnesCount64(mask&r.lanes) >= r.end-r.start
}

// The loops over lanes are functions of their own, not inlined: so their variables stay in registers.

// Floats implements aitree.Source.
func (g *Gather) Floats(fact int, mask uint64, lane *[64]float32) {
	i := g.index[fact]
	for k := range g.runs {
		r := &g.runs[k]
		c := g.column(r, i)
		worst := uint32(0)
		switch {
		case c.p == nil:
			def := g.facts.facts[i].number
			for l := r.start; l < r.end; l++ {
				lane[l] = def
			}
		case r.whole(mask):
			worst = floatRows(lane[r.start:r.end], c.p, c.stride)
		default:
			worst = floatLanes(lane, mask&r.lanes, &c)
		}
		if worst == exponent {
			g.mend(lane, mask&r.lanes, g.facts.facts[i].number)
		}
	}
}

// exponent is the bits of a float32's exponent. All of them are set when it is not finite.
const exponent = 0x7f800000

// floatRows reads successive rows and returns the greatest exponent.
//
//go:noinline
func floatRows(lanes []float32, p unsafe.Pointer, stride uintptr) (worst uint32) {
	offset := uintptr(0)
	for l := range lanes {
		v := *(*float32)(unsafe.Add(p, offset))
		worst = max(worst, math.Float32bits(v)&exponent)
		lanes[l] = v
		offset += stride
	}
	return worst
}

// floatLanes reads the lanes of a mask and returns the greatest exponent.
//
//go:noinline
func floatLanes(lane *[64]float32, mask uint64, c *column) (worst uint32) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		v := *(*float32)(c.at(l))
		worst = max(worst, math.Float32bits(v)&exponent)
		lane[l] = v
	}
	return worst
}

// mend puts the default in the place of what is not finite in the lanes of a mask.
func (g *Gather) mend(lane *[64]float32, mask uint64, def float32) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		if math.Float32bits(lane[l])&exponent == exponent {
			lane[l] = def
			g.Nonfinite++
		}
	}
}

// Ints implements aitree.Source.
func (g *Gather) Ints(fact int, mask uint64, lane *[64]int64) {
	i := g.index[fact]
	f := &g.facts.facts[i]
	for k := range g.runs {
		r := &g.runs[k]
		c := g.column(r, i)
		switch {
		case c.p == nil:
			for l := r.start; l < r.end; l++ {
				lane[l] = f.whole
			}
		case f.size == 8:
			ints[int64](r, mask, lane, &c)
		case f.size == 4 && f.signed:
			ints[int32](r, mask, lane, &c)
		case f.size == 4:
			ints[uint32](r, mask, lane, &c)
		case f.size == 2 && f.signed:
			ints[int16](r, mask, lane, &c)
		case f.size == 2:
			ints[uint16](r, mask, lane, &c)
		case f.signed:
			ints[int8](r, mask, lane, &c)
		default:
			ints[uint8](r, mask, lane, &c)
		}
	}
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32
}

// ints reads the integers of a run.
func ints[T integer](r *run, mask uint64, lane *[64]int64, c *column) {
	if r.whole(mask) {
		intRows[T](lane[r.start:r.end], c.p, c.stride)
		return
	}
	for m := mask & r.lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		lane[l] = int64(*(*T)(c.at(l)))
	}
}

// intRows reads successive rows.
//
//go:noinline
func intRows[T integer](lanes []int64, p unsafe.Pointer, stride uintptr) {
	offset := uintptr(0)
	for l := range lanes {
		lanes[l] = int64(*(*T)(unsafe.Add(p, offset)))
		offset += stride
	}
}

// Bools implements aitree.Source.
func (g *Gather) Bools(fact int, mask uint64) (v uint64) {
	i := g.index[fact]
	for k := range g.runs {
		r := &g.runs[k]
		c := g.column(r, i)
		switch {
		case c.p == nil:
			if g.facts.facts[i].whole != 0 {
				v |= r.lanes
			}
		case r.whole(mask):
			v |= boolRows(r.end-r.start, c.p, c.stride) << (uint(r.start) & 63)
		default:
			for m := mask & r.lanes; m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				v |= uint64(*(*uint8)(c.at(l))) << l
			}
		}
	}
	return v & mask
}

// boolRows reads 1 to 64 successive rows as bits. A Go bool is a byte of 0 or 1.
//
//go:noinline
func boolRows(rows int, p unsafe.Pointer, stride uintptr) (v uint64) {
	offset := uintptr(0)
	for range rows {
		v = v>>1 | uint64(*(*uint8)(unsafe.Add(p, offset)))<<63
		offset += stride
	}
	return v >> (uint(64-rows) & 63)
}

// Entities implements aitree.Source: a reference to an entity that is not alive reads as zero.
func (g *Gather) Entities(fact int, mask uint64, lane *[64]components.Entity) {
	i := g.index[fact]
	for k := range g.runs {
		r := &g.runs[k]
		c := g.column(r, i)
		if c.p == nil {
			clear(lane[r.start:r.end])
			continue
		}
		for m := mask & r.lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			e := *(*components.Entity)(c.at(l))
			if !Alive(g.world, e) {
				e = components.Entity{}
			}
			lane[l] = e
		}
	}
}

// Alive implements aitree.Source.
func (g *Gather) Alive(fact int, mask uint64) (v uint64) {
	i := g.index[fact]
	for k := range g.runs {
		r := &g.runs[k]
		c := g.column(r, i)
		if c.p == nil {
			continue
		}
		some := mask & r.lanes
		if r.whole(mask) {
			some &= someoneRows(r.end-r.start, c.p, c.stride) << (uint(r.start) & 63)
		}
		if worldLayout.poolKnown {
			v |= aliveLanes(entityPool(g.world), some, &c)
			continue
		}
		for m := some; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			if aliveSlow(g.world, *(*components.Entity)(c.at(l))) {
				v |= 1 << l
			}
		}
	}
	return v
}

// someoneRows reads 1 to 64 successive rows as bits: whether each refers to anybody, alive or not.
//
//go:noinline
func someoneRows(rows int, p unsafe.Pointer, stride uintptr) (v uint64) {
	offset := uintptr(0)
	for range rows {
		index := uint64((*components.Entity)(unsafe.Add(p, offset)).Index)
		v = v>>1 | -index>>63<<63
		offset += stride
	}
	return v >> (uint(64-rows) & 63)
}

// aliveLanes returns the lanes of a mask that refer to somebody alive.
//
//go:noinline
func aliveLanes(pool []components.Entity, mask uint64, c *column) (v uint64) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		if aliveIn(pool, *(*components.Entity)(c.at(l))) {
			v |= 1 << l
		}
	}
	return v
}

// MindWords returns a column of minds as words, row after row. term must be one of the three sizes of
// mind.
func MindWords(k *Chunk, term int) []uint32 {
	base, stride := k.Base(term)
	// A mind is an array of words and nothing else, and a column an array of minds.
	return unsafe.Slice((*uint32)(base), k.Len()*int(stride)/4)
}
