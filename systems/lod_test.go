package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/systems"
)

func TestLODConfigErrorsNameTheFieldAndTheRemedy(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	tiers := func(change func([]systems.LODTier)) systems.LODConfig {
		c := systems.DefaultLODConfig()
		change(c.Tiers)
		return c
	}
	for _, test := range []struct {
		config systems.LODConfig
		want   string
	}{
		{systems.LODConfig{Tiers: make([]systems.LODTier, 8)}, "systems: LODConfig.Tiers has 8 tiers; use at most 7"},
		{tiers(func(s []systems.LODTier) { s[1].Radius = -3 }), "systems: LODConfig.Tiers[1].Radius is -3; use a finite number of metres above 0"},
		{tiers(func(s []systems.LODTier) { s[0].Radius = 0 }), "systems: LODConfig.Tiers[0].Radius is 0; use a finite number of metres above 0"},
		{tiers(func(s []systems.LODTier) { s[2].Radius = nan }), "systems: LODConfig.Tiers[2].Radius is NaN; use a finite number of metres above 0"},
		{tiers(func(s []systems.LODTier) { s[2].Radius = inf }), "systems: LODConfig.Tiers[2].Radius is +Inf; use a finite number of metres above 0"},
		{tiers(func(s []systems.LODTier) { s[1].Radius = 40 }), "systems: LODConfig.Tiers[1].Radius is 40; use more than the 40 of the tier before it: radii ascend"},
		{tiers(func(s []systems.LODTier) { s[0].Rate = 0 }), "systems: LODConfig.Tiers[0].Rate is 0; use a finite number of decisions a second above 0"},
		{tiers(func(s []systems.LODTier) { s[0].Rate = -1 }), "systems: LODConfig.Tiers[0].Rate is -1; use a finite number of decisions a second above 0"},
		{tiers(func(s []systems.LODTier) { s[0].Rate = nan }), "systems: LODConfig.Tiers[0].Rate is NaN; use a finite number of decisions a second above 0"},
		{tiers(func(s []systems.LODTier) { s[0].Rate = inf }), "systems: LODConfig.Tiers[0].Rate is +Inf; use a finite number of decisions a second above 0"},
		{tiers(func(s []systems.LODTier) { s[1].Rate = 20 }), "systems: LODConfig.Tiers[1].Rate is 20; use at most the 10 of the tier before it: farther tiers are not faster"},
		{tiers(func(s []systems.LODTier) { s[0].Cap = new(-1) }), "systems: LODConfig.Tiers[0].Cap is -1; use 0 or more, or nil for no limit"},
		{tiers(func(s []systems.LODTier) { s[2].Cap = new(9) }), "systems: LODConfig.Tiers[2].Cap is 9; use nil: the slowest thinking tier takes no limit, which would freeze agents that stand near"},
		{systems.LODConfig{SlowLane: -1}, "systems: LODConfig.SlowLane is -1; use a finite number of decisions a second, or 0 to freeze"},
		{systems.LODConfig{SlowLane: nan}, "systems: LODConfig.SlowLane is NaN; use a finite number of decisions a second, or 0 to freeze"},
		{systems.LODConfig{SlowLane: 2}, "systems: LODConfig.SlowLane is 2; use at most the 1 of the last tier: farther tiers are not faster"},
		{systems.LODConfig{Hysteresis: 1}, "systems: LODConfig.Hysteresis is 1; use at least 0 and less than 1"},
		{systems.LODConfig{Hysteresis: -0.1}, "systems: LODConfig.Hysteresis is -0.1; use at least 0 and less than 1"},
		{systems.LODConfig{Hysteresis: nan}, "systems: LODConfig.Hysteresis is NaN; use at least 0 and less than 1"},
		{systems.LODConfig{Budget: -1}, "systems: LODConfig.Budget is -1; use a positive number of decisions, or 0 for no limit"},
		{systems.LODConfig{Every: -6}, "systems: LODConfig.Every is -6; use a positive number of frames, or 0 for 6"},
	} {
		assert.EqualError(t, test.config.Validate(), test.want)
		c, err := systems.NewCadence(test.config, 60)
		assert.EqualError(t, err, test.want)
		assert.Nil(t, c)
	}
	lane := tiers(func(s []systems.LODTier) { s[2].Cap = new(9) })
	lane.SlowLane = 0.5
	for _, good := range []systems.LODConfig{{}, systems.DefaultLODConfig(), lane, {Off: true}} {
		assert.NoError(t, good.Validate())
	}
}

