package frame

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
)

func mustClock(t require.TestingT, fps int) *Clock {
	c, err := NewClock(fps)
	require.NoError(t, err)
	return c
}

func TestFirstFrameStandsOneFrameAfterZero(t *testing.T) {
	c := mustClock(t, 60)
	assert.Equal(t, Clock{FPS: 60}, *c)
	c.Advance()
	assert.Equal(t, Clock{Frame: 1, Now: 16_666_666, Step: 16_666_666, Delta: 0.016666666, FPS: 60}, *c)
	c.Advance()
	assert.Equal(t, components.Timestamp(33_333_333), c.Now)
	c.Advance()
	assert.Equal(t, components.Timestamp(50_000_000), c.Now, "the third of 60 frames is exact")
}

func TestFrameStandsAtItsQuotient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fps := rapid.IntRange(1, MaxFPS).Draw(t, "fps")
		frame := rapid.Uint32Range(1, 1<<32-1).Draw(t, "frame")
		at := func(f uint32) int64 {
			product := new(big.Int).Mul(big.NewInt(int64(f)), big.NewInt(1_000_000_000))
			return product.Div(product, big.NewInt(int64(fps))).Int64()
		}
		c := mustClock(t, fps)
		c.Frame, c.Now = frame-1, components.Timestamp(at(frame-1))
		c.Advance()
		require.Equal(t, frame, c.Frame)
		require.Equal(t, at(frame), int64(c.Now))
		require.Equal(t, float32(float64(at(frame)-at(frame-1))/1e9), c.Delta)
	})
}

func TestThirtyDaysDoNotDrift(t *testing.T) {
	// Three divides no power of ten, so an accumulated period would err in every frame.
	const days, fps = 30, 3
	c := mustClock(t, fps)
	for range days * 86400 * fps {
		c.Advance()
	}
	assert.Equal(t, components.Timestamp(days*86400*1_000_000_000), c.Now)
}

func TestHostSetsItsOwnTime(t *testing.T) {
	c := mustClock(t, 60)
	c.Set(2_000_000_000)
	assert.Equal(t, Clock{Frame: 1, Now: 2_000_000_000, Step: 2_000_000_000, Delta: 2, FPS: 60}, *c)
	c.Set(2_250_000_000)
	assert.Equal(t, Clock{Frame: 2, Now: 2_250_000_000, Step: 250_000_000, Delta: 0.25, FPS: 60}, *c)
	c.Set(2_250_000_000)
	assert.Equal(t, Clock{Frame: 3, Now: 2_250_000_000, Delta: 0, FPS: 60}, *c, "a paused frame")
	assert.PanicsWithValue(t, "frame: Clock goes back from 2250000000 to 2249999999 ns",
		func() { c.Set(2_249_999_999) })
	assert.PanicsWithValue(t, "frame: Clock.Set(0); the first frame stands after zero, which means never",
		func() { mustClock(t, 1).Set(0) })
	assert.PanicsWithValue(t, "frame: Clock goes back from 2250000000 to 66666666 ns", c.Advance, "mixing the two")
}

func TestBadFrameRateIsNamed(t *testing.T) {
	for _, fps := range []int{0, -1, 1_000_001} {
		_, err := NewClock(fps)
		assert.ErrorContains(t, err, "frame: ")
		assert.ErrorContains(t, err, "frames per second; use 1 to 1000000")
		assert.Panics(t, (&Clock{FPS: fps}).Advance, "a clock made by hand")
	}
	_, err := NewClock(-5)
	assert.EqualError(t, err, "frame: -5 frames per second; use 1 to 1000000")
	assert.NotPanics(t, mustClock(t, 1).Advance)
	assert.NotPanics(t, mustClock(t, 1_000_000).Advance)
}
