package movement

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

func TestAnOrderThatCannotBeCarriedOutFailsAfterAWhile(t *testing.T) {
	s := newStage(t, testworld.MapOf(
		"........",
		"...@@@..",
		"...@.@..",
		"...@@@..",
		"........",
	), 60, 1, 1)
	e := s.Spawn(components.Vec2{X: 0.5, Y: 2.5})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 4.5, Y: 2.5}})
	s.WalkFor(5, nil)
	assert.Equal(t, components.Pending, s.Order(e).Outcome)
	s.WalkFor(25, nil)
	assert.Equal(t, components.Failed, s.Order(e).Outcome)
}

func TestBlockedAfterSaysWhenABlockedOrderFails(t *testing.T) {
	for setting, want := range map[time.Duration]components.Outcome{
		0:           components.Pending, // 5 s
		time.Second: components.Failed,
		-1:          components.Pending, // never
	} {
		s := newStage(t, testworld.MapOf(".@."), 60, 1, 1)
		s.Movement.BlockedAfter = setting
		s.Movement.Initialize(s.W)
		e := s.Spawn(components.Vec2{X: 0.5, Y: 0.5})
		s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 2.5, Y: 0.5}})
		s.WalkFor(4, nil)
		assert.Equal(t, want, s.Order(e).Outcome, "%v", setting)
		if s.WalkFor(26, nil); setting < 0 {
			assert.Equal(t, components.Pending, s.Order(e).Outcome)
		} else {
			assert.Equal(t, components.Failed, s.Order(e).Outcome)
		}
	}
}
