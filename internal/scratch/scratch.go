// Package scratch has helpers for memory that systems keep from frame to frame: slices that are reused, lists per
// worker that are merged in a fixed order, and columns of a query.
package scratch

import (
	"math/bits"
	"slices"
)

// Sized returns a slice of length n that reuses the memory of s. Its content is undefined.
func Sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// MaxReserve is the most entries that [Reserve] reserves: enough for the peaks of a frame, and little memory compared
// with that of more agents.
const MaxReserve = 1 << 16

// Reserve returns a list with capacity for as many entries as there are agents, up to [MaxReserve], so that it does not
// allocate at each new peak. The capacity is a power of two, so that it does not grow with each agent that joins.
func Reserve[T any](list []T, agents int) []T {
	room := min(1<<bits.Len(uint(agents)), MaxReserve)
	return slices.Grow(list, max(room-len(list), 0))
}

// Merge replaces the content of a list by the entries of the workers' lists, sorted, and empties these. The result does
// not depend on which worker found an entry, provided that entries that compare equal are interchangeable.
func Merge[W, T any](list []T, workers []W, of func(*W) *[]T, compare func(a, b T) int) []T {
	list = list[:0]
	for i := range workers {
		entries := of(&workers[i])
		list = append(list, *entries...)
		*entries = (*entries)[:0]
	}
	slices.SortFunc(list, compare)
	return list
}

// RowOf returns a row of a column, nil if the archetype lacks the component.
func RowOf[T any](column []T, i int) *T {
	if column == nil {
		return nil
	}
	return &column[i]
}

// Release releases columns and sets them to nil. It does nothing for nil.
func Release[C interface {
	comparable
	Release()
}](columns *C) {
	var none C
	if *columns != none {
		(*columns).Release()
		*columns = none
	}
}
