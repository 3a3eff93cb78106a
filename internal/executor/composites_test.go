package executor

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The shares of 1/4, 0, 3/4 and 0 of the draws: the last that is drawn is that of the third, whose share ends at 2^32,
// one above what a threshold can hold.
func TestEveryDrawFallsIntoTheShareOfAChoiceWithAWeight(t *testing.T) {
	n := &Node{Thresholds: []uint32{1 << 30, 1 << 30, math.MaxUint32, math.MaxUint32}}
	for drawn, want := range map[uint32]int{
		0: 0, 1<<30 - 1: 0, 1 << 30: 2, 1<<30 + 1: 2, math.MaxUint32 - 1: 2, math.MaxUint32: 2,
	} {
		assert.Equal(t, want, new(Executor).choice(n, drawn), "%#x", drawn)
	}
	assert.Equal(t, 1, new(Executor).choice(&Node{Thresholds: []uint32{0, math.MaxUint32}}, 0), "of weight 0")
	assert.Equal(t, 1, new(Executor).choice(&Node{Thresholds: []uint32{1 << 30, 1 << 31}}, 1<<31), "beyond the last share")
}
