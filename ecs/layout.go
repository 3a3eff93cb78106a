package ecs

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
)

// These are the offsets of fields that arche does not export. Reflection finds them once, when the program starts,
// after a check of each field's name and type. Where a check fails, the public API is used instead: slower, with the
// same results.
var (
	queryLayout = findQueryLayout(reflect.TypeFor[arche.Query]())
	worldLayout = findWorldLayout(reflect.TypeFor[arche.World]())
)

// queryFields are the offsets needed to read a query's current archetype.
type queryFields struct {
	known    bool
	index    uintptr // of Query.entityIndex, uint32
	last     uintptr // of Query.entityIndexMax, uint32
	access   uintptr // of Query.access, a pointer to the archetype's columns
	entities uintptr // of access.entityPointer, the base of the entity column
}

func findQueryLayout(query reflect.Type) queryFields {
	index, ok1 := fieldOf(query, "entityIndex", reflect.Uint32)
	last, ok2 := fieldOf(query, "entityIndexMax", reflect.Uint32)
	access, ok3 := fieldOf(query, "access", reflect.Pointer)
	if !ok1 || !ok2 || !ok3 || access.Type.Elem().Kind() != reflect.Struct {
		return queryFields{}
	}
	entities, ok := fieldOf(access.Type.Elem(), "entityPointer", reflect.UnsafePointer)
	if !ok {
		return queryFields{}
	}
	return queryFields{
		known: true, index: index.Offset, last: last.Offset, access: access.Offset, entities: entities.Offset,
	}
}

// rows returns how many entities a query still has in its current archetype, from the position on.
func (l *queryFields) rows(q *arche.Query) int {
	base := unsafe.Pointer(q)
	return int(*(*uint32)(unsafe.Add(base, l.last))-*(*uint32)(unsafe.Add(base, l.index))) + 1
}

// column returns the entities of a query's current archetype, from its first row.
func (l *queryFields) column(q *arche.Query) *components.Entity {
	access := *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(q), l.access))
	return *(**components.Entity)(unsafe.Add(access, l.entities))
}

// worldFields are the offsets needed to ask a world about entities and component types without panics and without
// changing it.
type worldFields struct {
	poolKnown  bool
	pool       uintptr // of World.entityPool.entities, []Entity
	typesKnown bool
	types      uintptr // of World.registry.Components, map[reflect.Type]uint8
}

func findWorldLayout(world reflect.Type) (l worldFields) {
	if pool, ok := fieldOf(world, "entityPool", reflect.Struct); ok {
		entities, ok := fieldOf(pool.Type, "entities", reflect.Slice)
		if ok && entities.Type.Elem() == reflect.TypeFor[arche.Entity]() {
			l.poolKnown, l.pool = true, pool.Offset+entities.Offset
		}
	}
	if outer, ok := fieldOf(world, "registry", reflect.Struct); ok {
		if inner, ok := fieldOf(outer.Type, "registry", reflect.Struct); ok {
			types, ok := fieldOf(inner.Type, "Components", reflect.Map)
			if ok && types.Type == reflect.TypeFor[map[reflect.Type]uint8]() &&
				isByte(reflect.TypeFor[arche.ID]()) {
				l.typesKnown, l.types = true, outer.Offset+inner.Offset+types.Offset
			}
		}
	}
	return l
}

func fieldOf(t reflect.Type, name string, kind reflect.Kind) (reflect.StructField, bool) {
	if t.Kind() != reflect.Struct {
		return reflect.StructField{}, false
	}
	f, ok := t.FieldByName(name)
	return f, ok && f.Type.Kind() == kind && len(f.Index) == 1
}

// isByte reports whether a type is a struct of one byte, as arche's component ID is.
func isByte(id reflect.Type) bool {
	return id.Kind() == reflect.Struct && id.NumField() == 1 && id.Field(0).Type.Kind() == reflect.Uint8
}

// maxComponents is how many component types a world can hold: arche counts the columns of an archetype in a byte, in
// steps of 16, so the 241st type makes it zero.
const maxComponents = min(240, arche.MaskTotalBits)

// registered returns the ID of a component type, if the world knows it. It changes nothing, so it may be called in a
// locked world and by several goroutines.
func registered(w *arche.World, t reflect.Type) (arche.ID, bool) {
	if worldLayout.typesKnown {
		number, ok := (*(*map[reflect.Type]uint8)(unsafe.Add(unsafe.Pointer(w), worldLayout.types)))[t]
		return *(*arche.ID)(unsafe.Pointer(&number)), ok
	}
	return registeredSlow(w, t)
}

func registeredSlow(w *arche.World, t reflect.Type) (arche.ID, bool) {
	for _, id := range arche.ComponentIDs(w) {
		if info, ok := arche.ComponentInfo(w, id); ok && info.Type == t {
			return id, true
		}
	}
	return arche.ID{}, false
}

// requireWorld panics, naming the function, when a world is nil.
func requireWorld(w *arche.World, function string) {
	if w == nil {
		panic("ecs: " + function + " of a nil world; pass a pointer to the result of arche's NewWorld")
	}
}

// componentID makes a component type known to the world and returns its ID. The functions of this package call it for
// the types that they are given.
//
// Panics:
//   - when the type holds a Go pointer, naming the field;
//   - when it would be the 241st component type of the world;
//   - when it is new and the world is locked.
func componentID(w *arche.World, t reflect.Type) arche.ID {
	if t == nil {
		panic("ecs: a component has no type: the value or the Term is zero; use a component struct, or Need, " +
			"Optional or Without")
	}
	if t.Name() != "" && t.PkgPath() == "" { // predeclared, so that all uses of int would be one component
		panic(fmt.Sprintf("ecs: %v is no component; use a struct of your own", t))
	}
	if err := components.CheckPointerFree(t); err != nil {
		panic("ecs: " + err.Error())
	}
	if id, ok := registered(w, t); ok {
		return id
	}
	if len(arche.ComponentIDs(w)) >= maxComponents {
		panic(fmt.Sprintf("ecs: cannot register component %v: the world has %d component types already, the most that "+
			"arche can hold",
			t, maxComponents))
	}
	if w.IsLocked() {
		panic(fmt.Sprintf("ecs: cannot register component %v in a locked world; register it before a query or Columns "+
			"is open", t))
	}
	return arche.TypeID(w, t)
}

// isRelation reports whether a component is a relation for arche: a struct that embeds its Relation first.
func isRelation(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Name == "Relation" &&
		t.Field(0).Type == reflect.TypeFor[arche.Relation]()
}

// bytesAt is the memory of a component as bytes.
func bytesAt(p unsafe.Pointer, size uintptr) []byte { return unsafe.Slice((*byte)(p), size) }

// bytesOf returns a copy of the bytes of a pointer-free value.
func bytesOf(v reflect.Value) []byte {
	box := reflect.New(v.Type())
	box.Elem().Set(v)
	return slices.Clone(bytesAt(box.UnsafePointer(), v.Type().Size()))
}
