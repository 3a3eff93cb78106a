package needs

import (
	"math"
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
)

func TestABedHasOneSleeperAndTheFirstEntityGetsIt(t *testing.T) {
	h := newVillage(t, 1, 1, nil)
	bed := h.place(components.Vec2{X: 10, Y: 10}, components.Place{Kind: components.Bed, Capacity: 1})
	tired := components.Needs{Fatigue: 0.9}
	a, b, c := h.villager(components.Vec2{X: 10, Y: 11}, tired), h.villager(components.Vec2{X: 10, Y: 9}, tired),
		h.villager(components.Vec2{X: 11, Y: 10}, tired)
	sleep := components.Order{Action: h.do.Sleep, Target: bed}
	h.post(c, sleep)
	h.post(b, sleep)
	h.frames(1)
	assert.Equal(t, components.Sleeping, h.doing(b))
	assert.Equal(t, components.Idle, h.doing(c))
	assert.Equal(t, components.Failed, h.order(c).Outcome)
	assert.Equal(t, int32(1), h.placeOf(bed).Occupied)

	h.post(a, sleep) // an earlier entity comes too late
	h.frames(1)
	assert.Equal(t, components.Failed, h.order(a).Outcome)

	h.post(b, components.Order{}) // it makes room in the same frame
	h.post(c, sleep)
	h.frames(1)
	assert.Equal(t, components.Idle, h.doing(b))
	assert.Equal(t, components.Sleeping, h.doing(c))
	assert.Equal(t, int32(1), h.placeOf(bed).Occupied)
	assert.Equal(t, int64(2), h.needs.Stats().Refused)
}

func TestARemovedAgentFreesItsBedAndARemovedBedEndsTheSleep(t *testing.T) {
	h := newVillage(t, 60, 1, nil)
	bed := h.place(components.Vec2{X: 10, Y: 10}, components.Place{Kind: components.Bed, Capacity: 1})
	tired := components.Needs{Fatigue: 0.9}
	a, b := h.villager(components.Vec2{X: 10, Y: 11}, tired), h.villager(components.Vec2{X: 10, Y: 9}, tired)
	sleep := components.Order{Action: h.do.Sleep, Target: bed}
	h.post(a, sleep)
	h.frames(1)
	require.Equal(t, components.Sleeping, h.doing(a))
	h.w.RemoveEntity(ecs.ToArche(a))
	h.post(b, sleep)
	h.frames(1)
	assert.Equal(t, components.Sleeping, h.doing(b), "the removed agent frees its bed")

	h.w.RemoveEntity(ecs.ToArche(bed))
	other := h.place(components.Vec2{X: 10, Y: 10}, components.Place{Kind: components.Bed, Capacity: 1})
	require.Equal(t, bed.Index, other.Index, "the new bed has the old one's slot")
	h.frames(1)
	assert.Equal(t, components.Failed, h.order(b).Outcome)
	assert.Equal(t, components.Idle, h.doing(b))
	assert.Zero(t, h.placeOf(other).Occupied)
	assert.Equal(t, []components.Entity{b}, ecs.Resource[eventlist.Lists](h.w).Wakes(),
		"an agent that has lost its bed is woken")
}

func TestAPlaceThatChangesItsKindIsLeft(t *testing.T) {
	for name, become := range map[string]func(h *village, bed components.Entity){
		"another kind": func(h *village, bed components.Entity) {
			*h.placeOf(bed) = components.Place{Kind: components.Store, Capacity: 1, Stock: 5}
		},
		"no place": func(h *village, bed components.Entity) {
			h.w.Remove(ecs.ToArche(bed), arche.ComponentID[components.Place](h.w))
		},
	} {
		h := newVillage(t, 1, 1, nil)
		bed := h.place(components.Vec2{X: 10, Y: 10}, components.Place{Kind: components.Bed, Capacity: 1})
		sleeper := h.villager(components.Vec2{X: 10, Y: 11}, components.Needs{Fatigue: 0.9})
		h.post(sleeper, components.Order{Action: h.do.Sleep, Target: bed})
		h.frames(1)
		require.Equal(t, components.Sleeping, h.doing(sleeper))
		become(h, bed)
		h.frames(1)
		assert.Equal(t, components.Failed, h.order(sleeper).Outcome, name)
		assert.Equal(t, components.Idle, h.doing(sleeper), name)
		if place := ecs.Get[components.Place](h.w, bed); place != nil {
			assert.Zero(t, place.Occupied, name)
		}
	}
}

