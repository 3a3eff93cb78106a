package ecs

import (
	"cmp"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/lane"
	"github.com/flockwork-ai/flockwork/internal/rows"
)

// Facts are fields of components in the columns of open chunks. Make it once beside the [Columns], and
// open it after them.
type Facts struct {
	facts   []fact
	windows []window
	fields  []unsafe.Pointer // a row of len(facts) per chunk: the field of the chunk's first row, or nil
}

// window is a stretch of a component's words that are read together; every fact of 4 or 8 bytes, or of less within a
// word, is in at most one.
type window struct {
	term   int
	offset uintptr // in the component
	stride uintptr
	first  int // one of its facts, from whose field the window's place follows
}

// fact is what reading one takes.
type fact struct {
	term   int
	offset uintptr // of the field in its component
	stride uintptr // bytes from row to row
	window int     // that the field is in, or -1
	word   int     // of the window: the first that it is in
	size   int     // bytes of an integer
	signed bool
	number float32 // defaults
	whole  int64
}

// FactTerms returns terms for the components of facts that are not among terms yet: append them to those
// that [NewColumns] is given.
func FactTerms(facts []blackboard.Fact, terms ...Term) []Term {
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
func NewFacts(c *Columns, facts []blackboard.Fact) *Facts {
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
		at.window = -1
	}
	f.findWindows(facts)
	return f
}

// maxWindows is how many windows there are at most: a bit each. What is beyond is read field by field.
const maxWindows = 64

// findWindows lays windows over the facts of each component, from the lowest on. A window lies within the component, so
// a small one has none.
func (f *Facts) findWindows(facts []blackboard.Fact) {
	if !cpu.Vectors() {
		return // to read field by field is as quick
	}
	const bytes = 4 * rows.Window
	order := make([]int, len(facts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(f.facts[i].term, f.facts[j].term), cmp.Compare(f.facts[i].offset, f.facts[j].offset))
	})
	for _, i := range order {
		at := &f.facts[i]
		size := at.bytes(facts[i].Kind())
		if at.stride < bytes || size == 0 {
			continue
		}
		inside := func(w *window) bool {
			return w.term == at.term && w.offset <= at.offset && at.offset+size <= w.offset+bytes
		}
		if n := len(f.windows); n == 0 || !inside(&f.windows[n-1]) {
			if n == maxWindows {
				return
			}
			w := window{term: at.term, offset: min(at.offset, at.stride-bytes) &^ 3, stride: at.stride, first: i}
			if !inside(&w) {
				continue
			}
			f.windows = append(f.windows, w)
		}
		at.window = len(f.windows) - 1
		at.word = int(at.offset-f.windows[at.window].offset) / 4
	}
}

// bytes returns how many bytes of a window a fact takes, 0 if it is not read through one.
func (f *fact) bytes(k blackboard.Kind) uintptr {
	aligned := f.offset%4 == 0
	switch {
	case k == blackboard.Bool:
		return 1
	case k == blackboard.Float && aligned:
		return 4
	case k == blackboard.EntityRef && aligned:
		return 8
	case (k == blackboard.Int || k == blackboard.Age) && aligned && (f.size == 8 || f.size == 4 && f.signed):
		return uintptr(f.size)
	}
	return 0
}

// Open finds the fields in the chunks of the open columns. What it holds is valid until the columns close; call
// [Facts.Close] then.
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

// Close drops what Open found, so that it keeps no column alive that the world outgrows.
func (f *Facts) Close() {
	clear(f.fields[:cap(f.fields)])
	f.fields = f.fields[:0]
}

// chunk returns the fields of a chunk, by fact.
func (f *Facts) chunk(k int32) []unsafe.Pointer {
	n := len(f.facts)
	return f.fields[int(k)*n : int(k)*n+n]
}

// Gather reads the rows of one block of up to 64 agents, from whatever chunks they are in. It is the Source of
// package aitree over columns. One goroutine uses it at a time; [Gather.Set] begins a block.
type Gather struct {
	// Nonfinite counts the floats that were NaN or infinite and read as their fact's default, each once in a block.
	Nonfinite int64
	counted   []uint64 // by fact: the lanes that have been, if any has
	anyone    bool

	world *arche.World
	facts *Facts
	index []int32 // the source's fact i is fact index[i] of facts

	words [][rows.Window]rows.Lane // by window: of rows that follow one another
	read  uint64                   // the windows whose words have been read
	// Those in which no word is the bits of a float that is infinite or not a number.
	finite uint64

	// Rows that follow one another are read without looking each up.
	dense  bool
	first  uintptr
	count  int
	fields []unsafe.Pointer // of the chunk they are in, by fact

	// Others are read run by run.
	rows []blackboard.Row
	runs []run
}

