package ecs

import (
	"fmt"
	"reflect"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
)

func TestEntityKeepsItsBits(t *testing.T) {
	w := arche.NewWorld()
	w.RemoveEntity(w.NewEntity())
	e := w.NewEntity() // recycles the index
	assert.Equal(t, entity(1, 1), FromArche(e))
	assert.Equal(t, e, ToArche(FromArche(e)))
	assert.Equal(t, components.Entity{Index: e.ID(), Generation: e.Generation()}, FromArche(e))
}

func TestAnEntityOfAnotherLayoutIsRefused(t *testing.T) {
	assert.NotPanics(t, func() { requireEntityLayout(reflect.TypeFor[struct{ ID, Gen uint32 }]()) })
	for _, other := range []reflect.Type{
		reflect.TypeFor[struct{ ID, Gen uint64 }](),
		reflect.TypeFor[struct{ ID uint64 }](),
		reflect.TypeFor[struct{ ID uint32 }](),
		reflect.TypeFor[struct {
			ID       uint32
			Gen, Low uint16
		}](),
		reflect.TypeFor[struct{ ID, Gen, More uint32 }](),
		reflect.TypeFor[struct {
			ID  int32
			Gen uint32
		}](),
		reflect.TypeFor[struct {
			ID  uint32
			Gen int32
		}](),
	} {
		assert.PanicsWithValue(t, fmt.Sprintf("ecs: arche's %v is not an index and a generation of 32 bits each; "+
			"use arche v0.15.3", other), func() { requireEntityLayout(other) })
	}
}

func TestEntityFactNamesTheFieldThatHoldsAHandleOfArche(t *testing.T) {
	type rider struct {
		Age   uint32
		Horse arche.Entity
	}
	horse := EntityFact("horse", func(r *rider) *arche.Entity { return &r.Horse })
	require.NoError(t, horse.Err())
	assert.EqualValues(t, 4, horse.Field().Offset)
	assert.Equal(t, reflect.TypeFor[rider](), horse.Component())
	assert.Error(t, EntityFact[rider]("nothing", nil).Err(), "it names no field")
}

func TestAliveNeverPanics(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		w := arche.NewWorld()
		first, second := FromArche(w.NewEntity()), FromArche(w.NewEntity())
		w.RemoveEntity(ToArche(first))
		for _, c := range []struct {
			name string
			e    components.Entity
			want bool
		}{
			{"alive", second, true},
			{"removed", first, false},
			{"zero", entity(0, 0), false},
			{"arche's own mark of the zero entity", entity(0, 1<<32-1), false},
			{"index out of range", entity(3, 0), false},
			{"index far out of range", entity(1<<32-1, 0), false},
			{"generation to come", entity(2, 1), false},
		} {
			assert.Equal(t, c.want, Alive(&w, c.e), c.name)
		}
	})
}

func TestHandleThatWasNeverGivenOutIsDead(t *testing.T) {
	w := arche.NewWorld()
	w.RemoveEntity(w.NewEntity())
	// The index is free and its next entity will have this generation; arche's Alive says yes.
	assert.False(t, Alive(&w, entity(1, 1)))
	assert.Nil(t, Get[small](&w, entity(1, 1)))
}

func TestAliveFollowsTheWorld(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			r := newRandomWorld()
			seen := map[arche.Entity]bool{}
			for range rapid.IntRange(0, 60).Draw(t, "changes") {
				r.change(t)
				for _, e := range r.alive {
					seen[e] = true
				}
			}
			alive := map[arche.Entity]bool{}
			for _, e := range r.alive {
				alive[e] = true
			}
			for e := range seen {
				require.Equal(t, alive[e], Alive(r.world, FromArche(e)), "%v", e)
			}
		})
	})
}

func TestGetReadsAComponentOrNil(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		w := arche.NewWorld()
		var entities []components.Entity
		NewPrefab(&w, small{A: 4}, tagged{}).SpawnNow(&w, 2,
			func(_ int, e components.Entity) { entities = append(entities, e) })
		w.RemoveEntity(ToArche(entities[0]))
		lookup := NewLookup[small](&w)
		assert.Equal(t, small{A: 4}, *Get[small](&w, entities[1]))
		assert.Equal(t, small{A: 4}, *lookup.Get(entities[1]))
		assert.NotNil(t, Get[tagged](&w, entities[1]))
		assert.Nil(t, Get[small](&w, entities[0]), "dead")
		assert.Nil(t, lookup.Get(entities[0]), "dead")
		assert.Nil(t, NewLookup[wide](&w).Get(entities[1]), "lacks it")
		assert.Nil(t, Get[wide](&w, entities[1]), "lacks it")
		assert.Nil(t, Get[small](&w, components.Entity{}), "zero")
	})
}

func TestGetOfAnUnknownTypeRegistersNothing(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		w := arche.NewWorld()
		c := NewColumns(&w, Need[small]())
		e := FromArche(w.NewEntity())
		c.Open()
		assert.Nil(t, Get[wide](&w, e), "in a locked world, where arche would panic")
		c.Close()
		assert.Len(t, arche.ComponentIDs(&w), 1)
	})
}

func BenchmarkAlive(b *testing.B) {
	w := herd(10240)
	alive := 0
	for i := range b.N {
		if Alive(w, entity(uint32(i)%12000, 0)) {
			alive++
		}
	}
	sink = float32(alive)
}

func BenchmarkLookup(b *testing.B) {
	w := herd(10240)
	lookup := NewLookup[components.Body](w)
	var sum float32
	for i := range b.N {
		sum += lookup.Get(entity(1+uint32(i)*7919%10240, 0)).Speed
	}
	sink = sum
}

func BenchmarkGet(b *testing.B) {
	w := herd(10240)
	var sum float32
	for i := range b.N {
		sum += Get[components.Body](w, entity(1+uint32(i)*7919%10240, 0)).Speed
	}
	sink = sum
}
