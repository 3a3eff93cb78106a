package combat

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

func TestAStrikeTakesHealthAndIsRemembered(t *testing.T) {
	s := arena(t, nil)
	guard, thief := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	s.fire(guard, components.Trigger{Action: s.Do.Strike, Target: thief})
	s.Frames(1)
	h := s.health(thief)
	assert.Equal(t, components.Health{Current: 90, Max: 100, HurtBy: guard, HurtAt: 100e6}, *h)
	assert.EqualValues(t, 1, s.Events.Total(eventlist.Strike))
	s.Frames(5)
	assert.EqualValues(t, 90, h.Current, "a trigger is consumed")

	s.fire(guard, components.Trigger{Action: s.Do.Strike, Target: thief, Number: 25})
	s.Frames(1)
	assert.EqualValues(t, 65, s.health(thief).Current, "the number is the damage")
}

func TestAStrikeLandsOnlyOnAHostileInReachThatIsAlive(t *testing.T) {
	for _, c := range []struct {
		name   string
		target func(s *stage, striker components.Entity) components.Entity
		lands  bool
	}{
		{"a hostile in reach", func(s *stage, _ components.Entity) components.Entity {
			return s.fighter(2, components.Vec2{X: 11.5, Y: 10})
		}, true},
		{"out of reach", func(s *stage, _ components.Entity) components.Entity {
			return s.fighter(2, components.Vec2{X: 11.6, Y: 10})
		}, false},
		{"an ally", func(s *stage, _ components.Entity) components.Entity {
			return s.fighter(1, components.Vec2{X: 11, Y: 10})
		}, false},
		{"a neutral", func(s *stage, _ components.Entity) components.Entity {
			return s.fighter(0, components.Vec2{X: 11, Y: 10})
		}, false},
		{"oneself", func(_ *stage, striker components.Entity) components.Entity { return striker }, false},
		{"no target", func(*stage, components.Entity) components.Entity { return components.Entity{} }, false},
		{"a dead target", func(s *stage, _ components.Entity) components.Entity {
			e := s.fighter(2, components.Vec2{X: 11, Y: 10})
			s.health(e).Current = 0
			return e
		}, false},
		{"a removed target", func(s *stage, _ components.Entity) components.Entity {
			e := s.fighter(2, components.Vec2{X: 11, Y: 10})
			s.W.RemoveEntity(ecs.ToArche(e))
			return e
		}, false},
		{"a target without a place", func(s *stage, _ components.Entity) components.Entity {
			return s.fighter(2, components.Vec2{X: float32(math.NaN()), Y: 10})
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := arena(t, nil)
			striker := s.fighter(1, components.Vec2{X: 10, Y: 10})
			target := c.target(s, striker)
			s.fire(striker, components.Trigger{Action: s.Do.Strike, Target: target})
			s.Frames(1)
			want := int64(0)
			if c.lands {
				want = 1
			}
			assert.Equal(t, want, s.Events.Total(eventlist.Strike))
			assert.Empty(t, s.triggers().Take(s.Do.Strike), "consumed all the same")
		})
	}
}

func TestRelationsDecideWhichFactionsCanBeStruck(t *testing.T) {
	s := arena(t, nil)
	ecs.Resource[frame.Relations](s.W).Set(1, 2, frame.Ally)
	one, two := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	s.fire(one, components.Trigger{Action: s.Do.Strike, Target: two})
	s.fire(two, components.Trigger{Action: s.Do.Strike, Target: one})
	s.Frames(1)
	assert.EqualValues(t, 100, s.health(two).Current)
	assert.EqualValues(t, 90, s.health(one).Current, "the truce is one-sided")
}

func TestDamageOfAFrameIsDealtAtOnce(t *testing.T) {
	s := arena(t, nil)
	one, two := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	s.fire(one, components.Trigger{Action: s.Do.Strike, Target: two, Number: 100})
	s.fire(two, components.Trigger{Action: s.Do.Strike, Target: one, Number: 100})
	var deaths [][2]components.Entity
	s.Combat.OnDeath(func(victim,
		killer components.Entity) {
		deaths = append(deaths, [2]components.Entity{victim, killer})
	})
	s.Frames(1)
	assert.Equal(t, [][2]components.Entity{{one, two}, {two, one}}, deaths, "in the order of victims")
	assert.False(t, ecs.Alive(s.W, one) || ecs.Alive(s.W, two))
	assert.EqualValues(t, 2, s.Events.Total(eventlist.Death))
}