func TestCadenceErrorsNameWhatDependsOnTheFrameRate(t *testing.T) {
	slow := systems.LODConfig{Tiers: []systems.LODTier{{Radius: 9, Rate: 0.0005}}}
	_, err := systems.NewCadence(slow, 60)
	assert.EqualError(t, err, "systems: LODConfig.Tiers[0].Rate is 0.0005: a decision every 120000 frames, at 60 frames a second; use at least 0.00092")
	_, err = systems.NewCadence(systems.LODConfig{SlowLane: 0.0005}, 60)
	assert.EqualError(t, err, "systems: LODConfig.SlowLane is 0.0005: a decision every 120000 frames, at 60 frames a second; use at least 0.00092")
	_, err = systems.NewCadence(systems.LODConfig{}, 0)
	assert.EqualError(t, err, "systems: NewCadence at 0 frames a second; use 1 to 1000000")
}

func TestCadencePanicsOnColumnsOfDifferentLength(t *testing.T) {
	c := newCadence(t, systems.LODConfig{}, 60)
	assert.PanicsWithValue(t, "systems: Cadence.Frame: chunk 0 has columns of 1 entities, 2 LODs and 0 places", func() {
		c.Frame(1, 1, []systems.LODChunk{{Entities: make([]components.Entity, 1), LODs: make([]components.LOD, 2)}}, nil)
	})
}

// decisions counts who decides how often in 60 frames after the first second, at 60 frames a second.
func decisions(t *testing.T, config systems.LODConfig, h *herd, observers []components.Vec2) map[uint32]int {
	c := newCadence(t, config, 60)
	count := map[uint32]int{}
	for frame := uint32(1); frame <= 120; frame++ {
		c.Frame(frame, components.Timestamp(int64(frame)*1e9/60), h.cut(4), observers)
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
	for i, x := range []float32{39, 41, 99, 101, 299, 301} {
		h.add(uint32(i+1), components.NewLOD(), components.Vec2{X: x})
	}
	assert.Equal(t, map[uint32]int{1: 10, 2: 5, 3: 5, 4: 1, 5: 1}, decisions(t, systems.LODConfig{}, &h, origin))
	c := newCadence(t, systems.LODConfig{}, 60)
	assert.Equal(t, []string{"10 Hz", "5 Hz", "1 Hz", "frozen"}, c.TierNames())
}

func TestASlowLaneThinksBeyondTheLastRadius(t *testing.T) {
	config := systems.DefaultLODConfig()
	config.SlowLane = 0.5
	config.Tiers[0].Name = "near"
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: 5000})
	c := newCadence(t, config, 60)
	assert.Equal(t, []string{"near", "5 Hz", "1 Hz", "slow lane"}, c.TierNames())
	due := []uint32{}
	for frame := uint32(1); frame <= 300; frame++ {
		c.Frame(frame, components.Timestamp(frame), h.cut(1), origin)
		if h.lods[0].Due() {
			due = append(due, frame)
		}
	}
	assert.Equal(t, []uint32{1, 121, 241}, due)
}

func TestWithoutObserversEveryoneIsNear(t *testing.T) {
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: 5000})
	assert.Equal(t, map[uint32]int{1: 10}, decisions(t, systems.LODConfig{}, &h, nil))
}

func TestAnAgentWithoutAPlaceIsNear(t *testing.T) {
	c := newCadence(t, systems.LODConfig{}, 60)
	chunks := []systems.LODChunk{{Entities: []components.Entity{{Index: 1}}, LODs: []components.LOD{components.NewLOD()}}}
	c.Frame(1, 1, chunks, []components.Vec2{{X: 1000}})
	assert.Zero(t, chunks[0].LODs[0].Tier)
}