// run is a stretch of a block whose rows are in one chunk.
type run struct {
	fields []unsafe.Pointer // of the chunk, by fact
	lanes  uint64
}

// NewGather returns a gather for a world.
func NewGather(w *arche.World) *Gather { return &Gather{world: w, runs: make([]run, 0, 64)} }

// Set begins a block: lane i is rows[i]. index maps the facts that will be asked for to those of facts. Rows must be
// of the chunks that facts were opened for.
func (g *Gather) Set(facts *Facts, index []int32, rows []blackboard.Row) {
	if first, ok := blackboard.Successive(rows); ok {
		g.SetRange(facts, index, first, len(rows))
		return
	}
	g.begin(facts, index)
	g.rows, g.dense = rows, false
	g.runs = g.runs[:0]
	for start := 0; start < len(rows); {
		end := start + 1
		for end < len(rows) && rows[end].Chunk == rows[start].Chunk {
			end++
		}
		g.runs = append(g.runs, run{fields: facts.chunk(rows[start].Chunk), lanes: lanes(end) &^ lanes(start)})
		start = end
	}
}

// SetRange is [Gather.Set] for 1 to 64 rows that follow one another.
func (g *Gather) SetRange(facts *Facts, index []int32, first blackboard.Row, count int) {
	g.begin(facts, index)
	g.dense = true
	g.fields, g.first, g.count = facts.chunk(first.Chunk), uintptr(first.Row), count
}

// Prepare makes room for facts, so that no block of them has to.
func (g *Gather) Prepare(facts *Facts) {
	if n := len(facts.windows); len(g.words) < n {
		g.words = make([][rows.Window]rows.Lane, n)
	}
}

func (g *Gather) begin(facts *Facts, index []int32) {
	g.facts, g.index = facts, index
	g.Prepare(facts)
	g.read, g.finite = 0, 0
	if g.anyone {
		clear(g.counted)
		g.anyone = false
	}
}

// Clear drops what the gather holds of the columns.
func (g *Gather) Clear() {
	clear(g.runs[:cap(g.runs)])
	g.facts, g.index, g.fields, g.rows, g.runs = nil, nil, nil, nil, g.runs[:0]
}

// lanes returns the first lanes of a block.
func lanes(count int) uint64 { return 1<<uint(count) - 1 }

// many reports whether so many lanes of a mask are asked for that it is cheaper to read all rows one after the
// other.
func (g *Gather) many(mask uint64) bool { return 2*bits.OnesCount64(mask) >= g.count }

// window returns the lanes of a fact's window, the field's word first; nil when it is cheaper to read the field alone.
// p is the field in the block's first row.
func (g *Gather) window(f *fact, p unsafe.Pointer, mask uint64) []rows.Lane {
	if f.window < 0 {
		return nil
	}
	w, bit := &g.words[f.window], uint64(1)<<(f.window&63)
	if g.read&bit == 0 {
		if !g.many(mask) {
			return nil
		}
		from := &g.facts.windows[f.window]
		// The window lies in the component that the field is in.
		if rows.Words(w, unsafe.Add(p, int(from.offset)-int(f.offset)), f.stride, g.count) {
			g.finite |= bit
		}
		g.read |= bit
	}
	return w[f.word:]
}

// floatLane is a lane of words as the floats whose bits they are.
func floatLane(l *rows.Lane) *[64]float32 { return (*[64]float32)(unsafe.Pointer(l)) } // of equal size and alignment

// The loops over rows and lanes are functions of their own and not inlined: so their variables stay in registers.
// Those over rows that follow one another get the address of the first and read lane l at p + l*stride.

