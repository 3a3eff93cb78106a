package combat

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
)

// A target that dies fails orders of agents without a claim on it, and succeeds those of its attackers.
func TestWhenATargetDies(t *testing.T) {
	s := arena(t, func(c *System) { c.MaxAttackers = 2 })
	first, second := s.soldier(1, components.Vec2{X: 10, Y: 10}), s.soldier(1, components.Vec2{X: 10, Y: 11})
	late, victim := s.soldier(1, components.Vec2{X: 11, Y: 11}), s.soldier(2, components.Vec2{X: 11, Y: 10})
	var victims, killers []components.Entity
	s.Combat.OnDeath(func(victim, killer components.Entity) {
		victims, killers = append(victims, victim), append(killers, killer)
		assert.True(t, ecs.Alive(s.W, victim), "it still has its components")
	})
	s.melee(first, victim)
	s.melee(second, victim)
	s.Frames(1) // the claims are granted
	s.Events.Hurt(0, second, victim, 1000)
	s.Frames(1)
	assert.Equal(t, []components.Entity{victim}, victims, "each death is reported once")
	assert.Equal(t, []components.Entity{second}, killers)
	assert.False(t, ecs.Alive(s.W, victim), "it is removed at the end of the frame")
	assert.EqualValues(t, 1, s.Events.Total(eventlist.Death))
	s.melee(late, victim)
	s.Frames(1)
	assert.Equal(t, components.Succeeded, s.actOrder(first).Outcome)
	assert.Equal(t, components.Succeeded, s.actOrder(second).Outcome)
	assert.Equal(t, components.Failed, s.actOrder(late).Outcome, "it had no claim")
}