func TestAPositionThatIsNotANumberIsFar(t *testing.T) {
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: float32(math.NaN())})
	h.add(2, components.NewLOD(), components.Vec2{Y: float32(math.Inf(-1))})
	newCadence(t, systems.LODConfig{}, 60).Frame(1, 1, h.cut(2), origin)
	assert.Equal(t, uint8(3), h.lods[0].Tier)
	assert.Equal(t, uint8(3), h.lods[1].Tier)
}

func TestSwitchedOffEveryAgentDecidesInEveryFrame(t *testing.T) {
	c := newCadence(t, systems.LODConfig{Off: true, Budget: 1, Hysteresis: -7}, 60)
	var h herd
	for i := range uint32(5) {
		h.add(i, components.NewLOD(), components.Vec2{X: 1000 * float32(i)})
	}
	h.lods[4] = components.LOD{Last: 1, WaitingSince: 1, Ring: 3, Tier: 3, Flags: lodflag.Seen} // of another run
	for frame := uint32(1); frame <= 200; frame++ {
		if frame == 3 {
			h.add(9, components.NewLOD(), components.Vec2{})
			h.lods[1].Wake()
		}
		now := components.Timestamp(frame) * 1000
		c.Frame(frame, now, h.cut(2), origin)
		for i := range h.lods {
			require.True(t, h.lods[i].Due())
			if frame > 1 {
				require.Equal(t, 1000*time.Nanosecond, h.lods[i].Elapsed(now))
			}
		}
	}
	assert.Equal(t, []string{"every frame"}, c.TierNames())
	assert.Equal(t, 6, c.Stats().Agents[0])
	assert.Equal(t, 1.0, c.Stats().Flatness)
	assert.Zero(t, c.Stats().MaxOverdue)
}

func TestTheZeroLODIsANewcomerWithoutImportance(t *testing.T) {
	var h herd
	h.add(1, components.LOD{}, components.Vec2{X: 500})
	woken := components.LOD{}
	woken.Wake()
	h.add(2, woken, components.Vec2{X: 60})
	important := components.NewLOD()
	important.Importance = 0
	h.add(3, important, components.Vec2{X: 500})
	c := newCadence(t, systems.LODConfig{}, 60)
	c.Frame(1, 16_666_666, h.cut(3), origin)
	assert.Equal(t, []uint8{3, 1, 0}, []uint8{h.lods[0].Tier, h.lods[1].Tier, h.lods[2].Tier})
	assert.Equal(t, components.NoImportance, h.lods[0].Importance)
	assert.Equal(t, 1, c.Stats().Woken)

	// One that joins between two passes over distances is no different.
	h.add(4, components.LOD{}, components.Vec2{X: 70})
	c.Frame(2, 33_333_333, h.cut(3), origin)
	assert.Equal(t, uint8(1), h.lods[3].Tier)
	assert.True(t, h.lods[3].Due())
	assert.Equal(t, time.Duration(33_333_333-16_666_666), h.lods[3].Elapsed(33_333_333))
}

func TestNewcomersBetweenPassesTakeFreeSeatsOnly(t *testing.T) {
	config := systems.DefaultLODConfig()
	config.Tiers[0].Cap = new(2)
	c := newCadence(t, config, 60)
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: 30})
	c.Frame(1, 1000, h.cut(9), origin)
	h.add(5, components.NewLOD(), components.Vec2{X: 20})
	h.add(4, components.NewLOD(), components.Vec2{X: 10})
	h.add(6, components.NewLOD(), components.Vec2{X: 50})
	c.Frame(2, 2000, h.cut(9), origin)
	tiers := func() (got []uint8) {
		for _, entity := range []uint32{1, 4, 5, 6} {
			got = append(got, h.lods[h.row(entity)].Tier)
		}
		return got
	}
	assert.Equal(t, []uint8{0, 0, 1, 1}, tiers(), "one seat is free and the nearer newcomer has it")
	for frame := uint32(3); frame <= 6; frame++ {
		c.Frame(frame, components.Timestamp(frame)*1000, h.cut(9), origin)
	}
	assert.Equal(t, []uint8{1, 0, 0, 1}, tiers(), "the pass in frame 6 ranks all by distance")
}

