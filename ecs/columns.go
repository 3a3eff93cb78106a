package ecs

import (
	"fmt"
	"reflect"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/memory"
)

// Term is one component of [Columns]: needed, optional or excluded. Make it with [Need], [Optional] or [Without].
type Term struct {
	component reflect.Type
	mode      mode
}

type mode uint8

const (
	needed mode = iota
	optional
	excluded
)

// Need returns the term of a component that an archetype must have.
func Need[T any]() Term { return needType(reflect.TypeFor[T]()) }

// Optional returns the term of a component whose column is nil in the archetypes that lack it.
func Optional[T any]() Term { return optionalType(reflect.TypeFor[T]()) }

// OptionalFact returns the term of the component that a fact's field is in, as [Optional] does.
func OptionalFact(f blackboard.Fact) Term { return optionalType(f.Component()) }

// Without returns the term of a component that an archetype must not have. Its column is always nil.
func Without[T any]() Term { return Term{component: reflect.TypeFor[T](), mode: excluded} }

// Component returns the type of the component that the term is about; nil for the zero Term.
func (t Term) Component() reflect.Type { return t.component }

// needType is [Need] for a type that is known at run time only.
func needType(t reflect.Type) Term { return Term{component: t, mode: needed} }

// optionalType is [Optional] for a type that is known at run time only.
func optionalType(t reflect.Type) Term { return Term{component: t, mode: optional} }

// Columns are the columns of the archetypes that have all needed components and none of the excluded, as slices. Make
// them once with [NewColumns], open and close them in each frame.
//
// [Columns.Open] and [Columns.Close] belong to the goroutine that owns the world. Between them any goroutine may read
// the chunks.
type Columns struct {
	world  *arche.World
	terms  []Term
	ids    []arche.ID
	filter arche.CachedFilter
	lock   arche.Query // never stepped: it keeps the world locked while open
	walk   arche.Query
	open   bool

	chunks   []Chunk
	columns  []unsafe.Pointer    // a row of len(terms) per chunk
	entities []components.Entity // copies, for a version of arche whose entity column cannot be read
	spans    []Span
}

// Chunk is the rows of one archetype. It is valid until [Columns.Close]; see [Column].
type Chunk struct {
	entities []components.Entity
	columns  []unsafe.Pointer
	terms    []Term
}

// Span is a range of rows of one chunk.
type Span struct {
	Chunk int // index of the chunk
	Start int // first row
	End   int // row after the last
}

// NewColumns returns the columns of the terms, in their order. Their filter is registered in the world's cache, so that
// the cost of opening them does not depend on the number of archetypes of the world; see [Columns.Release].
//
// Panics when a component is named twice, and when the world cannot hold a component; see Component types in the
// package documentation.
func NewColumns(w *arche.World, terms ...Term) *Columns {
	requireWorld(w, "NewColumns")
	c := &Columns{world: w, terms: append([]Term(nil), terms...), ids: make([]arche.ID, len(terms))}
	var include, exclude arche.Mask
	for i, term := range terms {
		id := componentID(w, term.component)
		for _, earlier := range c.ids[:i] {
			if earlier == id {
				panic(fmt.Sprintf("ecs: NewColumns names component %v twice", term.component))
			}
		}
		c.ids[i] = id
		switch term.mode {
		case needed:
			include.Set(id, true)
		case excluded:
			exclude.Set(id, true)
		}
	}
	c.filter = w.Cache().Register(&arche.MaskFilter{Include: include, Exclude: exclude})
	return c
}

// Open returns the archetypes that have rows, in the order of a query, with their rows in the order of Query.Next. It
// locks the world against structural changes until [Columns.Close].
//
// Panics when the columns are open already or were released.
func (c *Columns) Open() []Chunk {
	c.requireMade("Open")
	if c.open {
		panic("ecs: Columns opened twice; Close it first")
	}
	c.open = true
	c.lock = c.world.Query(&c.filter)
	if queryLayout.known {
		c.read()
	} else {
		c.readPublic()
	}
	// The rows are sliced now, since their backing may have moved while they were collected.
	n := len(c.terms)
	for i := range c.chunks {
		chunk := &c.chunks[i]
		chunk.columns, chunk.terms = c.columns[i*n:(i+1)*n:(i+1)*n], c.terms
	}
	return c.chunks
}

// read collects the chunks by the offsets of queryLayout.
func (c *Columns) read() {
	q := &c.walk
	*q = c.world.Query(&c.filter)
	for more := q.Next(); more; {
		rows := queryLayout.rows(q)
		c.add(q, unsafe.Slice(queryLayout.column(q), rows))
		more = q.Step(rows) // to the first row of the next archetype; at the end it closes the query
	}
}

// readPublic collects the chunks by arche's public API alone: the length of an archetype by bisection, its entities by
// copying them. It allocates.
func (c *Columns) readPublic() {
	q := &c.walk
	*q = c.world.Query(&c.filter)
	left := q.Count()
	// One growth before the loop, so the slices that chunks hold stay valid.
	if cap(c.entities) < left {
		c.entities = make([]components.Entity, 0, left)
	}
	for more := q.Next(); more; {
		rows := rowsByBisection(c.world, q, left)
		start := len(c.entities)
		at := *q
		for i := range rows {
			if i > 0 {
				at.Next()
			}
			c.entities = append(c.entities, FromArche(at.Entity()))
		}
		c.add(q, c.entities[start:len(c.entities):len(c.entities)])
		left -= rows
		more = q.Step(rows)
	}
}

