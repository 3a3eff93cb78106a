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

func TestOneHitPointIsLifeAndAWoundOfOnePointCounts(t *testing.T) {
	s := arena(t, nil)
	one, two := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	s.Events.Hurt(0, one, two, 99)
	s.Frames(1)
	assert.True(t, ecs.Alive(s.W, two))
	assert.EqualValues(t, 1, s.health(two).Current)
	assert.Zero(t, s.Events.Total(eventlist.Death))
	s.Events.Hurt(0, one, two, 1)
	s.Frames(1)
	assert.False(t, ecs.Alive(s.W, two))
	assert.EqualValues(t, 1, s.Events.Total(eventlist.Death))
}

func TestTheDeadAreNotHurtAgainAndABlowOfNothingIsNone(t *testing.T) {
	s := arena(t, nil)
	one, two := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	s.Events.Hurt(0, one, two, 0)
	s.Frames(1)
	assert.Equal(t, components.Health{Current: 100, Max: 100}, *s.health(two))
	assert.Empty(t, s.Events.Wakes())
	for _, current := range []int32{0, -7} { // one that something else has killed and left in the world
		*s.health(two) = components.Health{Current: current, Max: 100}
		s.Events.Hurt(0, one, two, 10)
		s.Frames(1)
		assert.Equal(t, components.Health{Current: current, Max: 100}, *s.health(two))
	}
	assert.Zero(t, s.Events.Total(eventlist.Death))
}

func TestAnAgentWithoutAFighterIsHurtAndWoken(t *testing.T) {
	s := arena(t, nil)
	var cow components.Entity
	ecs.NewPrefab(s.W, components.Health{Current: 5, Max: 5}, components.LOD{Importance: 2}).SpawnNow(s.W, 1,
		func(_ int, e components.Entity) { cow = e })
	s.Events.Hurt(0, components.Entity{}, cow, 2)
	s.Frames(1)
	assert.EqualValues(t, 3, s.health(cow).Current)
	assert.Equal(t, []components.Entity{cow}, s.Events.Wakes())
	assert.EqualValues(t, 2, ecs.Get[components.LOD](s.W, cow).Importance)
}

func TestAnAttackSucceedsWhenItsTargetIsDeadAndFailsWhenItMakesPeace(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(s *stage, target components.Entity)
		want components.Outcome
	}{
		"killed by the host": {func(s *stage, target components.Entity) { s.health(target).Current = 0 },
			components.Succeeded},
		"a friend now, with one hit point": {func(s *stage, target components.Entity) {
			s.health(target).Current = 1
			ecs.Get[components.Faction](s.W, target).ID = 1
		}, components.Failed},
	} {
		s := arena(t, nil)
		hunter, target := s.soldier(1, components.Vec2{X: 10, Y: 10}), s.soldier(2, components.Vec2{X: 20, Y: 10})
		order := s.melee(hunter, target)
		s.Frames(1)
		assert.Equal(t, target, s.claim(hunter), name)
		c.end(s, target)
		s.Frames(1)
		assert.Equal(t, c.want, order.Outcome, name)
	}
}

// The claim is of the order before. Who orders an attack on the dead fails, whatever it did to them in life.
func TestAnOrderThatComesAfterTheDeathOfItsTargetFails(t *testing.T) {
	s := arena(t, nil)
	hunter, target := s.soldier(1, components.Vec2{X: 10, Y: 10}), s.soldier(2, components.Vec2{X: 20, Y: 10})
	s.melee(hunter, target)
	s.Frames(1)
	assert.Equal(t, target, s.claim(hunter))
	s.health(target).Current = 0
	order := s.melee(hunter, target)
	s.Frames(1)
	assert.Equal(t, components.Failed, order.Outcome)
}