// Floats implements blackboard.Source.
func (g *Gather) Floats(fact int, mask uint64, lane *[64]float32) *[64]float32 {
	i := g.index[fact]
	f := &g.facts.facts[i]
	read, worst := mask, uint32(exponent) // if scattered
	if !g.dense {
		g.scatteredFloats(i, f, mask, lane)
	} else if p := g.fields[i]; p == nil {
		fill(lane[:g.count], f.number)
		return lane
	} else if p = unsafe.Add(p, g.first*f.stride); f.window >= 0 {
		w := g.window(f, p, mask)
		switch {
		case w == nil:
			worst = floatLanes(lane, mask, p, f.stride)
		case g.finite>>(f.window&63)&1 != 0 || rows.NotFinite(&w[0])&lanes(g.count) == 0:
			return floatLane(&w[0])
		default:
			copy(lane[:g.count], floatLane(&w[0])[:])
			read = lanes(g.count)
		}
	} else if g.many(mask) {
		read, worst = lanes(g.count), floatRows(lane[:g.count], p, f.stride)
	} else {
		worst = floatLanes(lane, mask, p, f.stride)
	}
	if worst == exponent {
		g.mend(i, lane, read, mask)
	}
	return lane
}

// FloatsBelow implements blackboard.Source.
func (g *Gather) FloatsBelow(fact int, mask uint64, bound float32) (v uint64) {
	i := g.index[fact]
	f := &g.facts.facts[i]
	worst := uint32(exponent)
	if g.dense {
		p := g.fields[i]
		if p == nil {
			return -bit(f.number < bound) & mask
		}
		p = unsafe.Add(p, g.first*f.stride)
		if w := g.window(f, p, mask); w != nil {
			if g.finite>>(f.window&63)&1 != 0 || rows.NotFinite(&w[0])&mask == 0 {
				return lane.FloatLess(floatLane(&w[0]), bound) & mask
			}
		} else if g.many(mask) {
			v, worst = floatRowsBelow(g.count, p, f.stride, bound)
		} else {
			v, worst = floatLanesBelow(mask, p, f.stride, bound)
		}
	}
	if worst == exponent { // or scattered
		var given [64]float32
		lane := g.Floats(fact, mask, &given)
		v = 0
		for m := mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			v |= bit(lane[l] < bound) << l
		}
	}
	return v & mask
}

// bit returns 1 for true and 0 for false.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// floatRowsBelow reads 1 to 64 rows as bits, whether they are less than a bound, and returns the greatest exponent.
//
//go:noinline
func floatRowsBelow(rows int, p unsafe.Pointer, stride uintptr, bound float32) (v uint64, worst uint32) {
	offset := uintptr(0)
	for range rows {
		f := *(*float32)(unsafe.Add(p, offset))
		worst = max(worst, math.Float32bits(f)&exponent)
		v = v<<1 + bit(f < bound)
		offset += stride
	}
	return bits.Reverse64(v) >> (uint(64-rows) & 63), worst
}

// floatLanesBelow reads the lanes of a mask as bits.
//
//go:noinline
func floatLanesBelow(mask uint64, p unsafe.Pointer, stride uintptr, bound float32) (v uint64, worst uint32) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		f := *(*float32)(unsafe.Add(p, uintptr(l)*stride))
		worst = max(worst, math.Float32bits(f)&exponent)
		v |= bit(f < bound) << l
	}
	return v, worst
}

func (g *Gather) scatteredFloats(i int32, f *fact, mask uint64, lane *[64]float32) {
	for k := range g.runs {
		r := &g.runs[k]
		p := r.fields[i]
		for m := mask & r.lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			if p == nil {
				lane[l] = f.number
			} else {
				lane[l] = *(*float32)(g.at(p, l, f.stride))
			}
		}
	}
}

// at returns where the field of a lane lies, by that of row 0 of its chunk.
func (g *Gather) at(p unsafe.Pointer, lane int, stride uintptr) unsafe.Pointer {
	return unsafe.Add(p, uintptr(g.rows[lane].Row)*stride)
}

func fill[T any](lanes []T, v T) {
	for l := range lanes {
		lanes[l] = v
	}
}

// exponent is the bits of a float32's exponent. All of them are set when it is not finite.
const exponent = 0x7f800000