// rowsByBisection returns how many of the left entities of a query are in its current archetype: the greatest step on a
// copy of the query that does not leave it. No copy steps past the last entity, which would unlock the world.
func rowsByBisection(w *arche.World, q *arche.Query, left int) int {
	mask, target := q.Mask(), relationTarget(w, q)
	inside, outside := 0, left // steps
	for outside-inside > 1 {
		step := (inside + outside) / 2
		at := *q
		at.Step(step)
		if at.Mask() == mask && relationTarget(w, &at) == target {
			inside = step
		} else {
			outside = step
		}
	}
	return inside + 1
}

// relationTarget returns the target of the query's current archetype. Archetypes with the same components differ in it.
func relationTarget(w *arche.World, q *arche.Query) arche.Entity {
	for _, id := range q.Ids() {
		if info, ok := arche.ComponentInfo(w, id); ok && info.IsRelation {
			return q.Relation(id)
		}
	}
	return arche.Entity{}
}

// add appends the archetype whose first row is the query's position.
func (c *Columns) add(q *arche.Query, entities []components.Entity) {
	for _, id := range c.ids {
		c.columns = append(c.columns, q.Get(id)) // nil when the archetype lacks it
	}
	c.chunks = append(c.chunks, Chunk{entities: entities})
}

// Close unlocks the world and makes the chunks invalid.
//
// Panics when the columns are not open.
func (c *Columns) Close() {
	if !c.open {
		panic("ecs: Columns closed without being open")
	}
	c.lock.Close()
	c.open = false
	// Arrays that arche has replaced must not be kept alive.
	clear(c.chunks)
	clear(c.columns)
	c.lock, c.walk = arche.Query{}, arche.Query{}
	c.chunks, c.columns, c.entities, c.spans = c.chunks[:0], c.columns[:0], c.entities[:0], c.spans[:0]
}

// Release removes the columns' filter from the world's cache. Close them before; they must not be opened again.
//
// Panics when they are open or were released already.
func (c *Columns) Release() {
	c.requireMade("Release")
	if c.open {
		panic("ecs: Columns.Release while they are open; Close them first")
	}
	c.world.Cache().Unregister(&c.filter)
	c.world = nil
}

func (c *Columns) requireMade(method string) {
	if c == nil || c.world == nil {
		panic("ecs: Columns." + method + " of Columns that were not made, or were released; make them with NewColumns")
	}
}

// Memory returns the columns as the kernels of the project read them, by address.
//
// Panics when the columns are not open.
func (c *Columns) Memory() memory.Columns {
	if !c.open {
		panic("ecs: Memory of Columns that are not open")
	}
	m := memory.Columns{Bases: c.columns, Terms: len(c.terms)}
	if w := c.world; worldLayout.poolKnown {
		m.Entities.Pool = entityPool(w) // which does not change while the world is locked
	} else {
		m.Entities.Test = func(e components.Entity) bool { return aliveSlow(w, e) }
	}
	return m
}

// Len returns the number of rows of all chunks while the columns are open, otherwise 0.
func (c *Columns) Len() int {
	n := 0
	for i := range c.chunks {
		n += len(c.chunks[i].entities)
	}
	return n
}

// Spans divides the open chunks into ranges of at most the given number of rows, in order: the tasks of a worker pool.
// The slice is valid until [Columns.Close] or the next call.
//
// Panics when rows is not positive.
func (c *Columns) Spans(rows int) []Span {
	if rows <= 0 {
		panic(fmt.Sprintf("ecs: Spans of %d rows; use a positive number", rows))
	}
	c.spans = c.spans[:0]
	for i := range c.chunks {
		n := c.chunks[i].Len()
		for start := 0; start < n; start += rows {
			c.spans = append(c.spans, Span{Chunk: i, Start: start, End: min(start+rows, n)})
		}
	}
	return c.spans
}

// Len returns the number of rows.
func (chunk *Chunk) Len() int { return len(chunk.entities) }

// Entities returns the entity of each row. The slice is arche's storage: do not write it.
func (chunk *Chunk) Entities() []components.Entity { return chunk.entities }

// Has reports whether the archetype has the component of a term.
//
// Panics when there is no such term, or the columns are closed.
func (chunk *Chunk) Has(term int) bool {
	if uint(term) >= uint(len(chunk.columns)) {
		chunk.panicTerm(term)
	}
	return chunk.columns[term] != nil
}

func (chunk *Chunk) panicTerm(term int) {
	if len(chunk.terms) == 0 {
		panic(fmt.Sprintf("ecs: term %d of a Chunk that is not valid; take one from Columns.Open, until Close", term))
	}
	panic(fmt.Sprintf("ecs: term %d of a Chunk; its Columns have %d terms, numbered from 0", term, len(chunk.terms)))
}

// Column returns the component of each row. term is the position of the term in [NewColumns]. The slice is the
// archetype's storage, so writing to it changes the components. It is nil when the archetype lacks an optional
// component.
//
// Panics when there is no such term, when it is of another type than T, and when the columns are closed.
func Column[T any](chunk *Chunk, term int) []T {
	if uint(term) >= uint(len(chunk.terms)) {
		chunk.panicTerm(term)
	}
	if t := reflect.TypeFor[T](); chunk.terms[term].component != t {
		panic(fmt.Sprintf("ecs: Column[%v] of term %d, which is %v", t, term, chunk.terms[term].component))
	}
	base := chunk.columns[term]
	if base == nil {
		return nil
	}
	// An archetype's column is one array with at least as many elements as it has entities.
	return unsafe.Slice((*T)(base), len(chunk.entities))
}
