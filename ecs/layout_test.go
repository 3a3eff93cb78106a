package ecs

import (
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
)

func TestInnerFieldsOfThisArcheAreKnown(t *testing.T) {
	assert.True(t, queryLayout.known)
	assert.True(t, worldLayout.poolKnown)
	assert.True(t, worldLayout.typesKnown)
}

func TestChangedQueryIsNotRead(t *testing.T) {
	type access struct{ entityPointer unsafe.Pointer }
	_ = access{}.entityPointer // found by its name alone
	for name, query := range map[string]reflect.Type{
		"field renamed": reflect.TypeFor[struct {
			entityIndex, last uint32
			access            *access
		}](),
		"kind changed": reflect.TypeFor[struct {
			entityIndex, entityIndexMax uint64
			access                      *access
		}](),
		"access by value": reflect.TypeFor[struct {
			entityIndex, entityIndexMax uint32
			access                      access
		}](),
		"access unlike": reflect.TypeFor[struct {
			entityIndex, entityIndexMax uint32
			access                      *int
		}](),
		"no entity column": reflect.TypeFor[struct {
			entityIndex, entityIndexMax uint32
			access                      *struct{}
		}](),
		"not a struct": reflect.TypeFor[int](),
	} {
		assert.False(t, findQueryLayout(query).known, name)
	}
	like := findQueryLayout(reflect.TypeFor[struct {
		entityIndexMax, entityIndex uint32
		access                      *access
	}]())
	assert.Equal(t, queryFields{known: true, last: 0, index: 4, access: 8, entities: 0}, like)
}

func TestChangedWorldIsNotRead(t *testing.T) {
	type registry struct{ Components map[reflect.Type]uint8 }
	type outer struct{ registry }
	type other struct{ Components map[reflect.Type]uint16 }
	for _, c := range []struct {
		name        string
		world       reflect.Type
		pool, types bool
	}{
		{"empty", reflect.TypeFor[struct{}](), false, false},
		{"other entities", reflect.TypeFor[struct{ entityPool struct{ entities []uint64 } }](), false, false},
		{"other numbers", reflect.TypeFor[struct{ registry struct{ registry other } }](), false, false},
		{"pool alone", reflect.TypeFor[struct {
			entityPool struct{ entities []arche.Entity }
		}](), true, false},
		{"types alone", reflect.TypeFor[struct{ registry outer }](), false, true},
		{"no inner registry", reflect.TypeFor[struct{ registry struct{} }](), false, false},
	} {
		l := findWorldLayout(c.world)
		assert.Equal(t, c.pool, l.poolKnown, c.name)
		assert.Equal(t, c.types, l.typesKnown, c.name)
	}
}

func TestOffsetsInAWorldAddUp(t *testing.T) {
	type registry struct {
		_          uint64
		Components map[reflect.Type]uint8
	}
	type outer struct {
		_, _, _ uint64
		registry
	}
	type pool struct {
		_        uint64
		entities []arche.Entity
	}
	_ = pool{}.entities // found by its name alone
	l := findWorldLayout(reflect.TypeFor[struct {
		_, _       uint64
		entityPool pool
		registry   outer
	}]())
	word := unsafe.Sizeof(uintptr(0))
	assert.Equal(t, uintptr(16+8), l.pool)
	assert.Equal(t, uintptr(16+8+3*word+24+8), l.types, "after the pool and the three words of its slice")
}

func TestTheRowsOfAQueryAreThoseFromItsPositionOn(t *testing.T) {
	w := arche.NewWorld()
	NewPrefab(&w, small{}).SpawnNow(&w, 5, nil)
	q := w.Query(arche.All(arche.ComponentID[small](&w)))
	for left := 5; q.Next(); left-- {
		assert.Equal(t, left, queryLayout.rows(&q))
	}
}

func TestAComponentIDOfAnotherLayoutIsNotRead(t *testing.T) {
	assert.True(t, isByte(reflect.TypeFor[struct{ id uint8 }]()))
	for _, other := range []reflect.Type{
		reflect.TypeFor[uint8](), reflect.TypeFor[struct{}](), reflect.TypeFor[struct{ id uint16 }](),
		reflect.TypeFor[struct{ id, more uint8 }](),
	} {
		assert.False(t, isByte(other), other)
	}
}

// numbered is a distinct pointer-free type for each n.
func numbered(n int) reflect.Type { return reflect.ArrayOf(n+1, reflect.TypeFor[uint8]()) }

func TestTheLastTypeThatArcheCanHoldWorksAndTheNextIsRefused(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		w := arche.NewWorld()
		var last arche.ID
		for i := range maxComponents {
			last = componentID(&w, numbered(i))
		}
		e := w.NewEntity(last)
		assert.PanicsWithValue(t,
			fmt.Sprintf("ecs: cannot register component ecs.small: the world has %d component types already, the "+
				"most that arche can hold", maxComponents),
			func() { NewColumns(&w, Need[small]()) })
		assert.Nil(t, Get[small](&w, FromArche(e)))
		assert.Equal(t, last, componentID(&w, numbered(maxComponents-1)), "a type that the world has is accepted")
		c := NewColumns(&w, needType(numbered(maxComponents-1)), optionalType(numbered(0)))
		assert.Len(t, c.Open(), 1, "and the world works")
		c.Close()
		assert.NotPanics(t, func() { w.NewEntity(componentID(&w, numbered(0)), last) })
	})
}

func TestComponentIDRefuses(t *testing.T) {
	w := arche.NewWorld()
	assert.PanicsWithValue(t, "ecs: a component has no type: the value or the Term is zero; use a component struct, "+
		"or Need, Optional or Without", func() { NewPrefab(&w, nil) })
	assert.PanicsWithValue(t, "ecs: a component is a struct, and *ecs.small is a pointer; pass the value",
		func() { NewPrefab(&w, &small{}) })
	assert.Empty(t, arche.ComponentIDs(&w), "nothing partial is left")
	c := NewColumns(&w, Need[small]())
	c.Open()
	assert.NotPanics(t, func() { NewLookup[small](&w) }, "known already")
	assert.PanicsWithValue(t,
		"ecs: cannot register component ecs.wide in a locked world; register it before a query or Columns is open",
		func() { NewLookup[wide](&w) })
}
