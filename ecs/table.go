package ecs

import "github.com/flockwork-ai/flockwork/components"

// Table keeps a value per entity beside the world, where a component would be too much: for what only one system or one
// scenario needs. It is an array by [components.Entity.Index] that grows as entities are set, so a look-up costs as
// much as indexing a slice. The zero value is empty.
//
// A table knows nothing of generations. A value outlives its entity, and the next entity with the same index gets it:
// reset the value when an entity is spawned or removed, or keep the [components.Entity] in T and compare it.
//
// Goroutines may use a table at once when none of them grows it and no two of them use the same index.
type Table[T any] struct{ values []T }

// Len returns the number of values: one more than the greatest index that the table has room for.
func (t *Table[T]) Len() int { return len(t.values) }

// Get returns the value of an entity, or the zero value of T when the table does not reach to its index.
func (t *Table[T]) Get(e components.Entity) (value T) {
	// An index above 2^31 is no int on 32-bit platforms, so the comparison is unsigned.
	if uint(e.Index) < uint(len(t.values)) {
		value = t.values[e.Index]
	}
	return value
}

// At returns a pointer to the value of an entity, or nil when the table does not reach to its index. The pointer holds
// until the table grows.
func (t *Table[T]) At(e components.Entity) *T {
	if uint(e.Index) < uint(len(t.values)) {
		return &t.values[e.Index]
	}
	return nil
}

// Set changes the value of an entity. The table grows where needed.
func (t *Table[T]) Set(e components.Entity, value T) { *t.Entry(e) = value }

// Entry returns a pointer to the value of an entity. The table grows where needed; new values are zero. The pointer
// holds until the table grows again.
func (t *Table[T]) Entry(e components.Entity) *T {
	if uint(e.Index) >= uint(len(t.values)) {
		t.grow(uint64(e.Index) + 1)
	}
	return &t.values[e.Index]
}

// Grow makes the table at least n values long, so that entities of indices below n find a place. New values are zero.
// Values do not move when the table is long enough. It does nothing for n below [Table.Len].
func (t *Table[T]) Grow(n int) {
	if n > len(t.values) {
		t.grow(uint64(n))
	}
}

func (t *Table[T]) grow(n uint64) {
	// The length is checked by make: it panics when no slice can have it.
	t.values = append(t.values, make([]T, n-uint64(len(t.values)))...)
}

// Values returns the values by entity index, for loops over all of them. The slice holds until the table grows.
func (t *Table[T]) Values() []T { return t.values }

// Reset makes all values zero. The length stays.
func (t *Table[T]) Reset() { clear(t.values) }
