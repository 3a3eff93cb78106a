package ecs

import (
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/allocs"
)

// columnRows lists what dump lists, read from chunks.
func columnRows(chunks []Chunk, types []reflect.Type) []string {
	var rows []string
	for i := range chunks {
		k := &chunks[i]
		for row, e := range k.Entities() {
			s := fmt.Sprint(e)
			for term, t := range types {
				base, stride := k.columns[term], k.terms[term].component.Size()
				if base != nil {
					base = unsafe.Add(base, uintptr(row)*stride)
				}
				s += describe(t, base)
			}
			rows = append(rows, s)
		}
	}
	return rows
}

// archetypeLengths counts the rows of each archetype by Query.Next: archetypes differ in components or target.
func archetypeLengths(w *arche.World, filter arche.Filter) []int {
	lengths := []int{}
	var mask arche.Mask
	var target arche.Entity
	q := w.Query(filter)
	for q.Next() {
		if at := relationTarget(w, &q); len(lengths) == 0 || q.Mask() != mask || at != target {
			mask, target = q.Mask(), at
			lengths = append(lengths, 0)
		}
		lengths[len(lengths)-1]++
	}
	return lengths
}

func TestColumnsListWhatQueryNextLists(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			r := newRandomWorld()
			modes := rapid.SliceOfN(rapid.SampledFrom([]mode{needed, optional, excluded}), len(testTypes),
				len(testTypes)).Draw(t, "modes")
			used := rapid.SliceOfN(rapid.Bool(), len(testTypes), len(testTypes)).Draw(t, "used")
			var terms []Term
			var types []reflect.Type
			var ids []arche.ID
			for i, component := range testTypes {
				if used[i] {
					terms = append(terms, Term{component: component, mode: modes[i]})
					types, ids = append(types, component), append(ids, r.ids[i])
				}
			}
			for range rapid.IntRange(0, 20).Draw(t, "changes before") {
				r.change(t)
			}
			c := NewColumns(r.world, terms...)
			for range 3 {
				for range rapid.IntRange(0, 20).Draw(t, "changes") {
					r.change(t)
				}
				want := dump(r.world, &c.filter, types, ids)
				chunks := c.Open()
				require.Equal(t, want, columnRows(chunks, types))
				require.Equal(t, len(want), c.Len())
				lengths := []int{}
				for i := range chunks {
					lengths = append(lengths, chunks[i].Len())
				}
				require.Equal(t, archetypeLengths(r.world, &c.filter), lengths)
				require.True(t, r.world.IsLocked())
				c.Close()
				require.False(t, r.world.IsLocked())
			}
		})
	})
}

// The filter is arche's, so one case by hand suffices to show that terms mean what they say.
func TestTermsSelectArchetypes(t *testing.T) {
	w := arche.NewWorld()
	NewPrefab(&w, wide{}).SpawnNow(&w, 1, nil)
	NewPrefab(&w, wide{}, pair{}).SpawnNow(&w, 2, nil)
	NewPrefab(&w, pair{}).SpawnNow(&w, 4, nil)
	NewPrefab(&w, wide{}, small{}).SpawnNow(&w, 8, nil)
	NewPrefab(&w).SpawnNow(&w, 16, nil)
	for _, c := range []struct {
		name  string
		terms []Term
		want  []int // rows of the chunks
	}{
		{"needed", []Term{Need[wide]()}, []int{1, 2, 8}},
		{"both needed", []Term{Need[wide](), Need[pair]()}, []int{2}},
		{"optional does not select", []Term{Need[wide](), Optional[pair]()}, []int{1, 2, 8}},
		{"excluded", []Term{Need[wide](), Without[small]()}, []int{1, 2}},
		{"type known at run time", []Term{needType(reflect.TypeFor[pair]()), optionalType(reflect.TypeFor[wide]())},
			[]int{2, 4}},
		{"type of a fact's component", []Term{Need[wide](), OptionalFact(blackboard.IntFact("a",
			func(s *small) *uint8 { return &s.A }, 0))}, []int{1, 2, 8}},
		{"no terms", nil, []int{16, 1, 2, 4, 8}},
		{"nothing has it", []Term{Need[tagged]()}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			columns := NewColumns(&w, c.terms...)
			var rows []int
			for _, k := range columns.Open() {
				rows = append(rows, k.Len())
			}
			columns.Close()
			assert.Equal(t, c.want, rows)
		})
	}
}

