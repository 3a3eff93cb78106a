package movement

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

func TestFleeGetsAwayFromTheTargetUntilItIsFarEnough(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	threat, e := s.Spawn(components.Vec2{X: 30, Y: 30}), s.Spawn(components.Vec2{X: 33, Y: 34})
	s.Post(e, components.Order{Action: s.Do.Flee, Target: threat, Numbers: [2]float32{1, 15}})
	s.WalkFor(6, nil)
	assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
	assert.InDelta(t, 30+15*0.6, s.At(e).X, 0.1)
	assert.InDelta(t, 30+15*0.8, s.At(e).Y, 0.1)
}

func TestFleeingIntoACornerFails(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	threat, e := s.Spawn(components.Vec2{X: 6, Y: 6}), s.Spawn(components.Vec2{X: 3, Y: 3})
	s.Post(e, components.Order{Action: s.Do.Flee, Target: threat})
	s.WalkFor(5, nil)
	assert.Equal(t, components.Pending, s.Order(e).Outcome)
	s.WalkFor(5, nil)
	assert.Equal(t, components.Failed, s.Order(e).Outcome)
}

func TestFleeingDownAStreetTurnsAtItsEnd(t *testing.T) {
	s := newStage(t, testworld.MapOf(
		"@@@@@@@@@@@@@@",
		"@............@",
		"@............@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@..@",
		"@@@@@@@@@@@@@@",
	), 60, 1, 1)
	threat, e := s.Spawn(components.Vec2{X: 2, Y: 2}), s.Spawn(components.Vec2{X: 6, Y: 2})
	s.Post(e, components.Order{Action: s.Do.Flee, Target: threat, Numbers: [2]float32{1, 12}})
	s.WalkFor(10, func() bool { return s.Order(e).Outcome == components.Pending })
	assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
	assert.Greater(t, s.At(e).Y, float32(4))
}