func TestAWakeWithinTheFrameIsServedAtOnce(t *testing.T) {
	c := newCadence(t, systems.LODConfig{}, 60)
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: 1000}) // frozen
	c.Frame(1, 1000, h.cut(1), origin)
	c.Frame(2, 2000, h.cut(1), origin)
	l := &h.lods[0]
	require.False(t, l.Due())
	assert.True(t, c.WakeNow(l))
	assert.True(t, l.Due())
	assert.Equal(t, 1, c.Stats().Woken)
	assert.True(t, c.WakeNow(l), "it is due already")
	assert.Equal(t, 1, c.Stats().Woken)
	l.Wake() // by what its decision led to
	c.Frame(3, 3000, h.cut(1), origin)
	assert.True(t, l.Due(), "a wake after the decision is not spent by it")
	assert.Equal(t, 1000*time.Nanosecond, l.Elapsed(3000))
	c.Frame(4, 4000, h.cut(1), origin)
	assert.False(t, l.Due())

	newcomer := components.NewLOD()
	assert.False(t, c.WakeNow(&newcomer), "nobody knows yet since when it waits")
	assert.False(t, newcomer.Due())
	h.add(2, newcomer, components.Vec2{X: 1000})
	c.Frame(5, 5000, h.cut(2), origin)
	assert.True(t, h.lods[1].Due())
}

func TestAWakeWithinTheFrameKeepsToTheBudget(t *testing.T) {
	c := newCadence(t, systems.LODConfig{Budget: 3}, 60)
	var h herd
	for i := range uint32(4) {
		h.add(i, components.NewLOD(), components.Vec2{X: 1000})
	}
	h.lods[3].Wake()
	c.Frame(1, 1000, h.cut(9), origin)
	var served []bool
	for i := range 3 {
		served = append(served, c.WakeNow(&h.lods[i]))
	}
	assert.Equal(t, []bool{true, true, false}, served)
	c.Frame(2, 2000, h.cut(9), origin)
	assert.True(t, h.lods[2].Due(), "it is the next frame's first")
	assert.Equal(t, int64(4), c.Stats().TotalWoken)
}

func TestElapsedTimeSumsToTheClockWhateverHappens(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	c := newCadence(t, systems.LODConfig{Budget: 40}, 60)
	h := &herd{}
	now := components.Timestamp(7_000_000_000)
	joined, sum := map[uint32]components.Timestamp{}, map[uint32]time.Duration{}
	for i := range uint32(400) {
		h.add(i, components.NewLOD(), components.Vec2{X: 400 * r.Float32()})
		joined[i] = now - 1_000_000_000/60
	}
	last := map[uint32]components.Timestamp{}
	for frame := uint32(1); frame <= 500; frame++ {
		c.Frame(frame, now, h.cut(100), []components.Vec2{{X: 300 * r.Float32()}})
		for i := range h.lods {
			entity := h.entities[i].Index
			if l := &h.lods[i]; l.Due() {
				sum[entity] += l.Elapsed(now)
				last[entity] = now
			} else if r.IntN(100) == 0 {
				l.Wake()
			}
		}
		now += components.Timestamp(1 + r.IntN(40_000_000)) // a host with its own time
	}
	require.Len(t, sum, 400)
	for entity, elapsed := range sum {
		require.Equal(t, time.Duration(last[entity]-joined[entity]), elapsed)
	}
}

// stroll moves agents of a crowd a step in a direction that each keeps for a while.
func stroll(k *systems.LODChunk, r *rand.Rand, side float32) {
	for i := range k.Places {
		p := &k.Places[i]
		if r.IntN(300) == 0 || p.Heading == (components.Vec2{}) {
			angle := 2 * math.Pi * r.Float64()
			p.Heading = components.Vec2{X: float32(math.Cos(angle)), Y: float32(math.Sin(angle))}
		}
		p.Position.X = min(max(p.Position.X+p.Heading.X*1.4/60, 0), side)
		p.Position.Y = min(max(p.Position.Y+p.Heading.Y*1.4/60, 0), side)
	}
}

