package combat

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

func TestShortestIntervalIsTheShortestBetweenTwoStrikesOfOneAgent(t *testing.T) {
	s := arena(t, nil)
	one, two := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	strike := func(e, target components.Entity) {
		s.fire(e, components.Trigger{Action: s.Do.Strike, Target: target, Number: 1})
	}
	strike(one, two)
	s.Frames(1)
	strike(two, one) // another's strike in between does not count
	s.Frames(1)
	none, ok := s.Combat.ShortestInterval()
	assert.False(t, ok)
	assert.Zero(t, none)
	s.Frames(8)
	strike(one, two)
	s.Frames(20)
	strike(one, two)
	s.Frames(1)
	shortest, ok := s.Combat.ShortestInterval()
	assert.True(t, ok)
	assert.EqualValues(t, 1000e6, shortest)
}

func TestMostAttackersIsAtMost255(t *testing.T) {
	s := arena(t, func(c *System) { c.MaxAttackers = 255 })
	target := s.soldier(2, components.Vec2{X: 10, Y: 10})
	for range 300 {
		s.melee(s.soldier(1, components.Vec2{X: 10, Y: 20}), target)
	}
	s.Frames(2)
	assert.Equal(t, 255, s.attackers(target))
	assert.EqualValues(t, 45, s.Combat.Stats().Refused)
}

// Claims that were saved with a world, or made by hand, are counted without being granted.
func TestAttackersAreCountedUpTo255HoweverTheyGotTheirClaims(t *testing.T) {
	s := arena(t, nil)
	target := s.soldier(2, components.Vec2{X: 10, Y: 10})
	for range 300 {
		e := s.soldier(1, components.Vec2{X: 10, Y: 20})
		order := s.melee(e, target)
		*ecs.Get[components.Attack](s.W, e) = components.Attack{Target: target, Serial: order.Serial}
	}
	s.Frames(1)
	assert.Equal(t, 255, s.attackers(target))
	assert.Equal(t, 255, s.Combat.Stats().MostAttackers)
}
