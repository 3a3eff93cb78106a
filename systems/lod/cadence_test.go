package lod_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

func TestCadenceErrorsNameWhatDependsOnTheFrameRate(t *testing.T) {
	slow := lod.Config{Tiers: []lod.Tier{{Radius: 9, Rate: 0.0005}}}
	_, err := lod.NewCadence(slow, 60)
	assert.EqualError(t, err,
		"lod: Config.Tiers[0].Rate is 0.0005: a decision every 120000 frames, at 60 frames a second; use at least "+
			"0.00092")
	_, err = lod.NewCadence(lod.Config{SlowLane: 0.0005}, 60)
	assert.EqualError(t, err,
		"lod: Config.SlowLane is 0.0005: a decision every 120000 frames, at 60 frames a second; use at least 0.00092")
	_, err = lod.NewCadence(lod.Config{}, 0)
	assert.EqualError(t, err, "lod: a clock of 0 frames a second; use 1 to 1000000")
}

func TestCadencePanicsOnColumnsOfDifferentLength(t *testing.T) {
	c := newCadence(t, lod.Config{}, 60)
	assert.PanicsWithValue(t, "lod: Cadence.runFrame: chunk 0 has columns of 1 entities, 2 LODs and 0 transforms",
		func() {
			c.Frame(1, 1, []lod.Chunk{{Entities: make([]components.Entity, 1), LODs: make([]components.LOD, 2)}}, nil)
		})
}

func TestSwitchedOffEveryAgentDecidesInEveryFrame(t *testing.T) {
	c := newCadence(t, lod.Config{Off: true, Budget: 1, Hysteresis: -7}, 60)
	var h herd
	for i := range uint32(5) {
		h.add(i, components.NewLOD(), components.Vec2{X: 1000 * float32(i)})
	}
	h.lods[4] = components.LOD{Last: 1, WaitingSince: 1, DistanceTier: 3, Tier: 3, Flags: lodflag.Seen}
	for frame := uint32(1); frame <= 200; frame++ {
		if frame == 3 {
			h.add(9, components.NewLOD(), components.Vec2{})
			h.lods[1].Flags |= lodflag.Woken
		}
		now := components.Timestamp(frame) * 1000
		c.Frame(frame, now, h.chunks(2), origin)
		for i := range h.lods {
			require.True(t, h.lods[i].Due())
			if frame > 1 {
				require.Equal(t, time.Duration(1000), h.lods[i].Elapsed(now))
			}
		}
	}
	assert.Equal(t, []string{"every frame"}, c.TierNames())
	assert.Equal(t, 6, c.Stats().Agents[0])
	assert.Equal(t, 1.0, c.Stats().Flatness)
	assert.Zero(t, c.Stats().MaxOverdue)
}

func TestElapsedTimeSumsToTheClock(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	c := newCadence(t, lod.Config{Budget: 40}, 60)
	h := &herd{}
	now := components.Timestamp(7_000_000_000)
	joined, sum := map[uint32]components.Timestamp{}, map[uint32]components.Timestamp{}
	for i := range uint32(400) {
		h.add(i, components.NewLOD(), components.Vec2{X: 400 * r.Float32()})
		joined[i] = now - 1_000_000_000/60
	}
	last := map[uint32]components.Timestamp{}
	for frame := uint32(1); frame <= 500; frame++ {
		c.Frame(frame, now, h.chunks(100), []components.Vec2{{X: 300 * r.Float32()}})
		for i := range h.lods {
			entity := h.entities[i].Index
			if l := &h.lods[i]; l.Due() {
				sum[entity] += components.Timestamp(l.Elapsed(now))
				last[entity] = now
			} else if r.IntN(100) == 0 {
				l.Flags |= lodflag.Woken
			}
		}
		now += components.Timestamp(1 + r.IntN(40_000_000)) // a host with its own time
	}
	require.Len(t, sum, 400)
	for entity, elapsed := range sum {
		require.Equal(t, last[entity]-joined[entity], elapsed)
	}
}