func TestAPlaceMustBeThereAndOfTheRightKind(t *testing.T) {
	h := newVillage(t, 1, 1, nil)
	bed := h.place(components.Vec2{X: 10, Y: 10}, components.Place{Kind: components.Bed, Capacity: 9})
	nowhere := h.spawn(components.Place{Kind: components.Bed, Capacity: 9})
	for name, c := range map[string]struct {
		at     components.Vec2
		action components.Action
		target components.Entity
	}{
		"another kind":   {components.Vec2{X: 10, Y: 10}, h.do.Eat, bed},
		"out of reach":   {components.Vec2{X: 10, Y: 13.1}, h.do.Sleep, bed},
		"dead":           {components.Vec2{X: 10, Y: 10}, h.do.Sleep, components.Entity{Index: 9999}},
		"no place":       {components.Vec2{X: 10, Y: 10}, h.do.Work, components.Entity{}},
		"no position":    {components.Vec2{X: 10, Y: 10}, h.do.Sleep, nowhere},
		"no company":     {components.Vec2{X: 50, Y: 50}, h.do.Socialise, components.Entity{}},
		"not of a place": {components.Vec2{X: float32(math.NaN()), Y: 10}, h.do.Sleep, bed},
	} {
		e := h.villager(c.at, components.Needs{Fatigue: 0.9, Loneliness: 1})
		h.post(e, components.Order{Action: c.action, Target: c.target})
		h.frames(1)
		assert.Equal(t, components.Failed, h.order(e).Outcome, name)
		assert.Equal(t, components.Idle, h.doing(e), name)
		h.w.RemoveEntity(ecs.ToArche(e))
	}
	near := h.villager(components.Vec2{X: 10, Y: 12.9}, components.Needs{Fatigue: 0.9})
	h.post(near, components.Order{Action: h.do.Sleep, Target: bed})
	h.frames(1)
	assert.Equal(t, components.Sleeping, h.doing(near))
}

func TestMealsAreUsedUpAndWorkBringsThem(t *testing.T) {
	h := newVillage(t, 1, 1, func(s *System) {
		s.Rates = DefaultRates()
		s.Rates.Harvest, s.Rates.MealTime, s.Rates.Plenty = 2, 6*time.Minute, 4 // a meal in half an hour's work
	})
	store := h.place(components.Vec2{X: 10, Y: 10},
		components.Place{Kind: components.Store, Capacity: 3, Stock: 4, MaxStock: 5})
	field := h.place(components.Vec2{X: 20, Y: 20},
		components.Place{Kind: components.Workplace, Capacity: 3, Supplies: store})
	home := components.Home{Store: store}
	var eaters, workers []components.Entity
	for range 5 {
		eaters = append(eaters, h.villager(components.Vec2{X: 10, Y: 10}, components.Needs{Hunger: 1}, home))
	}
	for range 3 {
		workers = append(workers, h.villager(components.Vec2{X: 20, Y: 20}, components.Needs{}))
	}
	h.frames(1)
	assert.Equal(t, float32(1), h.needsOf(eaters[0]).Food, "4 meals are plenty")
	for _, e := range eaters {
		h.post(e, components.Order{Action: h.do.Eat, Target: store})
	}
	h.frames(1)
	assert.Equal(t, int32(1), h.placeOf(store).Stock, "three seats, three meals")
	assert.Equal(t, float32(0.25), h.needsOf(eaters[0]).Food)
	h.seconds(361)
	assert.Equal(t, components.Succeeded, h.order(eaters[2]).Outcome, "the meal is eaten in 0.1 hours")
	assert.InDelta(t, 0.5, h.needsOf(eaters[2]).Hunger, 2e-3)
	for _, e := range eaters[3:] {
		assert.Equal(t, components.Failed, h.order(e).Outcome)
		h.post(e, components.Order{Action: h.do.Eat, Target: store})
	}
	h.frames(1)
	assert.Zero(t, h.placeOf(store).Stock)
	assert.Equal(t, components.Eating, h.doing(eaters[3]))
	assert.Equal(t, components.Failed, h.order(eaters[4]).Outcome, "a seat, but nothing to eat")
	assert.Zero(t, h.needsOf(eaters[0]).Food)

	for _, e := range workers {
		h.post(e, components.Order{Action: h.do.Work, Target: field})
	}
	h.seconds(602)
	assert.Equal(t, int32(1), h.placeOf(store).Stock, "three at work for ten minutes")
	h.seconds(3 * 3600)
	assert.Equal(t, int32(5), h.placeOf(store).Stock, "18 more, but it is full")
}

