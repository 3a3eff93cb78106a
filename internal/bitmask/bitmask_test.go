package bitmask_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/internal/bitmask"
)

func TestMasksAreOfLanes(t *testing.T) {
	assert.EqualValues(t, 1, bitmask.Of(true))
	assert.Zero(t, bitmask.Of(false))
	assert.Equal(t, 3, bitmask.Lowest(0b11000))
	assert.Equal(t, 63, bitmask.Lowest(1<<63))
	assert.Equal(t, 3, bitmask.Count(1<<63|0b11))
}

func TestFloatsWritesTheLanesOfTheMaskOnly(t *testing.T) {
	lane := [64]float32{7, 7, 7, 7}
	bitmask.Floats(&lane, 0b0111, 0b1010)
	assert.Equal(t, [64]float32{0, 1, 0, 7}, lane)
}
