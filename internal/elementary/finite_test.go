package elementary_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/internal/elementary"
)

func TestIsFiniteRefusesNaNAndTheInfinities(t *testing.T) {
	for _, x := range []float32{0, -1, math.MaxFloat32, math.SmallestNonzeroFloat32} {
		assert.True(t, elementary.IsFinite(x), x)
		assert.True(t, elementary.IsFinite(-x), x)
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		assert.False(t, elementary.IsFinite(float32(x)), x)
	}
}
