package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// A map of 40 × 20 tiles has its middle at (20, 10), and three tenths of its shorter side are 6 m. Half-way through a
// quarter, in its parameter t, the point is (1-¼, 1)/(1+¼) = (0.6, 0.8).
func TestTheCameraCirclesTheMiddleInAMinute(t *testing.T) {
	c := newCamera(space.NewMap(40, 20))
	for _, want := range []struct {
		after time.Duration
		x, y  float64
	}{
		{0, 26, 10},
		{7500 * time.Millisecond, 23.6, 14.8},
		{15 * time.Second, 20, 16},
		{22500 * time.Millisecond, 15.2, 13.6},
		{30 * time.Second, 14, 10},
		{37500 * time.Millisecond, 16.4, 5.2},
		{45 * time.Second, 20, 4},
		{52500 * time.Millisecond, 24.8, 6.4},
		{60 * time.Second, 26, 10},
		{607500 * time.Millisecond, 23.6, 14.8},
	} {
		at := c.at(components.Timestamp(want.after))
		assert.InDelta(t, want.x, at.X, 1e-5, "x after %v", want.after)
		assert.InDelta(t, want.y, at.Y, 1e-5, "y after %v", want.after)
	}
	assert.EqualValues(t, 6, newCamera(space.NewMap(20, 40)).radius, "of the shorter side")
}
