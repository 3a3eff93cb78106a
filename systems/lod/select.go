package lod

import (
	"cmp"
	"math/bits"
	"slices"
)

// contender is an agent that competes with others for a place in a capped tier, a remainder of a quota or the budget.
type contender struct {
	key   uint64 // lowest first, ties by index
	index uint32 // of the entity
	row   uint32 // over all chunks
}

func (a contender) compare(b contender) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	return cmp.Compare(a.index, b.index)
}

func (a contender) before(b contender) bool {
	return a.key < b.key || a.key == b.key && a.index < b.index
}

// selectFirst reorders contenders so that the first n come before all others. No two contenders are equal, so the
// result does not depend on their order before.
func selectFirst(c []contender, n int) {
	selectWithin(c, n, 2*bits.Len(uint(len(c))))
}

// selectWithin is Hoare's selection algorithm. After a number of pivots it sorts the remaining range, which bounds the
// worst case.
func selectWithin(c []contender, n, tries int) {
	for ; n > 0 && n < len(c); tries-- {
		if len(c) <= 16 || tries == 0 {
			slices.SortFunc(c, contender.compare)
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
		// Now c[:j+1] ≤ pivot ≤ c[i:], and at most one contender, the pivot, lies between.
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

func medianOfThree(a, b, c contender) contender {
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
