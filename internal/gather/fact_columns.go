package gather

import (
	"cmp"
	"reflect"
	"slices"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/memory"
	"github.com/flockwork-ai/flockwork/internal/rows"
)

// FactColumns are [ecs.Columns] in which a [Gather] finds facts: fields of components. Make them once with
// [NewFactColumns], open and close them in each frame.
type FactColumns struct {
	*ecs.Columns
	facts    []fact
	windows  []window
	fields   []unsafe.Pointer // a row of len(facts) per chunk: the field of the chunk's first row, or nil
	entities memory.Entities  // while the columns are open
}

// window is a range of a component's words that are read together. Each fact of 4 or 8 bytes, and each smaller one
// within a word, is in at most one window.
type window struct {
	term   int
	offset uintptr // in the component
	stride uintptr
	first  int // one of its facts; the window is found from the field of that fact
}

// fact is a fact as the gather reads it.
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

// NewFactColumns returns the columns of the terms, in their order, followed by an optional term for each component of
// the facts that is not among the terms. The order of the facts is the one that [Gather.Set] refers to.
//
// Panics as [ecs.NewColumns] does.
func NewFactColumns(w *arche.World, facts []blackboard.Fact, terms ...ecs.Term) *FactColumns {
	terms = slices.Clone(terms)
	c := &FactColumns{facts: make([]fact, len(facts))}
	for i, f := range facts {
		field, to := f.Field(), &c.facts[i]
		if to.term = termOf(field.Component, terms); to.term < 0 {
			to.term = len(terms)
			terms = append(terms, ecs.OptionalFact(f))
		}
		to.offset, to.stride = field.Offset, field.Component.Size()
		to.size, to.signed = field.Size, field.Signed
		to.number, to.whole = field.DefaultFloat, field.DefaultInt
		to.window = -1
	}
	c.Columns = ecs.NewColumns(w, terms...)
	c.findWindows(facts)
	return c
}

// termOf returns the index of the term of a component, or -1.
func termOf(t reflect.Type, terms []ecs.Term) int {
	for i := range terms {
		if terms[i].Component() == t {
			return i
		}
	}
	return -1
}

// maxWindows is the largest number of windows: each has a bit of a mask. Facts in none are read field by field.
const maxWindows = 64

// findWindows places windows over the facts of each component, from the lowest offset up. A window lies within the
// component, so a component smaller than a window has none.
func (c *FactColumns) findWindows(facts []blackboard.Fact) {
	if !cpu.Vectors() {
		return // reading field by field is as fast
	}
	const bytes = 4 * rows.Window
	order := make([]int, len(facts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(c.facts[i].term, c.facts[j].term), cmp.Compare(c.facts[i].offset, c.facts[j].offset))
	})
	for _, i := range order {
		f := &c.facts[i]
		size := f.bytes(facts[i].Kind())
		if f.stride < bytes || size == 0 {
			continue
		}
		inside := func(w *window) bool {
			return w.term == f.term && w.offset <= f.offset && f.offset+size <= w.offset+bytes
		}
		if n := len(c.windows); n == 0 || !inside(&c.windows[n-1]) {
			if n == maxWindows {
				return
			}
			w := window{term: f.term, offset: min(f.offset, f.stride-bytes) &^ 3, stride: f.stride, first: i}
			if !inside(&w) {
				continue
			}
			c.windows = append(c.windows, w)
		}
		f.window = len(c.windows) - 1
		f.word = int(f.offset-c.windows[f.window].offset) / 4
	}
}

// bytes returns how many bytes of a window a fact of a kind takes, or 0 when it is not read through a window.
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

// Open opens the columns, see [ecs.Columns.Open], and finds the facts' fields in them.
func (c *FactColumns) Open() []ecs.Chunk {
	chunks := c.Columns.Open()
	at := c.Memory()
	c.entities, c.fields = at.Entities, c.fields[:0]
	for i := range chunks {
		for k := range c.facts {
			var field unsafe.Pointer
			if base := at.Base(i, c.facts[k].term); base != nil {
				// Inside the component of row 0: a fact's offset lies in its component.
				field = unsafe.Add(base, c.facts[k].offset)
			}
			c.fields = append(c.fields, field)
		}
	}
	return chunks
}

// Close closes the columns, see [ecs.Columns.Close]. It drops all addresses, so that no array that the world has
// replaced is kept alive.
func (c *FactColumns) Close() {
	clear(c.fields[:cap(c.fields)])
	c.entities, c.fields = memory.Entities{}, c.fields[:0]
	c.Columns.Close()
}

// chunk returns the fields of a chunk, by fact.
func (c *FactColumns) chunk(k int32) []unsafe.Pointer {
	n := len(c.facts)
	return c.fields[int(k)*n : int(k)*n+n]
}
