package vec_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/internal/vec"
)

func TestSqrtIsRoundedOnce(t *testing.T) {
	assert.EqualValues(t, 3, vec.Sqrt(9))
	assert.Equal(t, float32(0x1.6a09e6p+0), vec.Sqrt(2))
	assert.True(t, math.IsNaN(float64(vec.Sqrt(-1))))
}
