package needs

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/setting"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

func TestNeedsDependOnTimeAndNotOnFrames(t *testing.T) {
	type life struct{ hunger, fatigue, loneliness, stock float32 }
	live := func(fps int) (life, Stats) {
		h := newVillage(t, fps, 1, nil)
		store := h.place(components.Vec2{X: 10, Y: 10},
			components.Place{Kind: components.Store, Capacity: 2, Stock: 3, MaxStock: 9})
		field := h.place(components.Vec2{X: 11, Y: 10},
			components.Place{Kind: components.Workplace, Capacity: 2, Supplies: store})
		bed := h.place(components.Vec2{X: 12, Y: 10}, components.Place{Kind: components.Bed, Capacity: 1})
		e := h.villager(components.Vec2{X: 10.5, Y: 10}, components.Needs{Hunger: 0.6, Fatigue: 0.3, Loneliness: 0.2})
		for _, o := range []struct {
			seconds int
			order   components.Order
		}{
			{600, components.Order{Action: h.do.Rest}},
			{2000, components.Order{Action: h.do.Eat, Target: store}}, // a meal takes 1440
			{6000, components.Order{Action: h.do.Work, Target: field}},
			{3000, components.Order{Action: h.do.Sleep, Target: bed}},
			{333, components.Order{}},
		} {
			h.post(e, o.order)
			h.seconds(o.seconds)
		}
		n := h.needsOf(e)
		return life{n.Hunger, n.Fatigue, n.Loneliness, float32(h.placeOf(store).Stock)}, h.needs.Stats()
	}
	slow, counted := live(1)
	for _, fps := range []int{2, 7, 60} {
		fast, of := live(fps)
		assert.InDelta(t, slow.hunger, fast.hunger, 1e-3, "hunger at %d frames per second", fps)
		assert.InDelta(t, slow.fatigue, fast.fatigue, 1e-3)
		assert.InDelta(t, slow.loneliness, fast.loneliness, 1e-3)
		assert.Equal(t, slow.stock, fast.stock, "one meal eaten, one harvested")
		assert.Equal(t, counted.Begun, of.Begun)
		for a := range counted.Time {
			assert.InDelta(t, float64(counted.Time[a])/1e9, float64(of.Time[a])/1e9, 3, "%v", components.Activity(a))
		}
	}
	assert.Equal(t, float32(3), slow.stock)
}

func TestAnActivityCountsUntilItsEndWhateverTheStep(t *testing.T) {
	const worked = 1799.25 // seconds of each of two times: three meals, and 598.5 seconds for the next
	for _, step := range []components.Timestamp{second, second / 60, 3 * second / 10, 10 * second, 700 * second} {
		h := newVillage(t, 1, 1, func(s *System) {
			s.Rates = DefaultRates()
			s.Rates.Harvest = 3.6 // a meal in 1000 seconds of work
		})
		at := components.Vec2{X: 10, Y: 10}
		store := h.place(at, components.Place{Kind: components.Store, Capacity: 3, Stock: 1, MaxStock: 9})
		field := h.place(at, components.Place{Kind: components.Workplace, Capacity: 3, Supplies: store})
		worker := h.villager(at, components.Needs{Hunger: 0.2, Fatigue: 0.1})
		eater := h.villager(at, components.Needs{Hunger: 0.7})
		nibbler := h.villager(at, components.Needs{Hunger: 0.1})
		sleeper := h.villager(components.Vec2{X: 50, Y: 50}, components.Needs{Fatigue: 0.06}) // to 0.05 at 0.07 an hour
		h.steps(step, step)
		start := h.clock.Now
		for range 2 {
			h.post(worker, components.Order{Action: h.do.Work, Target: field, Numbers: [2]float32{worked}})
			h.steps(2800*second, step)
			require.Equal(t, components.Succeeded, h.order(worker).Outcome)
		}
		n := h.needs.Stats()
		assert.Equal(t, 2*setting.Seconds(worked), n.Time[components.Working], "steps of %d ns", step)
		assert.Equal(t, int32(4), h.placeOf(store).Stock, "steps of %d ns", step)
		assert.Equal(t, setting.Seconds(2*worked-3000), h.placeOf(field).WorkDone, "steps of %d ns", step)
		idle := setting.InSeconds(h.needsOf(worker).UpdatedAt-start) - 2*worked
		assert.InDelta(t, 0.1+(2*worked*0.05+idle*0.04)/3600, h.needsOf(worker).Fatigue, 1e-4, "steps of %d ns", step)

		hunger := h.needsOf(eater).Hunger
		since := h.needsOf(eater).UpdatedAt
		h.post(eater, components.Order{Action: h.do.Eat, Target: store})
		h.post(nibbler, components.Order{Action: h.do.Eat, Target: store})
		h.post(sleeper, components.Order{Action: h.do.Sleep, Numbers: [2]float32{0, 0.05}})
		*h.needsOf(nibbler) = components.Needs{Hunger: 0.1}
		*h.needsOf(sleeper) = components.Needs{Fatigue: 0.06}
		h.steps(2800*second, step)
		n = h.needs.Stats()
		assert.Equal(t, components.Succeeded, h.order(eater).Outcome)
		idle = setting.InSeconds(h.needsOf(eater).UpdatedAt-since) - 1440
		assert.InDelta(t, hunger-0.5+idle*0.085/3600, h.needsOf(eater).Hunger, 1e-4, "steps of %d ns", step)
		assert.InDelta(t, 1440+0.1/0.5*1440, setting.InSeconds(n.Time[components.Eating]), 0.1, "steps of %d ns", step)
		assert.InDelta(t, 0.01/0.07*3600, setting.InSeconds(n.Time[components.Camping]), 0.1, "steps of %d ns", step)
	}
}

