package ecs

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/allocs"
)

func TestTableAnswersAsAMapByIndexDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table Table[int32]
		values, length := map[uint32]int32{}, 0
		entity := func(t *rapid.T) components.Entity {
			return components.Entity{Index: rapid.Uint32Max(40).Draw(t, "index"),
				Generation: rapid.Uint32().Draw(t, "generation")}
		}
		reach := func(n int) { length = max(length, n) }
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				e, v := entity(t), rapid.Int32().Draw(t, "value")
				table.Set(e, v)
				values[e.Index] = v
				reach(int(e.Index) + 1)
			},
			"entry": func(t *rapid.T) {
				e := entity(t)
				*table.Entry(e)++
				values[e.Index]++
				reach(int(e.Index) + 1)
			},
			"at": func(t *rapid.T) {
				e := entity(t)
				at := table.At(e)
				assert.Equal(t, int(e.Index) < length, at != nil)
				if at != nil {
					*at--
					values[e.Index]--
				}
			},
			"grow":  func(t *rapid.T) { n := rapid.IntRange(-1, 50).Draw(t, "n"); table.Grow(n); reach(n) },
			"reset": func(*rapid.T) { table.Reset(); clear(values) },
			"": func(t *rapid.T) {
				assert.Equal(t, length, table.Len())
				assert.Len(t, table.Values(), length)
				for i := range uint32(60) {
					assert.Equal(t, values[i], table.Get(components.Entity{Index: i}), "index %d", i)
				}
			},
		})
	})
}

func TestTableDoesNotReachToTheGreatestIndex(t *testing.T) {
	var table Table[int]
	table.Grow(10)
	for _, index := range []uint32{10, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32} {
		e := components.Entity{Index: index}
		assert.Zero(t, table.Get(e))
		assert.Nil(t, table.At(e))
	}
	assert.Equal(t, 10, table.Len(), "reading does not grow it")
}

func TestTableFindsAValueWhateverTheGeneration(t *testing.T) {
	var table Table[string]
	table.Set(components.Entity{Index: 3, Generation: 1}, "first")
	assert.Equal(t, "first", table.Get(components.Entity{Index: 3, Generation: 2}))
}

func TestTableAllocatesNothingOnceLongEnough(t *testing.T) {
	var table Table[int]
	table.Grow(100)
	e := components.Entity{Index: 99}
	allocs.None(t, 100, func() {
		table.Set(e, table.Get(e)+1)
		*table.Entry(e) += *table.At(e)
		table.Grow(100)
	})
}

func TestTableGrowsInConstantTimePerEntity(t *testing.T) {
	const entities = 10_000
	var table Table[int]
	growths := 0
	for i := range uint32(entities) {
		before := cap(table.values)
		table.Set(components.Entity{Index: i}, 1)
		if cap(table.values) != before {
			growths++
		}
	}
	assert.Less(t, growths, 60, "capacities grow by a factor")
}

func BenchmarkTableGet(b *testing.B) {
	var table Table[uint8]
	table.Grow(1000)
	b.ResetTimer()
	for b.Loop() {
		benchmarkSink += sumOfTable(&table)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/entity")
}

var benchmarkSink int

func sumOfTable(t *Table[uint8]) (sum int) {
	for i := range uint32(1000) {
		sum += int(t.Get(components.Entity{Index: i}))
	}
	return sum
}