// The load of ten thousand walkers around two observers that move, with joins, leaves and camera cuts.
func TestTheLoadIsFlatWhoeverJoinsLeavesOrChangesTier(t *testing.T) {
	const n, side, fps = 10_000, 400, 60
	r := rand.New(rand.NewPCG(9, 9))
	c := newCadence(t, systems.LODConfig{}, fps)
	k := crowd(n, r, side)
	next := uint32(n + 1)
	chunks := make([]systems.LODChunk, 1)
	period := []float64{6, 12, 60}
	decidedAt := map[uint32]uint32{}
	for frame := uint32(1); frame <= 600; frame++ {
		stroll(&k, r, side)
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
		var decided [systems.MaxLODTiers]int
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
	t.Logf("flatness %.4f, mean %.1f, max %d, overdue %.1f ms, agents %v", s.Flatness, s.MeanScheduled(), s.MaxScheduled, s.MaxOverdue, s.Agents)
	assert.LessOrEqual(t, s.Flatness, 1.02)
	assert.Greater(t, s.Flatness, 1.0)
	for i := range k.LODs {
		if l := &k.LODs[i]; l.Tier < 3 {
			require.LessOrEqual(t, 600-l.WaitingSince, uint32(66), "nobody starves")
		}
	}
}

func TestOverloadSlowsAllTiersAlike(t *testing.T) {
	// 60 agents each: 10 + 5 + 1 decisions a frame are called for, 8 are served.
	c := newCadence(t, systems.LODConfig{Budget: 8}, 60)
	var h herd
	for i := range uint32(180) {
		h.add(i, components.NewLOD(), components.Vec2{X: []float32{10, 70, 200}[i%3]})
	}
	var count [3]int
	for frame := uint32(1); frame <= 1320; frame++ {
		c.Frame(frame, components.Timestamp(frame), h.cut(50), origin)
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

func TestCountersCoverTheLastFrameAndTheRun(t *testing.T) {
	c := newCadence(t, systems.LODConfig{}, 10) // 10 Hz is every frame, 5 Hz every second one, 1 Hz every tenth
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: 10})
	h.add(2, components.NewLOD(), components.Vec2{X: 60})
	h.add(3, components.NewLOD(), components.Vec2{X: 60})
	h.add(4, components.NewLOD(), components.Vec2{X: 1000})
	frame := func(n uint32) systems.LODStats {
		c.Frame(n, components.Timestamp(n), h.cut(9), origin)
		return c.Stats()
	}
	s := frame(1)
	assert.Equal(t, [systems.MaxLODTiers]int{1, 2, 0, 1}, s.Agents)
	assert.Equal(t, 2, s.Scheduled)
	assert.Equal(t, 2.0, s.Expected, "1/1 + 2/2")
	h.lods[3].Wake()
	h.lods[0].Wake()
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
	assert.Zero(t, systems.LODStats{}.Frames)
	assert.Zero(t, (&systems.LODStats{}).MeanScheduled())
}

func TestAPromotedAgentIsNotOverdueByThePeriodItHadNoRightTo(t *testing.T) {
	c := newCadence(t, systems.LODConfig{Every: 1}, 60)
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: 200})
	for frame := uint32(1); frame <= 40; frame++ {
		c.Frame(frame, components.Timestamp(frame), h.cut(1), origin)
	}
	h.places[0].Position.X = 10
	c.Frame(41, 41, h.cut(1), origin)
	require.True(t, h.lods[0].Due(), "it waited 40 frames, more than any in the tier")
	assert.Zero(t, c.Stats().MaxOverdue)
}