// floatRows reads rows and returns the exponent of those that are not finite, if there is one, or else 0.
//
//go:noinline
func floatRows(lanes []float32, p unsafe.Pointer, stride uintptr) (worst uint32) {
	// An exponent of ones alone reaches the sign when one is added. Gathering that bit, unlike a maximum, need not wait
	// for a comparison.
	carry := uint32(0)
	offset := uintptr(0)
	for ; len(lanes) >= 4; lanes = lanes[4:] {
		four := lanes[:4:4]
		v := *(*uint32)(unsafe.Add(p, offset))
		w := *(*uint32)(unsafe.Add(p, offset+stride))
		x := *(*uint32)(unsafe.Add(p, offset+2*stride))
		y := *(*uint32)(unsafe.Add(p, offset+3*stride))
		carry |= (v&exponent + exponentOne) | (w&exponent + exponentOne)
		carry |= (x&exponent + exponentOne) | (y&exponent + exponentOne)
		four[0], four[1] = math.Float32frombits(v), math.Float32frombits(w)
		four[2], four[3] = math.Float32frombits(x), math.Float32frombits(y)
		offset += 4 * stride
	}
	for l := range lanes {
		v := *(*uint32)(unsafe.Add(p, offset))
		carry |= v&exponent + exponentOne
		lanes[l] = math.Float32frombits(v)
		offset += stride
	}
	return -(carry >> 31) & exponent
}

// exponentOne is one in a float32's exponent.
const exponentOne = 1 << 23

// floatLanes reads the lanes of a mask and returns the greatest exponent.
//
//go:noinline
func floatLanes(lane *[64]float32, mask uint64, p unsafe.Pointer, stride uintptr) (worst uint32) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		v := *(*float32)(unsafe.Add(p, uintptr(l)*stride))
		worst = max(worst, math.Float32bits(v)&exponent)
		lane[l] = v
	}
	return worst
}

// mend puts the default in the place of what is not finite in the lanes that were read, and counts those of the mask:
// the others count when they are asked for.
func (g *Gather) mend(i int32, lane *[64]float32, read, mask uint64) {
	bad := uint64(0)
	for m := read; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		if math.Float32bits(lane[l])&exponent == exponent {
			lane[l] = g.facts.facts[i].number
			bad |= 1 << l
		}
	}
	if bad &= mask; bad == 0 {
		return
	}
	for len(g.counted) <= int(i) {
		g.counted = append(g.counted, 0)
	}
	g.Nonfinite += int64(bits.OnesCount64(bad &^ g.counted[i]))
	g.counted[i] |= bad
	g.anyone = true
}

// Ints implements blackboard.Source.
func (g *Gather) Ints(fact int, mask uint64, lane *[64]int64) {
	i := g.index[fact]
	f := &g.facts.facts[i]
	switch {
	case f.size == 8:
		ints[int64](g, i, f, mask, lane)
	case f.size == 4 && f.signed:
		ints[int32](g, i, f, mask, lane)
	case f.size == 4:
		ints[uint32](g, i, f, mask, lane)
	case f.size == 2 && f.signed:
		ints[int16](g, i, f, mask, lane)
	case f.size == 2:
		ints[uint16](g, i, f, mask, lane)
	case f.signed:
		ints[int8](g, i, f, mask, lane)
	default:
		ints[uint8](g, i, f, mask, lane)
	}
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32
}

func ints[T integer](g *Gather, i int32, f *fact, mask uint64, lane *[64]int64) {
	if g.dense {
		if p := g.fields[i]; p == nil {
			fill(lane[:g.count], f.whole)
		} else if p = unsafe.Add(p, g.first*f.stride); g.many(mask) {
			intRows[T](lane[:g.count], p, f.stride)
		} else {
			intLanes[T](lane, mask, p, f.stride)
		}
		return
	}
	for k := range g.runs {
		r := &g.runs[k]
		p := r.fields[i]
		for m := mask & r.lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			if p == nil {
				lane[l] = f.whole
			} else {
				lane[l] = int64(*(*T)(g.at(p, l, f.stride)))
			}
		}
	}
}

// intRows reads rows.
//
//go:noinline
func intRows[T integer](lanes []int64, p unsafe.Pointer, stride uintptr) {
	offset := uintptr(0)
	for l := range lanes {
		lanes[l] = int64(*(*T)(unsafe.Add(p, offset)))
		offset += stride
	}
}

// intLanes reads the lanes of a mask.
//
//go:noinline
func intLanes[T integer](lane *[64]int64, mask uint64, p unsafe.Pointer, stride uintptr) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		lane[l] = int64(*(*T)(unsafe.Add(p, uintptr(l)*stride)))
	}
}

