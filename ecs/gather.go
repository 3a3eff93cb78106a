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
	facts   []components.Fact
	terms   []int
	fields  []unsafe.Pointer // a row of len(facts) per chunk: the field of the chunk's first row, or nil
	strides []uintptr        // by fact: bytes from row to row
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
	f := &Facts{facts: facts, terms: make([]int, len(facts)), strides: make([]uintptr, len(facts))}
	for i, fact := range facts {
		f.terms[i] = termOf(fact.Component(), c.terms)
		if f.terms[i] < 0 {
			panic("ecs: NewFacts: no term for the component of fact " + fact.Name())
		}
		f.strides[i] = fact.Component().Size()
	}
	return f
}

// Open finds the fields in the chunks of the open columns. What it holds is valid until the columns close.
func (f *Facts) Open(chunks []Chunk) {
	f.fields = f.fields[:0]
	for i := range chunks {
		for k, term := range f.terms {
			var field unsafe.Pointer
			if base := chunks[i].columns[term]; base != nil {
				// Inside the component of row 0: a Fact's offset lies in its component.
				field = unsafe.Add(base, f.facts[k].Offset())
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
	chunk      int
	start, end int // lanes
	dense      bool
	first      uintptr // row of the first lane
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
		g.runs = append(g.runs, run{
			chunk: int(chunk), start: start, end: end,
			// In storage order rows only rise, so as many as they span are all of them.
			dense: int(rows[end-1].Row-rows[start].Row) == end-1-start,
			first: uintptr(rows[start].Row),
		})
		start = end
	}
}

// Clear drops what the gather holds of the columns.
func (g *Gather) Clear() { g.facts, g.index, g.rows, g.runs = nil, nil, nil, g.runs[:0] }

// field returns where fact i of a run's chunk lies for the row 0, or nil, and the bytes from row to row.
func (g *Gather) field(r *run, i int32) (unsafe.Pointer, uintptr) {
	return g.facts.fields[r.chunk*len(g.facts.facts)+int(i)], g.facts.strides[i]
}

// span returns the lanes of a run.
func (r *run) span() uint64 { return ^uint64(0) >> (64 - (r.end - r.start)) << r.start }

// all reports whether a run's lanes are to be read one after the other: they are rows that follow one another, and
// many of them are asked for.
func (r *run) all(mask uint64) bool {
	return r.dense && 2*bits.OnesCount64(mask&r.span()) >= r.end-r.start
}

// Floats implements aitree.Source.
func (g *Gather) Floats(fact int, mask uint64, lane *[64]float32) {
	i := g.index[fact]
	def := g.facts.facts[i].DefaultFloat()
	for k := range g.runs {
		r := &g.runs[k]
		p, stride := g.field(r, i)
		switch {
		case p == nil:
			for l := r.start; l < r.end; l++ {
				lane[l] = def
			}
		case r.all(mask):
			p = unsafe.Add(p, r.first*stride)
			worst := uint32(0) // the greatest exponent: that of a float that is not finite is the greatest of all
			for l := range lane[r.start:r.end] {
				v := (*uint32)(unsafe.Add(p, uintptr(l)*stride))
				worst = max(worst, *v&exponent)
				lane[(r.start+l)&63] = *(*float32)(unsafe.Pointer(v))
			}
			if worst == exponent {
				g.mend(lane, r, def)
			}
		default:
			for m := mask & r.span(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				v := *(*float32)(unsafe.Add(p, uintptr(g.rows[l].Row)*stride))
				if !finite(v) {
					v = def
					g.Nonfinite++
				}
				lane[l] = v
			}
		}
	}
}

// exponent is the bits of a float32's exponent: all of them are set when it is not finite.
const exponent = 0x7f800000

func finite(v float32) bool { return math.Float32bits(v)&exponent != exponent }

// mend puts the default in the place of what is not finite in the lanes of a run.
func (g *Gather) mend(lane *[64]float32, r *run, def float32) {
	for l := r.start; l < r.end; l++ {
		if !finite(lane[l]) {
			lane[l] = def
			g.Nonfinite++
		}
	}
}

// Ints implements aitree.Source.
func (g *Gather) Ints(fact int, mask uint64, lane *[64]int64) {
	i := g.index[fact]
	f := &g.facts.facts[i]
	size, signed := f.IntSize()
	for k := range g.runs {
		r := &g.runs[k]
		p, stride := g.field(r, i)
		switch {
		case p == nil:
			for l := r.start; l < r.end; l++ {
				lane[l] = f.DefaultInt()
			}
		case size == 8:
			ints[int64](g, r, mask, lane, p, stride)
		case size == 4 && signed:
			ints[int32](g, r, mask, lane, p, stride)
		case size == 4:
			ints[uint32](g, r, mask, lane, p, stride)
		case size == 2 && signed:
			ints[int16](g, r, mask, lane, p, stride)
		case size == 2:
			ints[uint16](g, r, mask, lane, p, stride)
		case signed:
			ints[int8](g, r, mask, lane, p, stride)
		default:
			ints[uint8](g, r, mask, lane, p, stride)
		}
	}
}

// ints reads the integers of a run. p points to that of row 0.
func ints[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](g *Gather, r *run, mask uint64, lane *[64]int64, p unsafe.Pointer, stride uintptr) {
	if r.all(mask) {
		p = unsafe.Add(p, r.first*stride)
		for l := range lane[r.start:r.end] {
			lane[(r.start+l)&63] = int64(*(*T)(unsafe.Add(p, uintptr(l)*stride)))
		}
		return
	}
	for m := mask & r.span(); m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		lane[l] = int64(*(*T)(unsafe.Add(p, uintptr(g.rows[l].Row)*stride)))
	}
}

// Bools implements aitree.Source.
func (g *Gather) Bools(fact int, mask uint64) (v uint64) {
	i := g.index[fact]
	for k := range g.runs {
		r := &g.runs[k]
		p, stride := g.field(r, i)
		switch {
		case p == nil:
			if g.facts.facts[i].DefaultInt() != 0 {
				v |= r.span()
			}
		case r.all(mask):
			p = unsafe.Add(p, r.first*stride)
			for l := r.start; l < r.end; l++ {
				// A Go bool is a byte of 0 or 1.
				v |= uint64(*(*uint8)(unsafe.Add(p, uintptr(l-r.start)*stride))) << (l & 63)
			}
		default:
			for m := mask & r.span(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				v |= uint64(*(*uint8)(unsafe.Add(p, uintptr(g.rows[l].Row)*stride))) << l
			}
		}
	}
	return v & mask
}

// Entities implements aitree.Source: a reference to an entity that is not alive reads as zero.
func (g *Gather) Entities(fact int, mask uint64, lane *[64]components.Entity) {
	i := g.index[fact]
	for k := range g.runs {
		r := &g.runs[k]
		p, stride := g.field(r, i)
		switch {
		case p == nil:
			clear(lane[r.start:r.end])
		case r.all(mask):
			p = unsafe.Add(p, r.first*stride)
			for l := r.start; l < r.end; l++ {
				e := *(*components.Entity)(unsafe.Add(p, uintptr(l-r.start)*stride))
				if !e.IsZero() && !Alive(g.world, e) {
					e = components.Entity{}
				}
				lane[l&63] = e
			}
		default:
			for m := mask & r.span(); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				e := *(*components.Entity)(unsafe.Add(p, uintptr(g.rows[l].Row)*stride))
				if !e.IsZero() && !Alive(g.world, e) {
					e = components.Entity{}
				}
				lane[l] = e
			}
		}
	}
}

// MindWords returns a column of minds as words, row after row. term must be one of the three sizes of
// mind.
func MindWords(k *Chunk, term int) []uint32 {
	base, stride := k.Base(term)
	// A mind is an array of words and nothing else, and a column an array of minds.
	return unsafe.Slice((*uint32)(base), k.Len()*int(stride)/4)
}