func TestStorageOrderAndChunksDoNotMatter(t *testing.T) {
	play := func(shuffle bool) []components.LOD {
		config := systems.DefaultLODConfig()
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
				h.lods[h.row(uint32(events.IntN(300)))].Wake()
				h.places[h.row(uint32(events.IntN(300)))].Position.X = 350 * events.Float32()
			}
			rows := 300
			if shuffle {
				layout.Shuffle(300, func(i, j int) {
					h.entities[i], h.entities[j] = h.entities[j], h.entities[i]
					h.lods[i], h.lods[j] = h.lods[j], h.lods[i]
					h.places[i], h.places[j] = h.places[j], h.places[i]
				})
				rows = 1 + layout.IntN(300)
			}
			c.Frame(frame, components.Timestamp(frame), h.cut(rows), origin)
		}
		byEntity := make([]components.LOD, 300)
		for i, e := range h.entities {
			byEntity[e.Index] = h.lods[i]
		}
		return byEntity
	}
	assert.Equal(t, play(false), play(true))
}

func TestARestoredCadenceGoesOnAsIfNothingHappened(t *testing.T) {
	play := func(stop uint32) []components.LOD {
		r := rand.New(rand.NewPCG(4, 4))
		c := newCadence(t, systems.LODConfig{Budget: 20}, 60)
		k := crowd(500, r, 500)
		for frame := uint32(1); frame <= 120; frame++ {
			if frame == stop {
				state := c.State()
				c = newCadence(t, systems.LODConfig{Budget: 20}, 60)
				c.SetState(state)
			}
			stroll(&k, r, 500)
			c.Frame(frame, components.Timestamp(frame)*1000, []systems.LODChunk{k}, origin)
		}
		return k.LODs
	}
	assert.Equal(t, play(0), play(61))
}

func TestATierThatDoesNotExistIsLeftAtTheNextPass(t *testing.T) {
	c := newCadence(t, systems.LODConfig{Budget: 1}, 60)
	var h herd
	for i := range uint32(12) {
		h.add(i, components.NewLOD(), components.Vec2{X: 10})
	}
	c.Frame(1, 1, h.cut(12), origin)
	for i, tier := range []uint8{4, 7, 8, 255, 4, 7} {
		l := &h.lods[6+i]
		l.Tier, l.Ring = tier, tier
		if i < 4 {
			l.Wake()
		} else {
			l.Flags &^= lodflag.Fresh
		}
	}
	for frame := uint32(2); frame <= 6; frame++ {
		c.Frame(frame, components.Timestamp(frame), h.cut(12), origin)
		if frame < 6 {
			require.False(t, h.lods[10].Due())
			require.False(t, h.lods[11].Due())
		}
	}
	for i := range h.lods {
		assert.Zero(t, h.lods[i].Tier)
	}
}

func TestTheFrameNumberMayWrapAround(t *testing.T) {
	c := newCadence(t, systems.LODConfig{}, 60)
	var h herd
	h.add(1, components.NewLOD(), components.Vec2{X: 10})
	start := uint32(math.MaxUint32 - 20)
	var due []uint32
	for n := range uint32(43) {
		c.Frame(start+n, components.Timestamp(n+1), h.cut(1), origin)
		if h.lods[0].Due() {
			due = append(due, n)
		}
	}
	assert.Equal(t, []uint32{0, 6, 12, 18, 24, 30, 36, 42}, due)
}

func TestAFrameAllocatesNothing(t *testing.T) {
	for name, config := range map[string]systems.LODConfig{
		"default": {},
		"budget":  {Budget: 50},
		"caps": {
			Tiers: []systems.LODTier{{Radius: 40, Rate: 10, Cap: new(30)}, {Radius: 100, Rate: 5}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(6, 6))
			c := newCadence(t, config, 60)
			chunks := []systems.LODChunk{crowd(3000, r, 300), crowd(100, r, 300)}
			for i := range chunks[1].Entities {
				chunks[1].Entities[i].Index += 5000
			}
			eyes := []components.Vec2{{X: 10}, {Y: 100}}
			runFrames(c, chunks, eyes, 0, 60)
			frame := uint32(60)
			allocs.None(t, 200, func() {
				for i := range 20 {
					chunks[1].LODs[i] = components.NewLOD() // newcomers
					chunks[0].LODs[i].Wake()
				}
				stroll(&chunks[0], r, 300)
				runFrames(c, chunks, eyes, frame, 1)
				frame++
			})
		})
	}
}