func TestColumnIsTheComponentsThemselves(t *testing.T) {
	w := arche.NewWorld()
	NewPrefab(&w, small{A: 3}).SpawnNow(&w, 2, nil)
	NewPrefab(&w, small{A: 5}, wide{B: 7}, tagged{}).SpawnNow(&w, 3, nil)
	c := NewColumns(&w, Need[small](), Optional[wide](), Optional[tagged]())
	chunks := c.Open()
	require.Len(t, chunks, 2)
	assert.Equal(t, []small{{3}, {3}}, Column[small](&chunks[0], 0))
	assert.Nil(t, Column[wide](&chunks[0], 1))
	assert.Nil(t, Column[tagged](&chunks[0], 2))
	assert.False(t, chunks[0].Has(1))
	assert.Equal(t, []wide{{B: 7}, {B: 7}, {B: 7}}, Column[wide](&chunks[1], 1))
	assert.Len(t, Column[tagged](&chunks[1], 2), 3)
	assert.True(t, chunks[1].Has(1))
	assert.EqualValues(t, 12, chunks[1].terms[1].component.Size(), "bytes from row to row")
	Column[wide](&chunks[1], 1)[2].B = 9
	last := chunks[1].Entities()[2]
	c.Close()
	assert.EqualValues(t, 9, Get[wide](&w, last).B)
}

func TestMemoryHasTheAddressesOfTheColumnsAndKnowsWhoIsAlive(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		w := arche.NewWorld()
		NewPrefab(&w, small{A: 3}).SpawnNow(&w, 2, nil)
		NewPrefab(&w, small{A: 5}, wide{B: 7}).SpawnNow(&w, 3, nil)
		c := NewColumns(&w, Need[small](), Optional[wide]())
		assert.PanicsWithValue(t, "ecs: Memory of Columns that are not open", func() { c.Memory() })
		chunks := c.Open()
		m := c.Memory()
		assert.Nil(t, m.Base(0, 1))
		for i := range chunks {
			assert.Same(t, &Column[small](&chunks[i], 0)[0], (*small)(m.Base(i, 0)))
		}
		assert.Same(t, &Column[wide](&chunks[1], 1)[0], (*wide)(m.Base(1, 1)))
		last := chunks[1].Entities()[2]
		c.Close()
		w.RemoveEntity(ToArche(last))
		reused := FromArche(w.NewEntity())
		c.Open()
		defer c.Close()
		m = c.Memory()
		assert.Equal(t, worldLayout.poolKnown, m.Entities.Test == nil, "the pool answers without a call where it can")
		assert.Equal(t, last.Index, reused.Index)
		for _, e := range []components.Entity{{}, last, reused, chunks[0].Entities()[0], entity(999, 0)} {
			assert.Equal(t, Alive(&w, e), m.Entities.Alive(e), "%v", e)
		}
	})
}

func TestATermNamesItsComponent(t *testing.T) {
	for _, term := range []Term{Need[wide](), Optional[wide](), Without[wide]()} {
		assert.Equal(t, reflect.TypeFor[wide](), term.Component())
	}
}

func TestColumnOfAnotherTypePanics(t *testing.T) {
	w := arche.NewWorld()
	NewPrefab(&w, small{}).SpawnNow(&w, 1, nil)
	c := NewColumns(&w, Need[small]())
	chunks := c.Open()
	assert.PanicsWithValue(t, "ecs: Column[ecs.wide] of term 0, which is ecs.small",
		func() { Column[wide](&chunks[0], 0) })
}

func TestColumnsLockTheWorldUntilClosed(t *testing.T) {
	w := arche.NewWorld()
	outer, inner := NewColumns(&w, Need[small]()), NewColumns(&w, Need[small]())
	outer.Open()
	assert.Panics(t, func() { w.NewEntity() })
	inner.Open()
	outer.Close()
	assert.True(t, w.IsLocked(), "the inner columns are open still")
	inner.Close()
	assert.False(t, w.IsLocked())
	assert.PanicsWithValue(t, "ecs: Columns closed without being open", inner.Close)
	inner.Open()
	assert.PanicsWithValue(t, "ecs: Columns opened twice; Close it first", func() { inner.Open() })
}

func TestSpansCoverEachRowOnceInOrder(t *testing.T) {
	w := arche.NewWorld()
	NewPrefab(&w, small{}).SpawnNow(&w, 5, nil)
	NewPrefab(&w, small{}, wide{}).SpawnNow(&w, 4, nil)
	c := NewColumns(&w, Need[small]())
	c.Open()
	assert.Equal(t, []Span{{0, 0, 2}, {0, 2, 4}, {0, 4, 5}, {1, 0, 2}, {1, 2, 4}}, c.Spans(2))
	assert.Equal(t, []Span{{0, 0, 5}, {1, 0, 4}}, c.Spans(1000))
	assert.Len(t, c.Spans(1), 9)
	assert.PanicsWithValue(t, "ecs: Spans of 0 rows; use a positive number", func() { c.Spans(0) })
	c.Close()
}

func TestOpenAllocatesNothingOnceWarm(t *testing.T) {
	w := arche.NewWorld()
	for _, values := range [][]any{{wide{}}, {wide{}, pair{}}, {wide{}, small{}}} {
		NewPrefab(&w, values...).SpawnNow(&w, 10, nil)
	}
	c := NewColumns(&w, Need[wide](), Optional[pair](), Without[tagged]())
	var sum uint32
	allocs.None(t, 100, func() {
		chunks := c.Open()
		c.Spans(4)
		for i := range chunks {
			for j := range Column[wide](&chunks[i], 0) {
				sum += Column[wide](&chunks[i], 0)[j].A
			}
		}
		c.Close()
	})
}

