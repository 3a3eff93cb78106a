package ecs

import (
	"fmt"
	"reflect"

	arche "github.com/mlange-42/arche/ecs"
)

// Resource returns a resource of the world. The panic names the caller, such as "perception".
//
// Panics when the world does not have the resource or is nil.
func Resource[T any](w *arche.World, caller string) *T {
	requireWorld(w, "Resource for "+caller)
	r := FindResource[T](w)
	if r == nil {
		panic(fmt.Sprintf("%s: the world has no %v; call systems.Install", caller, reflect.TypeFor[*T]()))
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
