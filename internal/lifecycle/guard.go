// Package lifecycle checks that the methods of a system are called in order: Initialize, Update once a frame, Finalize.
package lifecycle

// Guard remembers the world that a system was initialised for, of type W. The zero value is that of a system that was
// not initialised.
type Guard[W any] struct{ world *W }

// Begin records that a system, which a panic names, is initialised for a world.
//
// Panics when the world is nil.
func (g *Guard[W]) Begin(system string, w *W) {
	if w == nil {
		panic(system + ": Initialize of a nil world; pass a pointer to the result of arche's NewWorld")
	}
	g.world = w
}

// Check panics, naming the system, unless it was initialised for this world and not finalised since.
func (g *Guard[W]) Check(system string, w *W) {
	if g.world != w || w == nil {
		g.fail(system)
	}
}

func (g *Guard[W]) fail(system string) {
	if g.world == nil {
		panic(system + ": Update before Initialize or after Finalize; call Initialize with the world first")
	}
	panic(system + ": Update of another world than that of Initialize; use one system for each world")
}

// End records that the system is finalised.
func (g *Guard[W]) End() { g.world = nil }
