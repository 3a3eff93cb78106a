package needs

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

func TestCompanyIsOtherAgentsNearAndAwake(t *testing.T) {
	h := newVillage(t, 1, 1, nil)
	a := h.villager(components.Vec2{X: 10, Y: 10}, components.Needs{Loneliness: 0.5})
	sleeper := h.villager(components.Vec2{X: 11, Y: 10}, components.Needs{Fatigue: 0.9})
	far := h.villager(components.Vec2{X: 17, Y: 10}, components.Needs{})
	h.spawn(components.Transform{Position: components.Vec2{X: 10, Y: 11}}, components.Faction{ID: 1}) // no villager
	h.post(sleeper, components.Order{Action: h.do.Sleep})
	h.frames(1)
	assert.Zero(t, h.needsOf(a).Friends)
	assert.True(t, h.needsOf(a).Companion.IsZero())
	ecs.Get[components.Transform](h.w, far).Position.X = 13.5
	h.frames(1)
	assert.Equal(t, float32(1)/3, h.needsOf(a).Friends, "one of three")
	assert.Equal(t, far, h.needsOf(a).Companion)
	nearer := h.villager(components.Vec2{X: 10, Y: 12}, components.Needs{})
	h.frames(1)
	assert.Equal(t, nearer, h.needsOf(a).Companion)
	h.post(far, components.Order{Action: h.do.Socialise})
	h.frames(1)
	assert.Equal(t, far, h.needsOf(a).Companion, "an agent that talks comes before a nearer one")
	assert.True(t, h.needsOf(a).SocialisingNearby)
	assert.Zero(t, h.needsOf(sleeper).Friends, "an agent that sleeps finds no company")

	h.post(a, components.Order{Action: h.do.Socialise, Numbers: [2]float32{1: 0.3}})
	h.seconds(1450) // at 0.5 an hour, from 0.5
	assert.Equal(t, components.Succeeded, h.order(a).Outcome)
	assert.InDelta(t, 0.3, h.needsOf(a).Loneliness, 2e-3)
}

func TestOneThatTakesAPlaceCountsByItsActivityInTheSameFrame(t *testing.T) {
	h := newVillage(t, 1, 1, nil)
	at := components.Vec2{X: 10, Y: 10}
	bed := h.place(at, components.Place{Kind: components.Bed, Capacity: 1})
	store := h.place(at, components.Place{Kind: components.Store, Capacity: 1, Stock: 3})
	a, other := h.villager(at, components.Needs{}), h.villager(at, components.Needs{Fatigue: 0.9, Hunger: 0.9})
	h.post(other, components.Order{Action: h.do.Eat, Target: store})
	h.frames(1)
	require.Equal(t, components.Eating, h.doing(other))
	assert.Equal(t, float32(1)/3, h.needsOf(a).Friends, "awake at a meal")
	h.post(other, components.Order{Action: h.do.Sleep, Target: bed})
	h.frames(1)
	require.Equal(t, components.Sleeping, h.doing(other))
	assert.Zero(t, h.needsOf(a).Friends, "asleep")
}

func TestOneOfACrowdLooksAt32Others(t *testing.T) {
	h := newVillage(t, 1, 1, func(s *System) {
		s.Rates = DefaultRates()
		s.Rates.Friends = 100
	})
	var crowd []components.Entity
	for range 60 {
		crowd = append(crowd, h.villager(components.Vec2{X: 10, Y: 10}, components.Needs{}))
	}
	h.frames(1)
	for _, e := range crowd {
		assert.Contains(t, []float32{0.31, 0.32}, h.needsOf(e).Friends, "itself may be among the 32")
	}
}
