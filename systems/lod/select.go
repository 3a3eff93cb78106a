package lod

import (
	"cmp"
	"math/bits"
	"slices"
)

// candidate is an agent that competes with others for a place.
type candidate struct {
	key   uint64 // the lowest go first, ties by index
	index uint32 // of the entity
	row   uint32 // counted through all chunks
}

func (a candidate) compare(b candidate) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	return cmp.Compare(a.index, b.index)
}

func (a candidate) before(b candidate) bool {
	return a.key < b.key || a.key == b.key && a.index < b.index
}

// selectFirst reorders candidates so that the first n come before all others. Which they are does not depend on the
// order they came in, as no two compare equal.
func selectFirst(c []candidate, n int) {
	selectWithin(c, n, 2*bits.Len(uint(len(c))))
}

// selectWithin is Hoare's selection, which turns to sorting after a number of pivots.
func selectWithin(c []candidate, n, tries int) {
	for ; n > 0 && n < len(c); tries-- {
		if len(c) <= 16 || tries == 0 {
			slices.SortFunc(c, candidate.compare)
			return
		}
		pivot := medianOfThree(c[0], c[len(c)/2], c[len(c)-1])
		i, j := 0, len(c)-1
		for i <= j {
			for c[i].before(pivot) {
				i++
			}
			for pivot.before(c[j]) {
				j--
			}
			if i <= j {
				c[i], c[j] = c[j], c[i]
				i++
				j--
			}
		}
		// Now c[:j+1] ≤ pivot ≤ c[i:], and at most one candidate, the pivot, lies between.
		switch {
		case n <= j+1:
			c = c[:j+1]
		case n >= i:
			c, n = c[i:], n-i
		default:
			return
		}
	}
}

func medianOfThree(a, b, c candidate) candidate {
	if b.before(a) {
		a, b = b, a
	}
	switch {
	case c.before(a):
		return a
	case c.before(b):
		return c
	}
	return b
}
