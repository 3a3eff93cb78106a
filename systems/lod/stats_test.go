package lod_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

func TestCountersCoverTheLastFrameAndTheRun(t *testing.T) {
	c := newCadence(t, lod.Config{}, 10) // 10 Hz is every frame, 5 Hz every second one, 1 Hz every tenth
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: 10})
	h.add(2, components.NewLOD(), components.Vec2{X: 60})
	h.add(3, components.NewLOD(), components.Vec2{X: 60})
	h.add(4, components.NewLOD(), components.Vec2{X: 1000})
	frame := func(n uint32) lod.Stats {
		c.Frame(n, components.Timestamp(n), h.chunks(9), origin)
		return c.Stats()
	}
	s := frame(1)
	assert.Equal(t, [lod.MaxTiers]int{1, 2, 0, 1}, s.Agents)
	assert.Equal(t, 2, s.Scheduled)
	assert.Equal(t, 2.0, s.Expected, "1/1 + 2/2")
	h.lods[3].Flags |= lodflag.Woken
	h.lods[0].Flags |= lodflag.Woken
	s = frame(2)
	assert.Equal(t, 2, s.Woken)
	assert.Equal(t, 1, s.Scheduled)
	assert.Equal(t, 1.0, s.Expected, "the woken are apart")
	assert.Equal(t, 2, s.MaxScheduled)
	assert.Equal(t, 2, s.Frames)
	assert.Equal(t, int64(3), s.TotalScheduled)
	assert.Equal(t, int64(2), s.TotalWoken)
	assert.Equal(t, 1.5, s.MeanScheduled())
	assert.Zero(t, s.MaxOverdue)

	// Four newcomers in the first second are a load of two a frame and no blemish, one after it is.
	for i := range uint32(4) {
		h.add(10+i, components.NewLOD(), components.Vec2{X: 60})
	}
	for n := uint32(3); n <= 10; n++ {
		s = frame(n)
	}
	assert.Zero(t, s.Flatness, "there is none in the first second")
	h.add(20, components.NewLOD(), components.Vec2{X: 200})
	s = frame(11)
	assert.Equal(t, 4.1, s.Expected)
	assert.Equal(t, 5, s.Scheduled)
	assert.InDelta(t, 5/4.1, s.Flatness, 1e-12)
	s = frame(12)
	assert.Equal(t, 4, s.Scheduled)
	assert.InDelta(t, 5/4.1, s.Flatness, 1e-12, "the greatest")
	assert.Zero(t, lod.Stats{}.Frames)
	assert.Zero(t, (&lod.Stats{}).MeanScheduled())
}

func TestAPromotedAgentIsMeasuredByTheSlowestPeriod(t *testing.T) {
	c := newCadence(t, lod.Config{Every: 1}, 60)
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: 200})
	for frame := uint32(1); frame <= 40; frame++ {
		c.Frame(frame, components.Timestamp(frame), h.chunks(1), origin)
	}
	h.transforms[0].Position.X = 10
	c.Frame(41, 41, h.chunks(1), origin)
	require.True(t, h.lods[0].Due(), "it waited 40 frames, more than any in the tier")
	assert.Zero(t, c.Stats().MaxOverdue)
}