func TestARefusedClaimDoesNotKeepTheNextFromBeingGranted(t *testing.T) {
	h := newVillage(t, 1, 1, nil)
	bed := h.place(components.Vec2{X: 10, Y: 10}, components.Place{Kind: components.Bed, Capacity: 1})
	far := h.villager(components.Vec2{X: 30, Y: 10}, components.Needs{Fatigue: 0.9})
	near := h.villager(components.Vec2{X: 13, Y: 10}, components.Needs{Fatigue: 0.9}) // 3 m are in reach
	for _, e := range []components.Entity{far, near} {
		h.post(e, components.Order{Action: h.do.Sleep, Target: bed})
	}
	h.frames(1)
	assert.Equal(t, components.Failed, h.order(far).Outcome)
	assert.Equal(t, components.Sleeping, h.doing(near))
	assert.Equal(t, []components.Entity{far}, ecs.Resource[eventlist.Lists](h.w).Wakes(), "who is refused is woken")
}

func TestWorkDoesNotTakeFromAStoreThatHasMoreThanItHolds(t *testing.T) {
	h := newVillage(t, 1, 1, func(s *System) {
		s.Rates = DefaultRates()
		s.Rates.Harvest = 60 // a meal a minute
	})
	at := components.Vec2{X: 10, Y: 10}
	store := h.place(at, components.Place{Kind: components.Store, Capacity: 1, Stock: 9, MaxStock: 5})
	field := h.place(at, components.Place{Kind: components.Workplace, Capacity: 1, Supplies: store})
	worker := h.villager(at, components.Needs{})
	h.post(worker, components.Order{Action: h.do.Work, Target: field})
	h.seconds(200)
	assert.Equal(t, components.Working, h.doing(worker))
	assert.EqualValues(t, 9, h.placeOf(store).Stock)
}

func TestWorkThatSuppliesNoStoreOrBringsNoHarvestGoesOn(t *testing.T) {
	for harvest, left := range map[float32]components.Timestamp{
		60: 18 * second, // of 198 s; three meals are gone
		0:  0,
	} {
		h := newVillage(t, 1, 1, func(s *System) {
			s.Rates = DefaultRates()
			s.Rates.Harvest = harvest
		})
		assert.Equal(t, harvest == 0, h.needs.rates.harvest == 0)
		at := components.Vec2{X: 10, Y: 10}
		field := h.place(at, components.Place{Kind: components.Workplace, Capacity: 1})
		worker := h.villager(at, components.Needs{})
		h.post(worker, components.Order{Action: h.do.Work, Target: field, Numbers: [2]float32{198}})
		h.seconds(250)
		assert.Equal(t, components.Succeeded, h.order(worker).Outcome)
		assert.Equal(t, left, h.placeOf(field).WorkDone)
	}
}
