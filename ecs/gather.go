package ecs

import (
	"math/bits"
	"reflect"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"

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

// Row is one row of open chunks.
type Row struct{ Chunk, Row int32 }

// Gather reads the rows of one block of up to 64 agents, from whatever chunks they are in. It is the Source of
// package aitree over columns. One goroutine uses it at a time; [Gather.Set] begins a block.
type Gather struct {
	// Nonfinite counts the floats that were NaN or infinite and read as their fact's default.
	Nonfinite int64

	world  *arche.World
	chunks []Chunk
	facts  *Facts
	index  []int32 // the source's fact i is fact index[i] of facts
	rows   []Row
	runs   []run
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
// of the open chunks.
func (g *Gather) Set(chunks []Chunk, facts *Facts, index []int32, rows []Row) {
	g.chunks, g.facts, g.index, g.rows = chunks, facts, index, rows
	g.runs = g.runs[:0]
	for start := 0; start < len(rows); {
		r := run{chunk: int(rows[start].Chunk), start: start, dense: true, first: uintptr(rows[start].Row)}
		end := start + 1
		for end < len(rows) && rows[end].Chunk == rows[start].Chunk {
			r.dense = r.dense && rows[end].Row == rows[end-1].Row+1
			end++
		}
		r.end = end
		g.runs = append(g.runs, r)
		start = end
	}
}

// Clear drops what the gather holds of the columns.
func (g *Gather) Clear() { g.chunks, g.facts, g.index, g.rows, g.runs = nil, nil, nil, nil, g.runs[:0] }

// EntityLane fills the entity of each lane.
func (g *Gather) EntityLane(dst *[64]components.Entity) {
	for i, r := range g.rows {
		dst[i] = g.chunks[r.Chunk].entities[r.Row]
	}
}

// Words fills the words of each lane's mind. term is the mind's, words its length.
func (g *Gather) Words(dst *[64][]uint32, term, words int) {
	size := uintptr(words) * 4
	for i := range g.runs {
		r := &g.runs[i]
		base := g.chunks[r.chunk].columns[term]
		for k := r.start; k < r.end; k++ {
			// A mind is an array of exactly so many words, and the row is in its column.
			dst[k] = unsafe.Slice((*uint32)(unsafe.Add(base, uintptr(g.rows[k].Row)*size)), words)
		}
	}
}

// Pointers fills the component of each lane, nil where the archetype lacks it, and returns the first lane of which it
// does, or -1. term must be of type T.
func Pointers[T any](g *Gather, dst *[64]*T, term int) (lacking int) {
	var zero T
	lacking = -1
	for i := range g.runs {
		r := &g.runs[i]
		base := g.chunks[r.chunk].columns[term]
		if base == nil {
			clear(dst[r.start:r.end])
			if lacking < 0 {
				lacking = r.start
			}
			continue
		}
		for k := r.start; k < r.end; k++ {
			dst[k] = (*T)(unsafe.Add(base, uintptr(g.rows[k].Row)*unsafe.Sizeof(zero)))
		}
	}
	return lacking
}

// field returns where fact i of a run's chunk lies for the row 0, or nil, and the bytes from row to row.
func (g *Gather) field(r *run, i int32) (unsafe.Pointer, uintptr) {
	return g.facts.fields[r.chunk*len(g.facts.facts)+int(i)], g.facts.strides[i]
}

// thin is below how many lanes of 64 it is cheaper to go from bit to bit than through all.
const thin = 20

// each value: p points to the field of row 0, lane k is at row rows[k].Row.

// Floats implements aitree.Source.
func (g *Gather) Floats(fact int, mask uint64, lane *[64]float32) {
	i := g.index[fact]
	def := g.facts.facts[i].DefaultFloat()
	few := bits.OnesCount64(mask) < thin
	for k := range g.runs {
		r := &g.runs[k]
		p, stride := g.field(r, i)
		if p == nil {
			for l := r.start; l < r.end; l++ {
				lane[l] = def
			}
			continue
		}
		bad := 0
		switch {
		case few:
			for m := mask & span(r); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				bad += load(lane, l, unsafe.Add(p, uintptr(g.rows[l].Row)*stride), def)
			}
		case r.dense:
			first := unsafe.Add(p, r.first*stride)
			for l := r.start; l < r.end; l++ {
				bad += load(lane, l&63, unsafe.Add(first, uintptr(l-r.start)*stride), def)
			}
		default:
			for l := r.start; l < r.end; l++ {
				bad += load(lane, l&63, unsafe.Add(p, uintptr(g.rows[l].Row)*stride), def)
			}
		}
		if bad > 0 {
			// Other lanes than those of the mask may have been read: they count when they are asked for.
			for m := mask & span(r); m != 0; m &= m - 1 {
				l := bits.TrailingZeros64(m) & 63
				g.Nonfinite += int64(load(lane, l, unsafe.Add(p, uintptr(g.rows[l].Row)*stride), def))
			}
		}
	}
}

// load reads one float; one that is not finite reads as the default and counts.
func load(lane *[64]float32, l int, p unsafe.Pointer, def float32) int {
	v := *(*uint32)(p)
	if v&0x7f800000 == 0x7f800000 {
		lane[l] = def
		return 1
	}
	lane[l] = *(*float32)(p)
	return 0
}

func span(r *run) uint64 { return ^uint64(0) >> (64 - (r.end - r.start)) << r.start }

// Ints implements aitree.Source.
func (g *Gather) Ints(fact int, mask uint64, lane *[64]int64) {
	i := g.index[fact]
	f := &g.facts.facts[i]
	size, signed := f.IntSize()
	for k := range g.runs {
		r := &g.runs[k]
		p, stride := g.field(r, i)
		if p == nil {
			for l := r.start; l < r.end; l++ {
				lane[l] = f.DefaultInt()
			}
			continue
		}
		lanes, rows := lane[r.start:r.end], g.rows[r.start:r.end]
		switch {
		case size == 8:
			for l := range lanes {
				lanes[l] = *(*int64)(unsafe.Add(p, uintptr(rows[l].Row)*stride))
			}
		case size == 4 && signed:
			for l := range lanes {
				lanes[l] = int64(*(*int32)(unsafe.Add(p, uintptr(rows[l].Row)*stride)))
			}
		case size == 4:
			for l := range lanes {
				lanes[l] = int64(*(*uint32)(unsafe.Add(p, uintptr(rows[l].Row)*stride)))
			}
		case size == 2 && signed:
			for l := range lanes {
				lanes[l] = int64(*(*int16)(unsafe.Add(p, uintptr(rows[l].Row)*stride)))
			}
		case size == 2:
			for l := range lanes {
				lanes[l] = int64(*(*uint16)(unsafe.Add(p, uintptr(rows[l].Row)*stride)))
			}
		case signed:
			for l := range lanes {
				lanes[l] = int64(*(*int8)(unsafe.Add(p, uintptr(rows[l].Row)*stride)))
			}
		default:
			for l := range lanes {
				lanes[l] = int64(*(*uint8)(unsafe.Add(p, uintptr(rows[l].Row)*stride)))
			}
		}
	}
}

// Bools implements aitree.Source.
func (g *Gather) Bools(fact int, mask uint64) (v uint64) {
	i := g.index[fact]
	for k := range g.runs {
		r := &g.runs[k]
		p, stride := g.field(r, i)
		if p == nil {
			if g.facts.facts[i].DefaultInt() != 0 {
				v |= span(r)
			}
			continue
		}
		rows := g.rows[r.start:r.end]
		w := uint64(0)
		for l := range rows {
			// A Go bool is a byte of 0 or 1.
			w |= uint64(*(*uint8)(unsafe.Add(p, uintptr(rows[l].Row)*stride))&1) << (l & 63)
		}
		v |= w << r.start
	}
	return v & mask
}

// Entities implements aitree.Source: a reference to an entity that is not alive reads as zero.
func (g *Gather) Entities(fact int, mask uint64, lane *[64]components.Entity) {
	i := g.index[fact]
	for k := range g.runs {
		r := &g.runs[k]
		p, stride := g.field(r, i)
		if p == nil {
			clear(lane[r.start:r.end])
			continue
		}
		for m := mask & span(r); m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			e := *(*components.Entity)(unsafe.Add(p, uintptr(g.rows[l].Row)*stride))
			if !e.IsZero() && !Alive(g.world, e) {
				e = components.Entity{}
			}
			lane[l] = e
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
