package random

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestUnitStaysBelowOneAndBelowInRange(t *testing.T) {
	assert.Equal(t, float32(0), Unit(0))
	assert.Less(t, Unit(^uint64(0)), float32(1))
	assert.Equal(t, uint32(6), Below(^uint64(0), 7))
	assert.Equal(t, uint32(0), Below(0, 7))
	assert.Equal(t, ^uint32(0)-1, Below(^uint64(0), ^uint32(0)))
}

func TestEveryKeyChangesTheDraw(t *testing.T) {
	seen := map[uint64]bool{}
	for hash := range uint64(100) {
		for key := range uint64(100) {
			seen[Mix(hash, key)] = true
		}
	}
	assert.Len(t, seen, 100*100)
	assert.NotEqual(t, String("ab"), String("ba"))
}

func TestDrawsAreEven(t *testing.T) {
	const n, draws = 10, 100_000
	var counts [n]int
	for i := range uint64(draws) {
		counts[Below(Mix(1, i), n)]++
	}
	for _, c := range counts {
		assert.InDelta(t, draws/n, c, 400, "four standard deviations of a fair draw")
	}
}
