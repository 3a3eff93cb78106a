package vec_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

func TestRotationKeepsUnitVectorsAndTurnsTheRightWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		angle := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "from")
		other := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "to")
		rate := rapid.Float32Range(0, 10).Draw(t, "rate")
		from := components.Vec2{X: float32(math.Cos(angle)), Y: float32(math.Sin(angle))}
		to := components.Vec2{X: float32(math.Cos(other)), Y: float32(math.Sin(other))}
		got := vec.NewRotor(rate).Towards(from, to)
		require.InDelta(t, 1, vec.Length(got), 1e-5)
		between := func(a, b components.Vec2) float64 {
			return math.Acos(math.Max(-1, math.Min(1, float64(vec.Dot(a, b)))))
		}
		require.LessOrEqual(t, between(from, got), float64(rate)+2e-3, "no faster than the rate")
		require.LessOrEqual(t, between(got, to), between(from, to)+2e-3, "towards, not away")
	})
}
