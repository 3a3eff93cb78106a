package lod_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

func TestNewcomersBetweenUpdatesTakeFreePlacesOfACappedTierOnly(t *testing.T) {
	config := lod.DefaultConfig()
	config.Tiers[0].Cap = new(2)
	c := newCadence(t, config, 60)
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: 30})
	c.Frame(1, 1000, h.chunks(9), origin)
	h.add(5, components.NewLOD(), components.Vec2{X: 20})
	h.add(4, components.NewLOD(), components.Vec2{X: 10})
	h.add(6, components.NewLOD(), components.Vec2{X: 50})
	c.Frame(2, 2000, h.chunks(9), origin)
	tiers := func() (got []uint8) {
		for _, entity := range []uint32{1, 4, 5, 6} {
			got = append(got, h.lods[h.row(entity)].Tier)
		}
		return got
	}
	assert.Equal(t, []uint8{0, 0, 1, 1}, tiers(), "one place is free and the nearer newcomer takes it")
	for frame := uint32(3); frame <= 6; frame++ {
		c.Frame(frame, components.Timestamp(frame)*1000, h.chunks(9), origin)
	}
	assert.Equal(t, []uint8{1, 0, 0, 1}, tiers(), "the update in frame 6 ranks all by distance")
}

type assignAgent struct {
	ID         uint32  `json:"id"`
	Ring       *uint8  `json:"ring"`
	D2         float64 `json:"d2"`
	Importance *uint8  `json:"importance"`
	Tier       *uint8  `json:"tier"`
}

func importanceOf(level *uint8) uint8 {
	if level == nil {
		return components.NoImportance
	}
	return *level
}

// One pass over distances.
func assignCase(t *testing.T, raw []byte, layout func(*herd) []lod.Chunk) {
	var c struct {
		caseHead
		Periods    []*int           `json:"periods"`
		Radii      []float32        `json:"radii"`
		Hysteresis float32          `json:"hysteresis"`
		Caps       []*int           `json:"caps"`
		Agents     []assignAgent    `json:"agents"`
		Expect     map[string]uint8 `json:"expect"`
	}
	decode(t, raw, &c)
	requireUncapped(t, c.Periods, c.Caps)
	cadence := newCadence(t, caseConfig(c.Radii, c.Hysteresis, c.Periods, c.Caps), caseFPS)
	var h herd
	for _, a := range c.Agents {
		l := components.NewLOD()
		l.Importance = importanceOf(a.Importance)
		if a.Tier != nil {
			l.Tier, l.DistanceTier, l.Flags = *a.Tier, *a.Ring, lodflag.Seen
		}
		h.add(a.ID, l, atSquare(t, a.D2))
	}
	cadence.Frame(1, 1000, layout(&h), origin)
	tiers := map[uint32]uint8{}
	for _, a := range c.Agents {
		l := h.lods[h.row(a.ID)]
		require.Equal(t, *a.Ring, l.DistanceTier, "the distance tier that the case gives agent %d", a.ID)
		tiers[a.ID] = l.Tier
	}
	require.Equal(t, byEntity(t, c.Expect), tiers)
}

// requireUncapped checks that caps are absent where the configuration has no place for them.
func requireUncapped(t *testing.T, periods, caps []*int) {
	require.Len(t, caps, len(periods))
	require.Nil(t, caps[len(caps)-1])
}
