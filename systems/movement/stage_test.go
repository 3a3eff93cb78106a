package movement

import (
	"math"
	"testing"

	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// stage is a world in which agents walk.
type stage struct {
	*testworld.ActionWorld
	Movement *System
}

func newStage(t testing.TB, m *space.Map, fps, workers int, seed uint64) *stage {
	t.Helper()
	return onStage(testworld.NewActionWorld(t, m, fps, workers, seed))
}

// newCrowd returns a stage with a crowd in a town.
func newCrowd(t testing.TB, agents, workers int, seed uint64) *stage {
	t.Helper()
	return onStage(testworld.NewCrowd(t, agents, workers, seed))
}

func onStage(world *testworld.ActionWorld) *stage {
	s := &stage{ActionWorld: world, Movement: &System{}}
	s.Movement.Initialize(s.W)
	return s
}

// WalkFor runs the movement system for a number of seconds and calls each, if given, after every frame. It stops early
// when each returns false.
func (s *stage) WalkFor(seconds float64, each func() bool) {
	for range int(math.Round(seconds * float64(s.Clock.FPS))) {
		s.Clock.Advance()
		s.Movement.Update(s.W)
		if each != nil && !each() {
			return
		}
	}
}
