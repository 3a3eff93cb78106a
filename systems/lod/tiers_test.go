package lod_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

// decisions counts who decides how often in 60 frames after the first second, at 60 frames a second.
func decisions(t *testing.T, config lod.Config, h *herd, observers []components.Vec2) map[uint32]int {
	c := newCadence(t, config, 60)
	count := map[uint32]int{}
	for frame := uint32(1); frame <= 120; frame++ {
		c.Frame(frame, components.Timestamp(int64(frame)*1e9/60), h.chunks(4), observers)
		for i, l := range h.lods {
			if l.Due() && frame > 60 {
				count[h.entities[i].Index]++
			}
		}
	}
	return count
}

func TestDefaultTiersDecideTenFiveOneAndNoTimesASecond(t *testing.T) {
	var h herd
	for i, x := range []float32{39.5, 40.5, 99.5, 100.5, 299.5, 300.5} {
		h.add(uint32(i+1), components.NewLOD(), components.Vec2{X: x})
	}
	assert.Equal(t, map[uint32]int{1: 10, 2: 5, 3: 5, 4: 1, 5: 1}, decisions(t, lod.Config{}, &h, origin))
	c := newCadence(t, lod.Config{}, 60)
	assert.Equal(t, []string{"10 Hz", "5 Hz", "1 Hz", "frozen"}, c.TierNames())
}

func TestASlowLaneThinksBeyondTheLastRadius(t *testing.T) {
	config := lod.DefaultConfig()
	config.SlowLane = 0.5
	config.Tiers[0].Name = "near"
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: 5000})
	c := newCadence(t, config, 60)
	assert.Equal(t, []string{"near", "5 Hz", "1 Hz", "slow lane"}, c.TierNames())
	due := []uint32{}
	for frame := uint32(1); frame <= 300; frame++ {
		c.Frame(frame, components.Timestamp(frame), h.chunks(1), origin)
		if h.lods[0].Due() {
			due = append(due, frame)
		}
	}
	assert.Equal(t, []uint32{1, 121, 241}, due)
}

func TestWithoutObserversEveryAgentIsNear(t *testing.T) {
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: 5000})
	assert.Equal(t, map[uint32]int{1: 10}, decisions(t, lod.Config{}, &h, nil))
}

func TestAnAgentWithoutATransformIsNear(t *testing.T) {
	c := newCadence(t, lod.Config{}, 60)
	chunks := []lod.Chunk{{Entities: []components.Entity{{Index: 1}}, LODs: []components.LOD{components.NewLOD()}}}
	c.Frame(1, 1, chunks, []components.Vec2{{X: 1000}})
	assert.Zero(t, chunks[0].LODs[0].Tier)
}

func TestAPositionThatIsNotANumberIsFar(t *testing.T) {
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: float32(math.NaN())})
	h.add(2, components.NewLOD(), components.Vec2{Y: float32(math.Inf(-1))})
	newCadence(t, lod.Config{}, 60).Frame(1, 1, h.chunks(2), origin)
	assert.Equal(t, uint8(3), h.lods[0].Tier)
	assert.Equal(t, uint8(3), h.lods[1].Tier)
}

func TestTheZeroLODIsANewcomerWithoutImportance(t *testing.T) {
	var h herd
	h.add(1, components.LOD{}, components.Vec2{X: 500})
	woken := components.LOD{}
	woken.Flags |= lodflag.Woken
	h.add(2, woken, components.Vec2{X: 60})
	important := components.NewLOD()
	important.Importance = 0
	h.add(3, important, components.Vec2{X: 500})
	c := newCadence(t, lod.Config{}, 60)
	c.Frame(1, 16_666_666, h.chunks(3), origin)
	assert.Equal(t, []uint8{3, 1, 0}, []uint8{h.lods[0].Tier, h.lods[1].Tier, h.lods[2].Tier})
	assert.Equal(t, components.NoImportance, h.lods[0].Importance)
	assert.Equal(t, 1, c.Stats().Woken)

	// One that joins between two passes over distances is no different.
	h.add(4, components.LOD{}, components.Vec2{X: 70})
	c.Frame(2, 33_333_333, h.chunks(3), origin)
	assert.Equal(t, uint8(1), h.lods[3].Tier)
	assert.True(t, h.lods[3].Due())
	assert.Equal(t, time.Duration(33_333_333-16_666_666), h.lods[3].Elapsed(33_333_333))
}

func TestATierThatDoesNotExistIsLeftAtTheNextUpdate(t *testing.T) {
	c := newCadence(t, lod.Config{Budget: 1}, 60)
	var h herd
	for i := range uint32(12) {
		h.add(i, components.NewLOD(), components.Vec2{X: 10})
	}
	c.Frame(1, 1, h.chunks(12), origin)
	for i, tier := range []uint8{4, 7, 8, 255, 4, 7} {
		l := &h.lods[6+i]
		l.Tier, l.DistanceTier = tier, tier
		if i < 4 {
			l.Flags |= lodflag.Woken
		} else {
			l.Flags &^= lodflag.Fresh
		}
	}
	for frame := uint32(2); frame <= 6; frame++ {
		c.Frame(frame, components.Timestamp(frame), h.chunks(12), origin)
		if frame < 6 {
			require.False(t, h.lods[10].Due())
			require.False(t, h.lods[11].Due())
		}
	}
	for i := range h.lods {
		assert.Zero(t, h.lods[i].Tier)
	}
}
