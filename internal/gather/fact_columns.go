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
	world    *arche.World
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
	size   int     // bytes of a number
	signed bool
	number float32 // defaults
	whole  int64

	each     bool        // it is read by eachFloat and its kin, agent by agent
	presence bool        // the value is whether there is a component
	resource arche.ResID // the resource that has the field, if stride is 0
	entity   int         // the fact that refers to the entity that has the component, or -1: the agent has it
	id       arche.ID    // of that component
}

// NewFactColumns returns the columns of the terms, in their order, followed by an optional term for each component of
// the facts that is not among the terms. The order of the facts is the one that [Gather.Set] refers to.
//
// Panics as [ecs.NewColumns] does.
func NewFactColumns(w *arche.World, facts []blackboard.Fact, terms ...ecs.Term) *FactColumns {
	terms, facts = slices.Clone(terms), slices.Clone(facts)
	c := &FactColumns{world: w}
	for i := 0; i < len(facts); i++ { // the list grows by the facts that others are read through
		f, field := facts[i], facts[i].Field()
		to := fact{
			term: -1, offset: field.Offset, stride: field.Component.Size(), size: field.Size, signed: field.Signed,
			number: field.DefaultFloat, whole: field.DefaultInt, window: -1, presence: field.Presence, entity: -1,
		}
		// A float64, an integer that an int64 cannot hold and a presence have no loop over rows.
		wide := field.Size == 8 && (f.Kind() == blackboard.Float || !field.Signed)
		to.each = wide || field.Presence || field.Entity != nil
		if field.Resource {
			to.resource, to.stride = arche.ResourceTypeID(w, field.Component), 0
		} else if to.term = termOf(field.Component, terms); to.term < 0 {
			to.term = len(terms)
			terms = append(terms, ecs.OptionalFact(f))
		}
		if field.Entity != nil {
			to.entity = len(facts)
			facts = append(facts, *field.Entity)
		}
		c.facts = append(c.facts, to)
	}
	c.Columns = ecs.NewColumns(w, terms...)
	for i := range c.facts {
		if c.facts[i].entity >= 0 {
			c.facts[i].id = arche.TypeID(w, facts[i].Component()) // registered by its term
		}
	}
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
	case f.each || f.term < 0:
		return 0
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
			var base unsafe.Pointer
			if f := &c.facts[k]; f.term < 0 {
				base = c.resource(f)
			} else {
				base = at.Base(i, f.term)
			}
			if base != nil {
				// Inside the component of row 0, or inside the resource: a fact's offset lies in its component.
				base = unsafe.Add(base, c.facts[k].offset)
			}
			c.fields = append(c.fields, base)
		}
	}
	return chunks
}

// resource returns the address of the resource that a fact is a field of, or nil if the world has none. All rows of all
// chunks read it, since the stride of its facts is 0.
func (c *FactColumns) resource(f *fact) unsafe.Pointer {
	if !c.world.Resources().Has(f.resource) {
		return nil
	}
	return reflect.ValueOf(c.world.Resources().Get(f.resource)).UnsafePointer() // a resource is a pointer
}

// Close closes the columns, see [ecs.Columns.Close]. It drops all addresses, so that no array that the world has
// replaced is kept alive.
func (c *FactColumns) Close() {
	clear(c.fields[:cap(c.fields)])
	c.entities, c.fields = memory.Entities{}, c.fields[:0]
	c.Columns.Close()
}

// HasFact reports whether the agents of an open chunk have the component of a fact.
func (c *FactColumns) HasFact(chunk *ecs.Chunk, fact int) bool {
	term := c.facts[fact].term
	return term >= 0 && chunk.Has(term)
}

// chunk returns the fields of a chunk, by fact.
func (c *FactColumns) chunk(k int32) []unsafe.Pointer {
	n := len(c.facts)
	return c.fields[int(k)*n : int(k)*n+n]
}
