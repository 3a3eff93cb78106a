// Package memory holds what ecs.Columns tell the kernels that read components by address: internal/gather, and whatever
// else needs more than slices.
package memory

import (
	"unsafe"

	"github.com/flockwork-ai/flockwork/components"
)

// Columns are the columns of open ecs.Columns. They are valid until these close.
type Columns struct {
	Bases    []unsafe.Pointer // a row of Terms per chunk: the component of its first row, or nil
	Terms    int
	Entities Entities
}

// Base returns the address of a term's component in the first row of a chunk, or nil if the chunk lacks it. The other
// rows follow, one component after another.
func (c *Columns) Base(chunk, term int) unsafe.Pointer { return c.Bases[chunk*c.Terms+term] }

// Entities tell which entities of a world are alive.
type Entities struct {
	Pool Pool
	Test func(components.Entity) bool // where arche's pool cannot be read, otherwise nil
}

// Alive reports whether an entity is alive. Any entity may be asked for.
func (s *Entities) Alive(e components.Entity) bool {
	if s.Test != nil {
		return s.Test(e)
	}
	return s.Pool.Has(e)
}

// Pool is arche's slots of entities by index. A slot in use holds the entity itself; a free one holds the next free
// index in place of its own.
type Pool []components.Entity

// Has reports whether an entity is in use.
func (p Pool) Has(e components.Entity) bool {
	return uint(e.Index) < uint(len(p)) && e.Index != 0 && p[e.Index] == e
}