// IntsBelow implements blackboard.Source.
func (g *Gather) IntsBelow(fact int, mask uint64, bound int64) uint64 {
	i := g.index[fact]
	f := &g.facts.facts[i]
	switch {
	case f.size == 8:
		return intsBelow[int64](g, i, f, mask, bound)
	case f.size == 4 && f.signed:
		return intsBelow[int32](g, i, f, mask, bound)
	case f.size == 4:
		return intsBelow[uint32](g, i, f, mask, bound)
	case f.size == 2 && f.signed:
		return intsBelow[int16](g, i, f, mask, bound)
	case f.size == 2:
		return intsBelow[uint16](g, i, f, mask, bound)
	case f.signed:
		return intsBelow[int8](g, i, f, mask, bound)
	}
	return intsBelow[uint8](g, i, f, mask, bound)
}

func intsBelow[T integer](g *Gather, i int32, f *fact, mask uint64, bound int64) (v uint64) {
	if !g.dense {
		var lane [64]int64
		ints[T](g, i, f, mask, &lane)
		for m := mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			v |= bit(lane[l] < bound) << l
		}
		return v
	}
	p := g.fields[i]
	if p == nil {
		return -bit(f.whole < bound) & mask
	}
	p = unsafe.Add(p, g.first*f.stride)
	if w := g.window(f, p, mask); w != nil {
		switch {
		case f.size == 8:
			return rows.LongLess(&w[0], &w[1], bound) & mask
		case bound > math.MaxInt32:
			return mask
		case bound < math.MinInt32:
			return 0
		}
		return rows.IntLess(&w[0], int32(bound)) & mask
	}
	if g.many(mask) {
		v = intRowsBelow[T](g.count, p, f.stride, bound)
	} else {
		v = intLanesBelow[T](mask, p, f.stride, bound)
	}
	return v & mask
}

// intRowsBelow reads 1 to 64 rows as bits: whether they are less than a bound.
//
//go:noinline
func intRowsBelow[T integer](rows int, p unsafe.Pointer, stride uintptr, bound int64) (v uint64) {
	offset := uintptr(0)
	shift := uint(64-rows) & 63
	for ; rows >= 4; rows -= 4 {
		v = v<<1 + bit(int64(*(*T)(unsafe.Add(p, offset))) < bound)
		v = v<<1 + bit(int64(*(*T)(unsafe.Add(p, offset+stride))) < bound)
		v = v<<1 + bit(int64(*(*T)(unsafe.Add(p, offset+2*stride))) < bound)
		v = v<<1 + bit(int64(*(*T)(unsafe.Add(p, offset+3*stride))) < bound)
		offset += 4 * stride
	}
	for ; rows > 0; rows-- {
		v = v<<1 + bit(int64(*(*T)(unsafe.Add(p, offset))) < bound)
		offset += stride
	}
	return bits.Reverse64(v) >> shift
}

// intLanesBelow reads the lanes of a mask as bits.
//
//go:noinline
func intLanesBelow[T integer](mask uint64, p unsafe.Pointer, stride uintptr, bound int64) (v uint64) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		v |= bit(int64(*(*T)(unsafe.Add(p, uintptr(l)*stride))) < bound) << l
	}
	return v
}

// Bools implements blackboard.Source.
func (g *Gather) Bools(fact int, mask uint64) (v uint64) {
	i := g.index[fact]
	f := &g.facts.facts[i]
	if g.dense {
		if p := g.fields[i]; p == nil {
			v = -uint64(f.whole) // of 0 or 1
		} else if p = unsafe.Add(p, g.first*f.stride); f.window >= 0 {
			if w := g.window(f, p, mask); w != nil {
				v = rows.Differ(&w[0], 0, 1<<(8*(f.offset%4)))
			} else {
				v = boolLanes(mask, p, f.stride)
			}
		} else if g.many(mask) {
			v = boolRows(g.count, p, f.stride)
		} else {
			v = boolLanes(mask, p, f.stride)
		}
		return v & mask
	}
	for k := range g.runs {
		r := &g.runs[k]
		p := r.fields[i]
		for m := mask & r.lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			if p == nil {
				v |= uint64(f.whole) << l
			} else {
				v |= uint64(*(*uint8)(g.at(p, l, f.stride))&1) << l
			}
		}
	}
	return v
}

// boolRows reads 1 to 64 rows as bits. A Go bool is a byte of 0 or 1; should unsafe code have written another, it must
// not reach into the lanes beside.
//
//go:noinline
func boolRows(rows int, p unsafe.Pointer, stride uintptr) (v uint64) {
	offset := uintptr(0)
	shift := uint(64-rows) & 63
	for ; rows >= 4; rows -= 4 {
		v = v<<1 + uint64(*(*uint8)(unsafe.Add(p, offset))&1)
		v = v<<1 + uint64(*(*uint8)(unsafe.Add(p, offset+stride))&1)
		v = v<<1 + uint64(*(*uint8)(unsafe.Add(p, offset+2*stride))&1)
		v = v<<1 + uint64(*(*uint8)(unsafe.Add(p, offset+3*stride))&1)
		offset += 4 * stride
	}
	for ; rows > 0; rows-- {
		v = v<<1 + uint64(*(*uint8)(unsafe.Add(p, offset))&1)
		offset += stride
	}
	return bits.Reverse64(v) >> shift
}