func TestStorageOrderAndChunksDoNotMatter(t *testing.T) {
	play := func(shuffle bool) []components.LOD {
		config := lod.DefaultConfig()
		config.Tiers[0].Cap, config.Tiers[1].Cap = new(20), new(60)
		config.Budget = 30
		c := newCadence(t, config, 60)
		layout, events := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(2, 2))
		h := &herd{}
		for i := range uint32(300) {
			h.add(i, components.NewLOD(), components.Vec2{X: 350 * events.Float32()})
		}
		for frame := uint32(1); frame <= 200; frame++ {
			for range 5 {
				h.lods[h.row(uint32(events.IntN(300)))].Flags |= lodflag.Woken
				h.transforms[h.row(uint32(events.IntN(300)))].Position.X = 350 * events.Float32()
			}
			rows := 300
			if shuffle {
				layout.Shuffle(300, func(i, j int) {
					h.entities[i], h.entities[j] = h.entities[j], h.entities[i]
					h.lods[i], h.lods[j] = h.lods[j], h.lods[i]
					h.transforms[i], h.transforms[j] = h.transforms[j], h.transforms[i]
				})
				rows = 1 + layout.IntN(300)
			}
			c.Frame(frame, components.Timestamp(frame), h.chunks(rows), origin)
		}
		byEntity := make([]components.LOD, 300)
		for i, e := range h.entities {
			byEntity[e.Index] = h.lods[i]
		}
		return byEntity
	}
	assert.Equal(t, play(false), play(true))
}

func TestARestoredCadenceMakesTheSameDecisions(t *testing.T) {
	play := func(stop uint32) []components.LOD {
		r := rand.New(rand.NewPCG(4, 4))
		c := newCadence(t, lod.Config{Budget: 20}, 60)
		k := crowd(500, r, 500)
		for frame := uint32(1); frame <= 120; frame++ {
			if frame == stop {
				state := c.State()
				c = newCadence(t, lod.Config{Budget: 20}, 60)
				c.SetState(state)
			}
			walkRandomly(&k, r, 500)
			c.Frame(frame, components.Timestamp(frame)*1000, []lod.Chunk{k}, origin)
		}
		return k.LODs
	}
	assert.Equal(t, play(0), play(61))
}

func TestTheFrameNumberMayWrapAround(t *testing.T) {
	c := newCadence(t, lod.Config{}, 60)
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: 10})
	start := uint32(math.MaxUint32 - 20)
	var due []uint32
	for n := range uint32(43) {
		c.Frame(start+n, components.Timestamp(n+1), h.chunks(1), origin)
		if h.lods[0].Due() {
			due = append(due, n)
		}
	}
	assert.Equal(t, []uint32{0, 6, 12, 18, 24, 30, 36, 42}, due)
}

func TestAFrameAllocatesNothing(t *testing.T) {
	for name, config := range map[string]lod.Config{
		"default": {},
		"budget":  {Budget: 50},
		"caps": {
			Tiers: []lod.Tier{{Radius: 40, Rate: 10, Cap: new(30)}, {Radius: 100, Rate: 5}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(6, 6))
			c := newCadence(t, config, 60)
			chunks := []lod.Chunk{crowd(3000, r, 300), crowd(100, r, 300)}
			for i := range chunks[1].Entities {
				chunks[1].Entities[i].Index += 5000
			}
			eyes := []components.Vec2{{X: 10}, {Y: 100}}
			runFrames(c, chunks, eyes, 0, 60)
			frame := uint32(60)
			allocs.None(t, 200, func() {
				for i := range 20 {
					chunks[1].LODs[i] = components.NewLOD() // newcomers
					chunks[0].LODs[i].Flags |= lodflag.Woken
				}
				walkRandomly(&chunks[0], r, 300)
				runFrames(c, chunks, eyes, frame, 1)
				frame++
			})
		})
	}
}
