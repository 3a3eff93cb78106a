package needs

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
)

func TestEachActivityChangesNeedsByItsRates(t *testing.T) {
	h := newVillage(t, 1, 1, func(s *System) {
		s.Rates = Rates{
			Hunger: 0.1, SleepHunger: 0.05, Fatigue: 0.2, WorkFatigue: 0.3, Loneliness: 0.08,
			Sleep: 0.25, Camp: 0.15, Rest: 0.04, Company: 0.5, Overheard: 0.2,
			Meal: 0.5, MealTime: 30 * time.Minute, Harvest: 1, Plenty: 1, Friends: 1, StarveAfter: 2 * time.Hour,
		}
	})
	half := components.Needs{Hunger: 0.5, Fatigue: 0.5, Loneliness: 0.5}
	far := func(i int) components.Vec2 { return components.Vec2{X: float32(1 + 9*i), Y: 60} }
	bed := h.place(far(1), components.Place{Kind: components.Bed, Capacity: 1})
	store := h.place(far(2), components.Place{Kind: components.Store, Capacity: 1, Stock: 1})
	field := h.place(far(3), components.Place{Kind: components.Workplace, Capacity: 1})
	idle, sleeper := h.villager(far(0), half), h.villager(far(1), half)
	eater, worker := h.villager(far(2), half), h.villager(far(3), half)
	rester, camper := h.villager(far(4), half), h.villager(far(5), half)
	talker, friend := h.villager(far(6), half), h.villager(far(6), half)
	h.frames(1)
	h.post(sleeper, components.Order{Action: h.do.Sleep, Target: bed})
	h.post(eater, components.Order{Action: h.do.Eat, Target: store})
	h.post(worker, components.Order{Action: h.do.Work, Target: field})
	h.post(rester, components.Order{Action: h.do.Rest})
	h.post(camper, components.Order{Action: h.do.Sleep})
	h.post(talker, components.Order{Action: h.do.Socialise, Numbers: [2]float32{1: 0.01}})
	h.frames(1)
	before := map[components.Entity]components.Needs{}
	for _, e := range []components.Entity{idle, sleeper, eater, worker, rester, camper, talker, friend} {
		before[e] = *h.needsOf(e)
	}
	h.seconds(1440) // 0.4 hours
	for _, c := range []struct {
		doing                       string
		e                           components.Entity
		hunger, fatigue, loneliness float32 // in 0.4 hours
	}{
		{"idle", idle, 0.04, 0.08, 0.032},
		{"asleep", sleeper, 0.02, -0.1, 0},
		{"at a meal of 0.5 in half an hour", eater, -0.4, 0.08, 0.032},
		{"at work", worker, 0.04, 0.12, 0.032},
		{"at rest", rester, 0.04, -0.016, 0.032},
		{"asleep without a bed", camper, 0.02, -0.06, 0},
		{"in company", talker, 0.04, 0.08, -0.2},
		{"near one that talks", friend, 0.04, 0.08, -0.08},
	} {
		was, is := before[c.e], h.needsOf(c.e)
		assert.InDelta(t, was.Hunger+c.hunger, is.Hunger, 1e-3, "hunger of one %s", c.doing)
		assert.InDelta(t, was.Fatigue+c.fatigue, is.Fatigue, 1e-3, "fatigue of one %s", c.doing)
		assert.InDelta(t, was.Loneliness+c.loneliness, is.Loneliness, 1e-3, "loneliness of one %s", c.doing)
	}
}