// boolLanes reads the lanes of a mask as bits.
//
//go:noinline
func boolLanes(mask uint64, p unsafe.Pointer, stride uintptr) (v uint64) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		v |= uint64(*(*uint8)(unsafe.Add(p, uintptr(l)*stride))&1) << l
	}
	return v
}

// Entities implements blackboard.Source: a reference to an entity that is not alive reads as zero.
func (g *Gather) Entities(fact int, mask uint64, lane *[64]components.Entity) {
	i := g.index[fact]
	stride := g.facts.facts[i].stride
	if g.dense {
		if p := g.fields[i]; p == nil {
			fill(lane[:g.count], components.Entity{})
		} else {
			g.entityLanes(lane, mask, unsafe.Add(p, g.first*stride), stride)
		}
		return
	}
	for k := range g.runs {
		r := &g.runs[k]
		p := r.fields[i]
		for m := mask & r.lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			e := components.Entity{}
			if p != nil {
				e = g.living(*(*components.Entity)(g.at(p, l, stride)))
			}
			lane[l] = e
		}
	}
}

// living returns an entity, or nobody if it is dead.
func (g *Gather) living(e components.Entity) components.Entity {
	if Alive(g.world, e) {
		return e
	}
	return components.Entity{}
}

// entityLanes reads the lanes of a mask.
func (g *Gather) entityLanes(lane *[64]components.Entity, mask uint64, p unsafe.Pointer, stride uintptr) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		lane[l] = g.living(*(*components.Entity)(unsafe.Add(p, uintptr(l)*stride)))
	}
}

// Alive implements blackboard.Source.
func (g *Gather) Alive(fact int, mask uint64) (v uint64) {
	i := g.index[fact]
	stride := g.facts.facts[i].stride
	if g.dense {
		p := g.fields[i]
		if p == nil {
			return 0
		}
		p = unsafe.Add(p, g.first*stride)
		if w := g.window(&g.facts.facts[i], p, mask); w != nil {
			mask &= rows.Differ(&w[0], 0, ^uint32(0))
		} else if g.many(mask) {
			mask &= someoneRows(g.count, p, stride)
		}
		if worldLayout.poolKnown {
			return aliveLanes(entityPool(g.world), mask, p, stride)
		}
		for m := mask; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			if aliveSlow(g.world, *(*components.Entity)(unsafe.Add(p, uintptr(l)*stride))) {
				v |= 1 << l
			}
		}
		return v
	}
	for k := range g.runs {
		r := &g.runs[k]
		p := r.fields[i]
		if p == nil {
			continue
		}
		for m := mask & r.lanes; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 63
			if Alive(g.world, *(*components.Entity)(g.at(p, l, stride))) {
				v |= 1 << l
			}
		}
	}
	return v
}

// someoneRows reads 1 to 64 rows as bits: whether each refers to anybody, alive or not.
//
//go:noinline
func someoneRows(rows int, p unsafe.Pointer, stride uintptr) (v uint64) {
	offset := uintptr(0)
	shift := uint(64-rows) & 63
	for ; rows >= 2; rows -= 2 {
		first := uint64((*components.Entity)(unsafe.Add(p, offset)).Index)
		second := uint64((*components.Entity)(unsafe.Add(p, offset+stride)).Index)
		v = (v<<1+-first>>63)<<1 + -second>>63
		offset += 2 * stride
	}
	if rows > 0 {
		v = v<<1 + -uint64((*components.Entity)(unsafe.Add(p, offset)).Index)>>63
	}
	return bits.Reverse64(v) >> shift
}

// aliveLanes returns the lanes of a mask that refer to somebody alive.
//
//go:noinline
func aliveLanes(pool []components.Entity, mask uint64, p unsafe.Pointer, stride uintptr) (v uint64) {
	for m := mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		if aliveIn(pool, *(*components.Entity)(unsafe.Add(p, uintptr(l)*stride))) {
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
