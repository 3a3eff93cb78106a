package needs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

func TestSettingsOutOfRangeAreRefused(t *testing.T) {
	nan := float32(math.NaN())
	for message, s := range map[string]*System{
		"needs.System: CompanyRadius is NaN; use a finite number":                    {CompanyRadius: nan},
		"needs.System: Reach is +Inf; use a finite number":                           {Reach: float32(math.Inf(1))},
		"needs.System: StartTime is -1h0m0s; use a time of day, from midnight":       {StartTime: -time.Hour},
		"needs.System: Rates.Hunger is -1; use a finite number that is not negative": {Rates: Rates{Hunger: -1}},
		"needs.System: Rates.MealTime is 0s; use a time above 0":                     {Rates: Rates{Hunger: 1}},
		"needs.System: Rates.StarveAfter is -1s; it must not be negative": {
			Rates: Rates{MealTime: 1, StarveAfter: -time.Second}},
		"needs.System: Rates.Plenty is 0; use 1 or more": {Rates: Rates{MealTime: 1}},
		"needs.System: Sun is {Dawn:8h0m0s Morning:7h0m0s Evening:18h0m0s Nightfall:20h0m0s}; " +
			"use times that ascend from 0 to 24h": {
			Sun: Sun{Dawn: 8 * time.Hour, Morning: 7 * time.Hour, Evening: 18 * time.Hour, Nightfall: 20 * time.Hour}},
	} {
		h := newVillage(t, 1, 1, nil)
		assert.PanicsWithValue(t, message, func() { s.Initialize(h.w) })
	}
	empty := arche.NewWorld()
	assert.PanicsWithValue(t, "ecs: the world has no *frame.Clock; call systems.Install, or add a resource of "+
		"your own with arche's AddResource", func() {
		(&System{}).Initialize(&empty)
	})
}

func TestANegativeCompanyRadiusFindsNoCompany(t *testing.T) {
	h := newVillage(t, 1, 1, func(s *System) { s.CompanyRadius = -1 })
	at := components.Vec2{X: 10, Y: 10}
	e := h.villager(at, components.Needs{})
	h.villager(at, components.Needs{})
	h.frames(2)
	assert.Zero(t, h.needsOf(e).Friends)
}

func TestANegativeReachUsesNoPlace(t *testing.T) {
	h := newVillage(t, 1, 1, func(s *System) { s.Reach = -1 })
	bed := h.place(components.Vec2{X: 10, Y: 11}, components.Place{Kind: components.Bed, Capacity: 1})
	e := h.villager(components.Vec2{X: 10, Y: 10}, components.Needs{Fatigue: 0.5})
	h.post(e, components.Order{Action: h.do.Sleep, Target: bed})
	h.frames(2)
	assert.Equal(t, components.Failed, h.order(e).Outcome)
}

// A crowd that is told to do anything anywhere, and loses people and places, never overfills a place, never owes a
// meal, and comes out the same whatever its storage order and the number of workers.
func TestResultsAreTheSameForAnyStorageOrderAndNumberOfWorkers(t *testing.T) {
	const people, sites = 90, 12
	run := func(workers int, shuffle uint64) uint64 {
		h := newVillage(t, 2, workers, nil)
		rng := rand.New(rand.NewPCG(1, 2))
		var all []components.Entity
		for range people + sites {
			all = append(all, ecs.FromArche(h.w.NewEntity()))
		}
		q := ecs.Resource[ecs.Commands](h.w).Queue(0)
		values := make([]func(), len(all))
		for i, e := range all {
			at := components.Transform{Position: components.Vec2{X: 10 + 4*rng.Float32(), Y: 10 + 4*rng.Float32()}}
			place := components.Place{
				Kind: components.PlaceKind(1 + i%3), Capacity: int32(1 + i%4), Stock: int32(i % 5), MaxStock: 5,
				Supplies: all[people],
			}
			n := components.Needs{Hunger: rng.Float32(), Fatigue: rng.Float32(), Loneliness: rng.Float32()}
			values[i] = func() {
				ecs.Assign(q, e, e, at)
				if i >= people {
					ecs.Assign(q, e, e, place)
					return
				}
				ecs.Assign(q, e, e, n)
				ecs.Assign(q, e, e, components.Engagement{})
				ecs.Assign(q, e, e, components.Intent{})
				ecs.Assign(q, e, e, components.Faction{ID: 1})
				if i%3 == 0 {
					ecs.Assign(q, e, e, components.Home{Store: all[people+i%sites]})
				}
			}
		}
		order := rand.New(rand.NewPCG(shuffle, 0)).Perm(len(all))
		for _, i := range order {
			values[i]()
			ecs.Resource[ecs.Commands](h.w).Apply(h.w)
		}
		actions := []components.Action{h.do.Eat, h.do.Sleep, h.do.Work, h.do.Socialise, h.do.Rest, 0}
		for frame := range 400 {
			for i, e := range all {
				switch draw := rng.IntN(1000); {
				case !ecs.Alive(h.w, e):
				case draw == 0 && frame > 100:
					h.w.RemoveEntity(ecs.ToArche(e))
				case i < people && draw < 100:
					action, at, left := rng.IntN(len(actions)), rng.IntN(sites), float32(rng.IntN(20))
					h.post(e,
						components.Order{Action: actions[action], Target: all[people+at], Numbers: [2]float32{left}})
				}
			}
			h.frames(1)
			used := map[components.Entity]int32{}
			for _, e := range all[:people] {
				if a := ecs.Get[components.Engagement](h.w, e); a != nil && !a.Place.IsZero() {
					used[a.Place]++
				}
			}
			for _, e := range all[people:] {
				if p := h.placeOf(e); p != nil {
					require.Equal(t, used[e], p.Occupied, "frame %d", frame)
					require.LessOrEqual(t, p.Occupied, p.Capacity)
					require.GreaterOrEqual(t, p.Stock, int32(0))
					require.LessOrEqual(t, p.Stock, p.MaxStock)
					delete(used, e)
				}
			}
			require.Empty(t, used, "no agent is at a removed place")
		}
		stats := h.needs.Stats()
		for a := components.Eating; a < components.Activities; a++ {
			if a != components.Camping {
				require.Positive(t, stats.Begun[a], fmt.Sprint(a))
			}
		}
		require.Positive(t, stats.Refused)
		return ecs.Hash(h.w)
	}
	one := run(1, 1)
	assert.Equal(t, one, run(2, 1), "2 workers")
	assert.Equal(t, one, run(5, 2), "5 workers, another storage order")
}
