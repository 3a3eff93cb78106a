package systems

import (
	"math/bits"
	"slices"
)

// What systems have in common within a frame: scratch memory that is kept, workers' lists, and columns.

// sized returns a slice of length n that reuses the memory of s. Its content is undefined.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// maxRoom is how many entries of a list are reserved at most: enough for the peaks of a frame, and little beside
// the agents of a herd that is larger.
const maxRoom = 1 << 16

// roomy returns a list with room for as many entries as there are agents, up to maxRoom, so that it does not
// allocate at each new peak. Powers of two keep a herd that grows from allocating each time.
func roomy[T any](list []T, agents int) []T {
	room := min(1<<bits.Len(uint(agents)), maxRoom)
	return slices.Grow(list, max(room-len(list), 0))
}

// merged replaces the content of a list by what the workers have in theirs, in an order that does not depend on which
// of them served whom, and empties theirs: what compares equal must be alike, or its order of no account.
func merged[W, T any](list []T, crew []W, of func(*W) *[]T, compare func(a, b T) int) []T {
	list = list[:0]
	for i := range crew {
		own := of(&crew[i])
		list = append(list, *own...)
		*own = (*own)[:0]
	}
	slices.SortFunc(list, compare)
	return list
}

// rowOf returns a row of a column, nil where the archetype lacks the component.
func rowOf[T any](column []T, i int) *T {
	if column == nil {
		return nil
	}
	return &column[i]
}

// release gives up columns, if there are any.
func release[C interface {
	comparable
	Release()
}](c *C) {
	var none C
	if *c != none {
		(*c).Release()
		*c = none
	}
}