func TestStarvingCountsFromTheInstantOfFullHunger(t *testing.T) {
	h := newVillage(t, 1, 1, nil)
	e := h.villager(components.Vec2{X: 10, Y: 10}, components.Needs{Hunger: 1 - 0.085})
	h.steps(second, second)
	h.steps(2*3600*second, 2*3600*second)
	assert.InDelta(t, 3600, h.needsOf(e).Starving, 0.1, "hunger is full after an hour")
}

func TestAnAgentStarvesOnce(t *testing.T) {
	h := newVillage(t, 1, 1, nil)
	e := h.villager(components.Vec2{X: 10, Y: 10}, components.Needs{Hunger: 1})
	h.seconds(6 * 3600)
	assert.Zero(t, h.needs.Stats().Starved)
	h.seconds(2)
	assert.Equal(t, int64(1), h.needs.Stats().Starved)
	h.seconds(6 * 3600)
	assert.Equal(t, int64(1), h.needs.Stats().Starved)
	assert.Equal(t, float32(1), h.needsOf(e).Hunger)
}

func TestSmallStepsDoNotStall(t *testing.T) {
	h := newVillage(t, 1000, 1, nil) // a frame's hunger is less than a float32 near 1 can hold
	e := h.villager(components.Vec2{X: 5, Y: 5}, components.Needs{Hunger: 0.9})
	h.seconds(100)
	assert.InDelta(t, 0.9+99*0.085/3600, h.needsOf(e).Hunger, 3e-5)
}

func TestEachPhaseIsDueOnceInASecond(t *testing.T) {
	for _, fps := range []int{1, 7, 60, 144} {
		clock, err := frame.NewClock(fps)
		require.NoError(t, err)
		var times [phaseCount]int
		for range 5 * fps {
			clock.Advance()
			for i, phases := 0, phasesBetween(clock.Now, clock.Now-clock.Step); i < phaseCount; i++ {
				times[i] += int(phases >> i & 1)
			}
		}
		for i, n := range times {
			assert.Equal(t, 5, n, "instant %d at %d frames a second", i, fps)
		}
	}
	assert.Equal(t, ^uint64(0), phasesBetween(5*second, 2*second), "once in a longer frame too")
	assert.Zero(t, phasesBetween(5*second, 5*second), "no time passes")
}

func TestOneThatIsLessHungryStarvesNoLonger(t *testing.T) {
	h := newVillage(t, 1, 1, nil)
	e := h.villager(components.Vec2{X: 10, Y: 10}, components.Needs{Hunger: 1})
	h.seconds(100)
	require.Greater(t, h.needsOf(e).Starving, float32(90))
	h.needsOf(e).Hunger = 0.9
	h.seconds(2)
	assert.Zero(t, h.needsOf(e).Starving)
}

func TestOneThatIsRestedAlreadyDoesNotSleep(t *testing.T) {
	h := newVillage(t, 1, 1, nil)
	e := h.villager(components.Vec2{X: 10, Y: 10}, components.Needs{})
	h.frames(1)
	h.post(e, components.Order{Action: h.do.Sleep, Numbers: [2]float32{1: 0.5}})
	h.seconds(3)
	assert.Equal(t, components.Succeeded, h.order(e).Outcome)
	assert.Zero(t, h.needs.Stats().Time[components.Camping])
}
