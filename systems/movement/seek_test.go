package movement

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

func TestSeekWalksToThePointAtFullSpeedAndSucceedsThere(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	e := s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 16, Y: 18}}) // 10 m away
	frames := 0
	s.WalkFor(10, func() bool {
		frames++
		return s.Order(e).Outcome == components.Pending
	})
	assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
	assert.InDelta(t, 0.5, vec.Length(vec.Sub(components.Vec2{X: 16, Y: 18}, s.At(e))), 0.05,
		"it stops where it is near enough")
	assert.InDelta(t, 60*9.5/2, frames, 2, "9.5 m at 2 m/s")
	before := s.At(e)
	s.WalkFor(1, nil)
	assert.Equal(t, before, s.At(e), "it stands until the next order")
	assert.Zero(t, ecs.Get[components.Body](s.W, e).Velocity)
}

func TestNumbersSetTheSpeedAndTheGoalRadius(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	e := s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 20, Y: 10}, Numbers: [2]float32{1.5, 4}})
	s.WalkFor(1, nil)
	assert.InDelta(t, 13, s.At(e).X, 1e-3, "3 m/s")
	s.WalkFor(2, nil)
	assert.InDelta(t, 16, s.At(e).X, 0.06)
	assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
}

func TestNumbersThatAreNotFiniteReadAsTheirDefaults(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	nan := float32(math.NaN())
	e := s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 14, Y: 10}, Numbers: [2]float32{nan, nan}})
	s.WalkFor(1, nil)
	assert.InDelta(t, 12, s.At(e).X, 1e-3)
	s.WalkFor(1, nil)
	assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
}

func TestArriveSlowsDownBeforeThePoint(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	e := s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Post(e, components.Order{Action: s.Do.Arrive, Point: components.Vec2{X: 14, Y: 10}, Numbers: [2]float32{0, 0.1}})
	fast, slow := float32(0), float32(math.MaxFloat32)
	s.WalkFor(20, func() bool {
		if s.Order(e).Outcome != components.Pending {
			return false
		}
		v := vec.Length(ecs.Get[components.Body](s.W, e).Velocity)
		fast, slow = max(fast, v), min(slow, v)
		return true
	})
	assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
	assert.InDelta(t, 2, fast, 1e-3)
	assert.Less(t, slow, float32(0.5))
	assert.LessOrEqual(t, vec.Length(vec.Sub(components.Vec2{X: 14, Y: 10}, s.At(e))), float32(0.1))
}

func TestALongFrameDoesNotCarryPastTheGoal(t *testing.T) {
	s := newStage(t, testworld.Plain(), 1, 1, 1)
	e := s.Spawn(components.Vec2{X: 10, Y: 10}, components.Route{})
	ecs.Get[components.Body](s.W, e).Speed = 30
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 12, Y: 10}})
	s.WalkFor(1, nil)
	assert.Equal(t, components.Succeeded, s.Order(e).Outcome)
	assert.InDelta(t, 12, s.At(e).X, 1e-3)
}

func TestSeekFollowsATargetThatMoves(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	hare, hound := s.Spawn(components.Vec2{X: 20, Y: 10}), s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Post(hare, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 20, Y: 60}, Numbers: [2]float32{0.5}})
	s.Post(hound, components.Order{Action: s.Do.Seek, Target: hare})
	s.WalkFor(20, func() bool { return s.Order(hound).Outcome == components.Pending })
	assert.Equal(t, components.Succeeded, s.Order(hound).Outcome)
	assert.LessOrEqual(t, vec.Length(vec.Sub(s.At(hare), s.At(hound))), float32(1.05))
	assert.Greater(t, s.At(hound).Y, float32(12), "it went where the hare went")
}

func TestAnOrderWhoseTargetDiedFails(t *testing.T) {
	for _, name := range []string{action.Seek, action.Arrive, action.Flee} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, testworld.Plain(), 60, 1, 1)
			target, e := s.Spawn(components.Vec2{X: 20, Y: 10}), s.Spawn(components.Vec2{X: 10, Y: 10})
			handle := map[string]components.Action{action.Seek: s.Do.Seek, action.Arrive: s.Do.Arrive,
				action.Flee: s.Do.Flee}[name]
			s.Post(e, components.Order{Action: handle, Target: target})
			s.WalkFor(0.5, nil)
			require.Equal(t, components.Pending, s.Order(e).Outcome)
			s.W.RemoveEntity(ecs.ToArche(target))
			s.WalkFor(0.1, nil)
			assert.Equal(t, components.Failed, s.Order(e).Outcome)
		})
	}
}

func TestAPointBeyondAnyMapFails(t *testing.T) {
	s := newStage(t, testworld.Plain(), 60, 1, 1)
	e := s.Spawn(components.Vec2{X: 10, Y: 10})
	s.Post(e, components.Order{Action: s.Do.Seek, Point: components.Vec2{X: 3e38, Y: -3e38}})
	s.WalkFor(0.1, nil)
	assert.Equal(t, components.Failed, s.Order(e).Outcome)
}
