package perception_test

import (
	"fmt"
	"math"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestOnlyDueAgentsSense(t *testing.T) {
	due, waits := guard(2, 5), guard(2, 6)
	due.LOD, waits.LOD = &components.LOD{Flags: lodflag.Due}, &components.LOD{}
	h := testworld.NewSensingWorld(t, space.NewMap(40, 10), 1,
		[]testworld.Agent{due, waits, guard(2, 7), intruder(6, 5)}, nil)
	s := &perception.System{}
	testworld.Run(h, s)()
	assert.Equal(t, 2, s.Stats().Sensed)
	assert.True(t, testworld.Get[components.Percept](t, h, 0).Visible)
	assert.False(t, testworld.Get[components.Percept](t, h, 1).Visible)
	assert.True(t, testworld.Get[components.Percept](t, h, 2).Visible, "without a LOD always")
}

func TestPerceptionIsTheSameForAnyWorkersAndStorage(t *testing.T) {
	const agents = 3000
	for _, budget := range []int{0, 150} {
		var want []components.Percept
		for _, c := range []struct {
			workers int
			order   []int
		}{{1, nil}, {2, nil}, {3, testworld.Reversed(agents)}} {
			h, _, runFrame := crowdedTown(t, agents, c.workers, budget, c.order)
			for range 25 {
				runFrame()
			}
			got := snapshot(t, h)
			if want == nil {
				want = got
				require.Positive(t, h.Events.Total(eventlist.Sighting))
				require.Positive(t, h.Events.Total(eventlist.NoiseHeard))
			}
			require.Equal(t, want, got, "budget %d, %d workers", budget, c.workers)
		}
	}
}

func TestPerceptionAllocatesNothingInTheSteadyState(t *testing.T) {
	for _, budget := range []int{0, 100} {
		t.Run(fmt.Sprintf("budget %d", budget), func(t *testing.T) {
			_, _, runFrame := crowdedTown(t, 2000, 2, budget, nil)
			for range 100 {
				runFrame()
			}
			allocs.None(t, 50, runFrame)
		})
	}
}

func TestPerceptionNamesWhatIsMissingOrOutOfRange(t *testing.T) {
	w := arche.NewWorld()
	assert.PanicsWithValue(t, "ecs: the world has no *frame.Clock; call systems.Install, or add a resource of "+
		"your own with arche's AddResource",
		func() { (&perception.System{}).Initialize(&w) })
	assert.PanicsWithValue(t, "perception.System: a ray budget of -1; use 0 for no limit",
		func() { (&perception.System{RayBudget: -1}).Initialize(&w) })
	nan := float32(math.NaN())
	assert.PanicsWithValue(t, "perception.System: Near is NaN metres; use nil for 8",
		func() { (&perception.System{Near: &nan}).Initialize(&w) })
	assert.PanicsWithValue(t, "perception.System: Near is -2 metres; use nil for 8",
		func() { (&perception.System{Near: new(float32(-2))}).Initialize(&w) })
}
