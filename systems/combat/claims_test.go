package combat

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
)

func TestClaimsAreGrantedInTheOrderOfAttackers(t *testing.T) {
	s := arena(t, func(c *System) { c.MaxAttackers = 3 })
	target := s.soldier(2, components.Vec2{X: 10, Y: 10})
	var gang []components.Entity
	for i := range 6 {
		at := components.Vec2{X: 10 + float32(i)*0.1, Y: 11}
		if i%2 == 0 { // every other one is stored elsewhere
			gang = append(gang, s.soldier(1, at))
		} else {
			gang = append(gang, s.soldier(1, at, components.Route{}))
		}
	}
	orders := make([]*components.Order, len(gang))
	for _, i := range []int{5, 1, 3, 0, 4, 2} {
		orders[i] = s.melee(gang[i], target)
	}
	s.Frames(1)
	for i, e := range gang {
		if i < 3 {
			assert.Equal(t, components.Pending, orders[i].Outcome)
			assert.Equal(t, target, s.claim(e))
		} else {
			assert.Equal(t, components.Failed, orders[i].Outcome, "there are three places")
			assert.Zero(t, s.claim(e))
		}
	}
	assert.Equal(t, 3, s.attackers(target))
	assert.Equal(t, Stats{Granted: 3, Refused: 3, MostAttackers: 3}, s.Combat.Stats())

	s.melee(gang[5], target)
	s.Frames(1)
	assert.Equal(t, components.Failed, orders[5].Outcome, "standing claims are kept")
	for _, e := range gang[3:] {
		s.shoot(e, target)
	}
	s.Frames(1)
	assert.Equal(t, components.Failed, orders[3].Outcome, "shots take places too")

	// An agent that changes to another attack keeps its claim, even if other attackers come first in the order.
	s.attack(gang[0], components.Order{})
	s.shoot(gang[2], target)
	s.melee(gang[3], target)
	s.Frames(1)
	s.melee(gang[0], target)
	s.melee(gang[2], target)
	s.Frames(1)
	assert.Equal(t, components.Failed, orders[0].Outcome, "its place was free and is taken")
	for _, i := range []int{1, 2, 3} {
		assert.Equal(t, target, s.claim(gang[i]))
	}
	assert.Equal(t, 3, s.Combat.Stats().MostAttackers)
}

func TestAClaimIsFreedHoweverItsHolderGoes(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(t *testing.T, s *stage, holder, other components.Entity)
		late int // frames until it is known
	}{
		{"the order ends", func(_ *testing.T, s *stage, holder, _ components.Entity) {
			s.attack(holder, components.Order{})
		}, 1},
		{"the order's target changes", func(_ *testing.T, s *stage, holder, other components.Entity) {
			s.actOrder(holder).Target = other
		}, 1},
		{"another action takes the hands", func(_ *testing.T, s *stage, holder, other components.Entity) {
			s.attack(holder, components.Order{Action: 99, Target: other})
		}, 1},
		{"it dies", func(_ *testing.T, s *stage, holder, _ components.Entity) {
			s.Events.Hurt(0, components.Entity{}, holder, 1000)
		}, 1},
		{"it is used up", func(_ *testing.T, s *stage, holder, _ components.Entity) { s.health(holder).Current = 0 },
			1},
		{"it is removed by a command", func(_ *testing.T, s *stage, holder, _ components.Entity) {
			ecs.Resource[ecs.Commands](s.W).Queue(0).Remove(holder, holder)
			s.Commands.Update(s.W)
		}, 0},
		{"it is removed", func(_ *testing.T, s *stage, holder, _ components.Entity) {
			s.W.RemoveEntity(ecs.ToArche(holder))
		}, 1},
		{"it is removed after it has lost what an attacker needs",
			func(_ *testing.T, s *stage, holder, _ components.Entity) {
				queue := ecs.Resource[ecs.Commands](s.W).Queue(0)
				ecs.Drop[components.Intent](queue, holder, holder)
				s.Commands.Update(s.W)
				s.Frames(1)
				queue.Remove(holder, holder)
				s.Commands.Update(s.W)
			}, 0},
		{"its tree is swapped", func(t *testing.T, s *stage, holder, _ components.Entity) {
			ecs.Assign(ecs.Resource[ecs.Commands](s.W).Queue(0), holder, holder, components.Mind128{})
			s.Commands.Update(s.W)
			assert.Equal(t, 1, s.attackers(s.actOrder(holder).Target), "at once")
			s.attack(holder, components.Order{}) // as the AI does at a swap
		}, 0},
		{"it changes sides", func(_ *testing.T, s *stage, holder, _ components.Entity) {
			ecs.Get[components.Faction](s.W, holder).ID = 2
		}, 1},
		{"it lays down its arms", func(_ *testing.T, s *stage, holder, _ components.Entity) {
			ecs.Drop[components.Attack](ecs.Resource[ecs.Commands](s.W).Queue(0), holder, holder)
			s.Commands.Update(s.W)
		}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := arena(t, func(c *System) { c.MaxAttackers = 2; c.Damage = 1 })
			target, other := s.soldier(2, components.Vec2{X: 10, Y: 10}), s.soldier(2, components.Vec2{X: 11, Y: 10})
			one, three := s.soldier(1, components.Vec2{X: 10, Y: 11}), s.soldier(1, components.Vec2{X: 9, Y: 10})
			two := s.soldier(1, components.Vec2{X: 10, Y: 9}, mindlayout.NewMind64(0))
			s.melee(one, target)
			s.melee(two, target)
			s.Frames(2)
			require.Equal(t, 2, s.attackers(target))
			require.Zero(t, s.attackers(other))
			c.end(t, s, two, other)
			s.Frames(c.late)
			assert.Equal(t, 1, s.attackers(target))
			order := s.melee(three, target)
			s.Frames(1)
			assert.Equal(t, components.Pending, order.Outcome)
			assert.Equal(t, target, s.claim(three))
		})
	}
}

func TestASystemThatWasFinalisedReleasesNoClaims(t *testing.T) {
	s := arena(t, nil)
	hunter, target := s.soldier(1, components.Vec2{X: 10, Y: 10}), s.soldier(2, components.Vec2{X: 11, Y: 10})
	s.melee(hunter, target)
	s.Frames(1)
	require.Equal(t, 1, s.attackers(target))
	s.Combat.Finalize(s.W)
	ecs.Resource[ecs.Commands](s.W).Queue(0).Remove(hunter, hunter)
	s.Commands.Update(s.W)
	assert.False(t, ecs.Alive(s.W, hunter))
	assert.Equal(t, 1, s.attackers(target))
}