// The system in a world.

// lodWorld is a world with what the system needs.
func lodWorld(config systems.LODConfig) (*arche.World, *systems.LOD) {
	w := arche.NewWorld()
	systems.Install(&w, systems.Options{FPS: 60, Seed: 1, Workers: 1})
	return &w, &systems.LOD{Config: config}
}

func advance(w *arche.World, s ecs.System) *systems.Clock {
	clock := arche.GetResource[systems.Clock](w)
	clock.Advance()
	s.Update(w)
	return clock
}

func TestLODSystemPanicsNamingWhatIsMissingOrWrong(t *testing.T) {
	empty := arche.NewWorld()
	assert.PanicsWithValue(t, "systems.LOD: the world has no *systems.Clock; call systems.Install", func() {
		(&systems.LOD{}).Initialize(&empty)
	})
	w, s := lodWorld(systems.LODConfig{Budget: -1})
	assert.PanicsWithValue(t, "systems: LODConfig.Budget is -1; use a positive number of decisions, or 0 for no limit", func() {
		s.Initialize(w)
	})
}

func TestLODSystemReadsObserversOfTheWorld(t *testing.T) {
	w, s := lodWorld(systems.LODConfig{Every: 1})
	s.Initialize(w)
	agents := generic.NewMap2[components.Transform, components.LOD](w)
	lod := components.NewLOD()
	e := agents.NewWith(&components.Transform{Position: components.Vec2{X: 200}}, &lod)
	alone := generic.NewMap1[components.LOD](w)
	loner := alone.New()

	advance(w, s)
	_, l := agents.Get(e)
	assert.Zero(t, l.Tier, "nobody looks: everyone is near")
	eyes := systems.Observers{{}}
	arche.AddResource(w, &eyes)
	advance(w, s)
	_, l = agents.Get(e)
	assert.Equal(t, uint8(2), l.Tier)
	eyes[0].X = 190
	advance(w, s)
	_, l = agents.Get(e)
	assert.Zero(t, l.Tier)
	assert.Zero(t, ecs.Get[components.LOD](w, ecs.FromArche(loner)).Tier, "an agent without a Transform is near")
}

func TestLODSystemServesWakesOfTheLastFrame(t *testing.T) {
	w, s := lodWorld(systems.LODConfig{})
	s.Initialize(w)
	arche.AddResource(w, &systems.Observers{{}})
	agents := generic.NewMap2[components.Transform, components.LOD](w)
	lod := components.NewLOD()
	far := agents.NewWith(&components.Transform{Position: components.Vec2{X: 900}}, &lod)
	dead := agents.NewWith(&components.Transform{}, &lod)
	advance(w, s)
	events := arche.GetResource[systems.Events](w)
	events.Wake(0, ecs.FromArche(far))
	events.Wake(0, ecs.FromArche(dead))
	w.RemoveEntity(dead)
	clock := advance(w, s)
	_, l := agents.Get(far)
	assert.True(t, l.Due())
	assert.Equal(t, time.Duration(clock.Now), l.Elapsed(clock.Now), "all its life")
	assert.Equal(t, 1, arche.GetResource[systems.Cadence](w).Stats().Woken)
	advance(w, s)
	_, l = agents.Get(far)
	assert.False(t, l.Due())
}

func TestMovingBetweenArchetypesKeepsTheCadence(t *testing.T) {
	w, s := lodWorld(systems.LODConfig{})
	s.Initialize(w)
	agents := generic.NewMap1[components.LOD](w)
	tag := generic.NewMap1[components.Health](w)
	var all []arche.Entity
	lod := components.NewLOD()
	for range 6 {
		all = append(all, agents.NewWith(&lod))
	}
	due := map[arche.Entity][]uint32{}
	for range 24 {
		clock := advance(w, s)
		for i, e := range all {
			if agents.Get(e).Due() {
				due[e] = append(due[e], clock.Frame)
				assert.Equal(t, uint32(0), (clock.Frame-1-uint32(i))%6)
			}
			if (int(clock.Frame)+i)%4 == 0 {
				if w.Has(e, arche.ComponentID[components.Health](w)) {
					tag.Remove(e)
				} else {
					tag.Assign(e, &components.Health{})
				}
			}
		}
	}
	for _, e := range all {
		assert.Len(t, due[e], 4, "every sixth frame of 24")
	}
}

