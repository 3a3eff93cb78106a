package lod_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

func TestOverloadSlowsAllTiersByTheSameFactor(t *testing.T) {
	// 60 agents each: 10 + 5 + 1 decisions a frame are called for, 8 are served.
	c := newCadence(t, lod.Config{Budget: 8}, 60)
	var h herd
	for i := range uint32(180) {
		h.add(i, components.NewLOD(), components.Vec2{X: []float32{10, 70, 200}[i%3]})
	}
	var count [3]int
	for frame := uint32(1); frame <= 1320; frame++ {
		c.Frame(frame, components.Timestamp(frame), h.chunks(50), origin)
		s := c.Stats()
		require.Equal(t, 8, s.Scheduled+s.Woken)
		for _, l := range h.lods {
			if frame > 120 && l.Due() {
				count[l.Tier]++
			}
		}
	}
	// In 1200 frames, at half the rate.
	assert.InDelta(t, 1200*10/2, count[0], 120)
	assert.InDelta(t, 1200*5/2, count[1], 60)
	assert.InDelta(t, 1200*1/2, count[2], 30)
	assert.NotZero(t, c.Stats().Late)
	assert.Greater(t, c.Stats().MaxOverdue, 900.0, "the slow tier waits two seconds instead of one")
	assert.Less(t, c.Stats().MaxOverdue, 1200.0)
}
