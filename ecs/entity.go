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

// The conversions below reinterpret bits, so the two layouts must agree. There is no public way to make an arche entity
// from its parts, hence no fall-back: a version of arche that differs stops the program here.
func init() { requireEntityLayout(reflect.TypeFor[arche.Entity]()) }

func requireEntityLayout(t reflect.Type) {
	if t.NumField() != 2 || t.Field(0).Type.Kind() != reflect.Uint32 || t.Field(1).Type.Kind() != reflect.Uint32 {
		panic(fmt.Sprintf("ecs: arche's %v is not an index and a generation of 32 bits each; use arche v0.15.3", t))
	}
}

// FromArche returns an entity of arche as a reference of package components. It costs nothing.
func FromArche(e arche.Entity) components.Entity { return *(*components.Entity)(unsafe.Pointer(&e)) }

// ToArche returns arche's handle of an entity. It costs nothing.
func ToArche(e components.Entity) arche.Entity { return *(*arche.Entity)(unsafe.Pointer(&e)) }

// EntityFact names a field that holds a reference to an entity as arche's own handle. It is what
// [blackboard.EntityFact] is for a reference of package components.
func EntityFact[C any](name string, field func(*C) *arche.Entity) blackboard.Fact {
	if field == nil {
		return blackboard.EntityFact[C](name, nil)
	}
	// The two handles have one layout, see init.
	return blackboard.EntityFact(name, func(c *C) *components.Entity {
		return (*components.Entity)(unsafe.Pointer(field(c)))
	})
}

// Alive reports whether an entity exists. Unlike arche's World.Alive it never panics: the zero entity, an index that
// the world never had and a handle that it never gave out are not alive. It changes nothing, so several goroutines may
// call it at once as long as none changes the world.
func Alive(w *arche.World, e components.Entity) bool {
	if !worldLayout.poolKnown {
		return aliveSlow(w, e)
	}
	return entityPool(w).Has(e)
}

// entityPool returns the world's slots of entities. worldLayout.poolKnown must hold.
func entityPool(w *arche.World) memory.Pool {
	return *(*memory.Pool)(unsafe.Add(unsafe.Pointer(w), worldLayout.pool))
}

// entityCapacity returns for how many entities the world has slots in use or free again: the most that it has had at a
// time.
func entityCapacity(w *arche.World) int {
	if !worldLayout.poolKnown {
		q := w.Query(arche.All()) // those alive, which are as good a measure
		defer q.Close()
		return q.Count()
	}
	return len(entityPool(w))
}

func aliveSlow(w *arche.World, e components.Entity) bool {
	if e.Index == 0 {
		return false
	}
	defer func() { _ = recover() }() // of an index that is out of range, which is not alive
	return w.Alive(ToArche(e))
}

// Get returns an entity's component, or nil when the entity is dead or lacks it. The pointer is valid until the next
// structural change of the world. Get changes nothing, so several goroutines may call it at once. A [Lookup] is faster:
// it finds the component's ID once.
func Get[T any](w *arche.World, e components.Entity) *T {
	id, ok := registered(w, reflect.TypeFor[T]())
	if !ok || !Alive(w, e) {
		return nil
	}
	return (*T)(w.GetUnchecked(ToArche(e), id))
}

// Lookup reads one component of entities in any order. Make it with [NewLookup].
type Lookup[T any] struct {
	world *arche.World
	id    arche.ID
}

// NewLookup returns a lookup of a component in a world.
//
// Panics when the world cannot hold the component; see Component types in the package documentation.
func NewLookup[T any](w *arche.World) Lookup[T] {
	requireWorld(w, "NewLookup")
	return Lookup[T]{world: w, id: componentID(w, reflect.TypeFor[T]())}
}

// Get returns an entity's component, or nil when the entity is dead or lacks it. The pointer is valid until the next
// structural change of the world. Several goroutines may call it at once.
func (l Lookup[T]) Get(e components.Entity) *T {
	if !Alive(l.world, e) {
		return nil
	}
	return (*T)(l.world.GetUnchecked(ToArche(e), l.id))
}
