package lod_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

// walkRandomly moves agents of a crowd a step in a direction that each keeps for a while.
func walkRandomly(k *lod.Chunk, r *rand.Rand, side float32) {
	for i := range k.Transforms {
		p := &k.Transforms[i]
		if r.IntN(300) == 0 || p.Heading == (components.Vec2{}) {
			angle := 2 * math.Pi * r.Float64()
			p.Heading = components.Vec2{X: float32(math.Cos(angle)), Y: float32(math.Sin(angle))}
		}
		p.Position.X = min(max(p.Position.X+p.Heading.X*1.4/60, 0), side)
		p.Position.Y = min(max(p.Position.Y+p.Heading.Y*1.4/60, 0), side)
	}
}

// The load of ten thousand walkers around two observers that move, with joins, leaves and camera cuts.
func TestTheLoadIsFlatWhenAgentsJoinLeaveOrChangeTier(t *testing.T) {
	const n, side, fps = 10_000, 400, 60
	r := rand.New(rand.NewPCG(9, 9))
	c := newCadence(t, lod.Config{}, fps)
	k := crowd(n, r, side)
	next := uint32(n + 1)
	chunks := make([]lod.Chunk, 1)
	period := []float64{6, 12, 60}
	decidedAt := map[uint32]uint32{}
	for frame := uint32(1); frame <= 600; frame++ {
		walkRandomly(&k, r, side)
		angle := float64(frame) / 200
		cut := float32(frame / 300 * 150)
		observers := []components.Vec2{
			{X: cut + 100 + 50*float32(math.Cos(angle)), Y: 100 + 50*float32(math.Sin(angle))},
			{X: side - cut, Y: side * float32(frame) / 600},
		}
		for range 3 { // leave and join
			i := r.IntN(len(k.LODs))
			k.Entities[i] = components.Entity{Index: next}
			k.LODs[i] = components.NewLOD()
			next++
		}
		chunks[0] = k
		c.Frame(frame, components.Timestamp(int64(frame)*1e9/fps), chunks, observers)

		s := c.Stats()
		var decided [lod.MaxTiers]int
		for i := range k.LODs {
			if l := &k.LODs[i]; l.Due() {
				decided[l.Tier]++
				decidedAt[k.Entities[i].Index] = frame
			}
		}
		for tier, p := range period {
			require.InDelta(t, float64(s.Agents[tier])/p, float64(decided[tier]), 1, "tier %d in frame %d", tier, frame)
			require.NotZero(t, s.Agents[tier])
		}
	}
	s := c.Stats()
	t.Logf("flatness %.4f, mean %.1f, max %d, overdue %.1f ms, agents %v", s.Flatness, s.MeanScheduled(),
		s.MaxScheduled, s.MaxOverdue, s.Agents)
	assert.LessOrEqual(t, s.Flatness, 1.02)
	assert.Greater(t, s.Flatness, 1.0)
	for i := range k.LODs {
		if l := &k.LODs[i]; l.Tier < 3 {
			require.LessOrEqual(t, 600-l.WaitingSince, uint32(66), "nobody starves")
		}
	}
}