func TestClosedColumnsKeepNoStorageAlive(t *testing.T) {
	w := arche.NewWorld()
	NewPrefab(&w, small{}).SpawnNow(&w, 1, nil)
	c := NewColumns(&w, Need[small]())
	chunks := c.Open()
	c.Close()
	assert.Equal(t, make([]Chunk, 1), chunks)
	assert.Equal(t, []unsafe.Pointer{nil}, c.columns[:1])
	assert.Equal(t, [2]arche.Query{}, [2]arche.Query{c.lock, c.walk})
}

func TestReleaseTakesTheFilterOutOfTheCache(t *testing.T) {
	w := arche.NewWorld()
	c := NewColumns(&w, Need[small]())
	filter := c.filter
	c.Release()
	assert.Panics(t, func() { w.Cache().Unregister(&filter) }, "arche knows it no longer")
}

func TestATermThatThereIsNotIsNamed(t *testing.T) {
	w := arche.NewWorld()
	NewPrefab(&w, small{}).SpawnNow(&w, 1, nil)
	c := NewColumns(&w, Need[small](), Optional[wide]())
	chunk := &c.Open()[0]
	const beyond = "ecs: term 2 of a Chunk; its Columns have 2 terms, numbered from 0"
	assert.PanicsWithValue(t, beyond, func() { chunk.Has(2) })
	assert.PanicsWithValue(t, beyond, func() { Column[wide](chunk, 2) })
	assert.PanicsWithValue(t, "ecs: term -1 of a Chunk; its Columns have 2 terms, numbered from 0",
		func() { Column[wide](chunk, -1) })
	c.Close()
	const closed = "ecs: term 0 of a Chunk that is not valid; take one from Columns.Open, until Close"
	assert.PanicsWithValue(t, closed, func() { chunk.Has(0) })
	assert.PanicsWithValue(t, closed, func() { Column[small](chunk, 0) })
}

func TestNewColumnsRefuses(t *testing.T) {
	type holder struct {
		Bag [2]struct{ Names []string }
	}
	w := arche.NewWorld()
	assert.PanicsWithValue(t,
		"ecs: component ecs.holder holds a Go pointer: ecs.holder.Bag[0].Names is a slice; use an index or a handle "+
			"instead",
		func() { NewColumns(&w, Need[small](), Optional[holder]()) })
	assert.PanicsWithValue(t, "ecs: NewColumns names component ecs.small twice",
		func() { NewColumns(&w, Need[small](), Optional[small]()) })
}

var sink float32

func herd(n int) *arche.World {
	w := arche.NewWorld()
	// Eight archetypes, as a herd with a few kinds of agents has.
	for i := range 8 {
		values := []any{components.Transform{}, components.Body{Speed: 1}}
		for j, extra := range []any{components.Health{}, components.Senses{}, components.Faction{}} {
			if i>>j&1 != 0 {
				values = append(values, extra)
			}
		}
		NewPrefab(&w, values...).SpawnNow(&w, n/8, nil)
	}
	return &w
}

func moveByColumns(c *Columns) {
	chunks := c.Open()
	for i := range chunks {
		transforms := Column[components.Transform](&chunks[i], 0)
		bodies := Column[components.Body](&chunks[i], 1)[:len(transforms)]
		for j := range transforms {
			transforms[j].Position.X += bodies[j].Speed
		}
	}
	c.Close()
}

func moveByQuery(w *arche.World, filter arche.Filter, transform, body arche.ID) {
	q := w.Query(filter)
	for q.Next() {
		(*components.Transform)(q.Get(transform)).Position.X += (*components.Body)(q.Get(body)).Speed
	}
}

func BenchmarkColumns(b *testing.B) {
	const n = 10240
	w := herd(n)
	c := NewColumns(w, Need[components.Transform](), Need[components.Body]())
	moveByColumns(c)
	b.ResetTimer()
	for range b.N {
		moveByColumns(c)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/entity")
}

func BenchmarkNextAndGet(b *testing.B) {
	const n = 10240
	w := herd(n)
	c := NewColumns(w, Need[components.Transform](), Need[components.Body]())
	b.ResetTimer()
	for range b.N {
		moveByQuery(w, &c.filter, c.ids[0], c.ids[1])
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/entity")
}

func benchmarkOpen(b *testing.B) {
	c := NewColumns(herd(10240), Need[components.Transform](), Need[components.Body]())
	c.Open()
	c.Close()
	b.ResetTimer()
	for range b.N {
		c.Open()
		c.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/8, "ns/archetype")
}

func BenchmarkOpen(b *testing.B) { benchmarkOpen(b) }

func BenchmarkOpenByPublicAPI(b *testing.B) {
	setPublicOnly(b)
	benchmarkOpen(b)
}
