package ecs

import (
	"fmt"
	"reflect"

	arche "github.com/mlange-42/arche/ecs"
)

// Resource returns a resource of the world.
//
// Panics when the world does not have the resource or is nil.
func Resource[T any](w *arche.World) *T {
	requireWorld(w, "Resource")
	r := FindResource[T](w)
	if r == nil {
		panic(fmt.Sprintf("ecs: the world has no %v; call systems.Install, or add a resource of your own with arche's "+
			"AddResource", reflect.TypeFor[*T]()))
	}
	return r
}

// FindResource returns a resource of the world, or nil when the world does not have it.
//
// Panics when the world is nil.
func FindResource[T any](w *arche.World) *T {
	requireWorld(w, "FindResource")
	if id := arche.ResourceID[T](w); w.Resources().Has(id) {
		return w.Resources().Get(id).(*T)
	}
	return nil
}
