package scratch

import (
	"math/bits"
	"slices"

	"github.com/flockwork-ai/flockwork/ecs"
)

// What systems have in common within a frame: scratch memory that is kept, workers' lists, and columns.

// Sized returns a slice of length n that reuses the memory of s. Its content is undefined.
func Sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// MaxRoom is how many entries of a list are reserved at most: enough for the peaks of a frame, and little beside
// the agents of a herd that is larger.
const MaxRoom = 1 << 16

// Roomy returns a list with room for as many entries as there are agents, up to maxRoom, so that it does not
// allocate at each new peak. Powers of two keep a herd that grows from allocating each time.
func Roomy[T any](list []T, agents int) []T {
	room := min(1<<bits.Len(uint(agents)), MaxRoom)
	return slices.Grow(list, max(room-len(list), 0))
}

// Merged replaces the content of a list by what the workers have in theirs, in an order that does not depend on which
// of them served whom, and empties theirs: what compares equal must be alike, or its order of no account.
func Merged[W, T any](list []T, crew []W, of func(*W) *[]T, compare func(a, b T) int) []T {
	list = list[:0]
	for i := range crew {
		own := of(&crew[i])
		list = append(list, *own...)
		*own = (*own)[:0]
	}
	slices.SortFunc(list, compare)
	return list
}

// RowOf returns a row of a column, nil where the archetype lacks the component.
func RowOf[T any](column []T, i int) *T {
	if column == nil {
		return nil
	}
	return &column[i]
}

// Release gives up columns, if there are any.
func Release(c **ecs.Columns) {
	if *c != nil {
		(*c).Release()
		*c = nil
	}
}
