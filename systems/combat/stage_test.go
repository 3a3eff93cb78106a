package combat

import (
	"testing"

	"github.com/flockwork-ai/flockwork/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/movement"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// stage is a world in which agents walk and fight.
type stage struct {
	*testworld.Stage
	Movement *movement.System
	Combat   *System
}

func newStage(t testing.TB, m *space.Map, fps, workers int, seed uint64) *stage {
	t.Helper()
	return onStage(testworld.NewStage(t, m, fps, workers, seed))
}

// newCrowd returns a stage with a crowd in a town.
func newCrowd(t testing.TB, agents, workers int, seed uint64) *stage {
	t.Helper()
	return onStage(testworld.NewCrowd(t, agents, workers, seed))
}

func onStage(world *testworld.Stage) *stage {
	s := &stage{
		Stage:    world,
		Movement: &movement.System{},
		Combat:   &System{},
	}
	s.Movement.Initialize(s.W)
	return s
}

// Frames runs all action systems for a number of frames.
func (s *stage) Frames(n int) {
	for range n {
		s.Clock.Advance()
		s.Movement.Update(s.W)
		s.Combat.Update(s.W)
		s.Commands.Update(s.W)
	}
}