func TestOfSeveralStrikersTheLastInOrderIsRemembered(t *testing.T) {
	s := arena(t, nil)
	victim := s.fighter(2, components.Vec2{X: 10, Y: 10})
	var gang []components.Entity
	for i := range 5 {
		e := s.fighter(1, components.Vec2{X: 10 + 0.2*float32(i), Y: 11})
		gang = append(gang, e)
	}
	for _, i := range []int{3, 0, 4, 2, 1} {
		s.fire(gang[i], components.Trigger{Action: s.Do.Strike, Target: victim, Number: 30})
	}
	killer := components.Entity{}
	s.Combat.OnDeath(func(_, k components.Entity) { killer = k })
	s.Frames(1)
	assert.Equal(t, gang[4], killer)
	assert.EqualValues(t, 1, s.Events.Total(eventlist.Death), "dead once, however many blows")
	assert.EqualValues(t, 5, s.Events.Total(eventlist.Strike))
}

func TestShoutsAndStrikesAreHeardAsFarAsTheyCarry(t *testing.T) {
	s := arena(t, nil)
	guard, thief := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	s.fire(guard, components.Trigger{Action: s.Do.Shout, Number: 12})
	s.fire(guard, components.Trigger{Action: s.Do.Shout})
	s.fire(guard, components.Trigger{Action: s.Do.Strike, Target: thief})
	s.fire(thief, components.Trigger{Action: s.Do.Strike, Target: thief}) // is lost
	s.Clock.Advance()
	s.Combat.Update(s.W)
	assert.ElementsMatch(t, []eventlist.Noise{
		{Source: guard, At: components.Vec2{X: 10, Y: 10}, Loudness: 12},
		{Source: guard, At: components.Vec2{X: 10, Y: 10}, Loudness: 30},
		{Source: guard, At: components.Vec2{X: 10, Y: 10}, Loudness: 15},
	}, s.Events.Noises())
}

func TestTriggersOfOtherActionsAreLeftToTheirSystems(t *testing.T) {
	s := arena(t, nil)
	guard, thief := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	first, last := components.Trigger{Action: 77, Number: 1}, components.Trigger{Action: 78, Target: thief}
	strike := components.Trigger{Action: s.Do.Strike, Target: thief}
	for _, trigger := range []components.Trigger{first, strike, {Action: s.Do.Shout}, last} {
		s.fire(guard, trigger)
	}
	s.Frames(2)
	first.Agent, last.Agent = guard, guard
	assert.Equal(t, []components.Trigger{first}, s.triggers().Take(77))
	assert.Equal(t, []components.Trigger{last}, s.triggers().Take(78))
	assert.EqualValues(t, 90, s.health(thief).Current)
}

func TestDamageOutOfRangeIsTheDefault(t *testing.T) {
	for _, c := range []struct{ number, want float32 }{
		{float32(math.NaN()), 10}, {float32(math.Inf(-1)), 10}, {-5, 10}, {0.5, 10}, {1, 1}, {12.75, 12},
	} {
		s := arena(t, nil)
		guard, thief := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
		s.fire(guard, components.Trigger{Action: s.Do.Strike, Target: thief, Number: c.number})
		s.Frames(1)
		assert.EqualValues(t, 100-c.want, s.health(thief).Current, "%v", c.number)
	}
	s := arena(t, nil)
	guard, thief := s.fighter(1, components.Vec2{X: 10, Y: 10}), s.fighter(2, components.Vec2{X: 11, Y: 10})
	s.fire(guard, components.Trigger{Action: s.Do.Strike, Target: thief, Number: float32(math.Inf(1))})
	s.Frames(1)
	assert.False(t, ecs.Alive(s.W, thief), "more than anyone has")
}

func TestDamageOfOtherSystemsCounts(t *testing.T) {
	s := arena(t, nil)
	victim := s.fighter(2, components.Vec2{X: 10, Y: 10})
	s.Events.Hurt(0, components.Entity{}, victim, 40) // a trap
	s.Events.Hurt(0, components.Entity{}, victim, 40)
	s.Frames(1)
	assert.EqualValues(t, 20, s.health(victim).Current)
	s.Events.Hurt(0, components.Entity{}, victim, -40)
	s.Frames(1)
	assert.EqualValues(t, 20, s.health(victim).Current, "a blow does not heal")
	assert.EqualValues(t, 0, s.Events.Total(eventlist.Strike))
}