func TestSeveralSystemsServeAnAgentWithTheSameElapsedTimeOrNone(t *testing.T) {
	w, s := lodWorld(systems.LODConfig{})
	s.Initialize(w)
	agents := generic.NewMap1[components.LOD](w)
	e := agents.New() // the zero value
	var first, second time.Duration
	for range 61 {
		clock := advance(w, s)
		l := agents.Get(e)
		if l.Due() {
			first += l.Elapsed(clock.Now)
		}
		if l.Due() && clock.Frame != 13 { // it missed one: that time is gone for it, not for the other
			second += l.Elapsed(clock.Now)
		}
	}
	clock := arche.GetResource[systems.Clock](w)
	assert.Equal(t, time.Duration(clock.Now), first)
	assert.Equal(t, time.Duration(clock.Now)-100*time.Millisecond, second)
}

func TestLODSystemCanBeInitializedAgain(t *testing.T) {
	w, s := lodWorld(systems.LODConfig{})
	s.Initialize(w)
	advance(w, s)
	old := arche.GetResource[systems.Cadence](w)
	s.Finalize(w)
	assert.Equal(t, 1, old.Stats().Frames)
	(&systems.LOD{Config: systems.LODConfig{Off: true}}).Initialize(w)
	assert.NotSame(t, old, arche.GetResource[systems.Cadence](w))
}

func TestLODSystemAllocatesNothingInASteadyState(t *testing.T) {
	w, s := lodWorld(systems.LODConfig{Budget: 20})
	s.Initialize(w)
	arche.AddResource(w, &systems.Observers{{}})
	agents := generic.NewMap2[components.Transform, components.LOD](w)
	var all []components.Entity
	lod := components.NewLOD()
	for i := range 1000 {
		e := agents.NewWith(&components.Transform{Position: components.Vec2{X: float32(i) / 2}}, &lod)
		all = append(all, ecs.FromArche(e))
	}
	events := arche.GetResource[systems.Events](w)
	step := func() {
		for i := range 10 {
			events.Wake(0, all[i*7])
		}
		advance(w, s)
	}
	for range 60 {
		step()
	}
	allocs.None(t, 100, step)
}

func ExampleLOD() {
	w := arche.NewWorld()
	systems.Install(&w, systems.Options{FPS: 60, Workers: 1})
	lod := &systems.LOD{Config: systems.DefaultLODConfig()}
	lod.Initialize(&w)
	arche.AddResource(&w, &systems.Observers{{X: 0, Y: 0}})

	agents := generic.NewMap2[components.Transform, components.LOD](&w)
	for _, metres := range []float32{10, 50, 200, 1000} {
		joining := components.NewLOD()
		agents.NewWith(&components.Transform{Position: components.Vec2{X: metres}}, &joining)
	}

	// A second of frames. Whoever works for the agents asks each one whether it is due.
	clock := arche.GetResource[systems.Clock](&w)
	decided := map[float32]int{}
	filter := generic.NewFilter2[components.Transform, components.LOD]()
	for range 60 {
		clock.Advance()
		lod.Update(&w)
		for q := filter.Query(&w); q.Next(); {
			if at, l := q.Get(); l.Due() {
				decided[at.Position.X]++ // after l.Elapsed(clock.Now) nanoseconds
			}
		}
	}
	cadence := arche.GetResource[systems.Cadence](&w)
	for tier, metres := range []float32{10, 50, 200, 1000} {
		fmt.Printf("%4v m, %s: %d decisions\n", metres, cadence.TierNames()[tier], decided[metres])
	}
	// Output:
	//   10 m, 10 Hz: 10 decisions
	//   50 m, 5 Hz: 5 decisions
	//  200 m, 1 Hz: 1 decisions
	// 1000 m, frozen: 0 decisions
}
