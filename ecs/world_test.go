package ecs

import (
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
)

// Components of the tests: several sizes, none, one byte, and a relation.
type (
	wide   struct{ A, B, C uint32 }
	pair   struct{ A, B uint64 }
	tagged struct{}
	small  struct{ A uint8 }
	parent struct {
		arche.Relation
		Value uint32
	}
)

var testTypes = []reflect.Type{
	reflect.TypeFor[wide](), reflect.TypeFor[pair](), reflect.TypeFor[tagged](), reflect.TypeFor[small](),
	reflect.TypeFor[parent](),
}

// setPublicOnly makes the package use arche's public API alone until the test ends.
func setPublicOnly(t testing.TB) {
	query, world := queryLayout, worldLayout
	queryLayout, worldLayout = queryFields{}, worldFields{}
	t.Cleanup(func() { queryLayout, worldLayout = query, world })
}

// eachPath runs a test on arche's inner fields and on its public API.
func eachPath(t *testing.T, test func(t *testing.T)) {
	t.Run("inner fields", test)
	t.Run("public API", func(t *testing.T) {
		setPublicOnly(t)
		test(t)
	})
}

// randomWorld makes, changes and removes entities so that archetypes grow, shrink, empty, come and go.
type randomWorld struct {
	world  *arche.World
	ids    []arche.ID
	alive  []arche.Entity
	serial byte
}

func newRandomWorld() *randomWorld {
	w := arche.NewWorld(2)
	r := &randomWorld{world: &w}
	for _, t := range testTypes {
		r.ids = append(r.ids, componentID(&w, t))
	}
	return r
}

func (r *randomWorld) change(t *rapid.T) {
	switch op := rapid.IntRange(0, 9).Draw(t, "op"); {
	case op < 5 || len(r.alive) == 0:
		var ids []arche.ID
		for i, has := range rapid.SliceOfN(rapid.Bool(), len(r.ids), len(r.ids)).Draw(t, "has") {
			if has {
				ids = append(ids, r.ids[i])
			}
		}
		for range rapid.IntRange(1, 6).Draw(t, "count") {
			e := r.world.NewEntity(ids...)
			r.alive = append(r.alive, e)
			r.stamp(e)
		}
	case op < 7:
		i := r.pick(t)
		r.world.RemoveEntity(r.alive[i])
		r.alive = append(r.alive[:i], r.alive[i+1:]...)
	case op < 9:
		e := r.alive[r.pick(t)]
		id := rapid.SampledFrom(r.ids).Draw(t, "component")
		if r.world.Has(e, id) {
			r.world.Remove(e, id)
		} else {
			r.world.Add(e, id)
			r.stamp(e)
		}
	default:
		e, target, relation := r.alive[r.pick(t)], r.alive[r.pick(t)], r.ids[len(r.ids)-1]
		// Removing an entity that is its own target makes arche panic.
		if r.world.Has(e, relation) && e != target {
			r.world.Relations().Set(e, relation, target)
		}
	}
}

func (r *randomWorld) pick(t *rapid.T) int {
	return rapid.IntRange(0, len(r.alive)-1).Draw(t, "entity")
}

// stamp gives an entity's components bytes of their own.
func (r *randomWorld) stamp(e arche.Entity) {
	for i, id := range r.ids {
		if r.world.Has(e, id) {
			for j, bytes := 0, bytesAt(r.world.Get(e, id), testTypes[i].Size()); j < len(bytes); j++ {
				r.serial++
				bytes[j] = r.serial
			}
		}
	}
}

// dump lists the entities that match a filter, in the order of Query.Next, with the bytes of the given
// components.
func dump(w *arche.World, filter arche.Filter, types []reflect.Type, ids []arche.ID) []string {
	var rows []string
	q := w.Query(filter)
	for q.Next() {
		row := fmt.Sprint(FromArche(q.Entity()))
		for i, id := range ids {
			row += describe(types[i], q.Get(id))
		}
		rows = append(rows, row)
	}
	return rows
}

func describe(t reflect.Type, p unsafe.Pointer) string {
	if p == nil {
		return " -"
	}
	return fmt.Sprintf(" %x", bytesAt(p, t.Size()))
}

func entity(index, generation uint32) components.Entity {
	return components.Entity{Index: index, Generation: generation}
}
