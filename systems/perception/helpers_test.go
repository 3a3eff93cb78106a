package perception_test

import (
	"math"
	"testing"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/lod"
	"github.com/flockwork-ai/flockwork/systems/perception"
)

const frameTime = components.Timestamp(100_000_000) // at 10 frames a second, the clock of test worlds

var (
	east = components.Vec2{X: 1}
	west = components.Vec2{X: -1}
)

// guard is an agent that looks east with a cone of 90 degrees.
func guard(x, y float32) testworld.Agent {
	return testworld.Agent{
		At: components.Vec2{X: x, Y: y}, Heading: east, Faction: 1,
		Senses: &components.Senses{Sight: 10, Lose: 14, Cone: float32(math.Sqrt(0.5)), Hearing: 1, Memory: 2},
	}
}

// intruder is a hostile of guards.
func intruder(x, y float32) testworld.Agent {
	return testworld.Agent{At: components.Vec2{X: x, Y: y}, Faction: 2, Health: &components.Health{Current: 5, Max: 5}}
}

func move(h *testworld.SensingWorld, i int, x, y float32) {
	ecs.Get[components.Transform](h.World, h.Entities[i]).Position = components.Vec2{X: x, Y: y}
}

func snapshot(t *testing.T, h *testworld.SensingWorld) []components.Percept {
	percepts := make([]components.Percept, len(h.Entities))
	for i := range percepts {
		percepts[i] = *testworld.Get[components.Percept](t, h, i)
	}
	return percepts
}

// crowdedTown is a town with agents of two factions, some of which keep candidates or make noise.
func crowdedTown(t interface{ Cleanup(func()) }, agents, workers, budget int, order []int) (*testworld.SensingWorld,
	*perception.System, func()) {
	side, _ := town.Size(agents)
	m := town.Generate(side, side, 1)
	people := make([]testworld.Agent, agents)
	for i := range people {
		at, _ := m.RandomPoint(uint64(i), 0)
		people[i] = guard(at.X, at.Y)
		people[i].Faction = 1 + uint8(i%5)/4
		people[i].LOD = new(components.NewLOD())
		people[i].Marked = i%7 == 0
		if i%11 == 0 {
			people[i].Candidates = &components.Candidates{}
		}
	}
	h := testworld.NewSensingWorld(t, m, workers, people, order)
	arche.AddResource(h.World, &lod.Observers{{X: float32(side) / 2, Y: float32(side) / 2}})
	lod := &lod.System{}
	lod.Initialize(h.World)
	s := &perception.System{RayBudget: budget}
	s.Initialize(h.World)
	transforms := ecs.NewLookup[components.Transform](h.World)
	runFrame := func() {
		h.Clock.Advance()
		lod.Update(h.World)
		s.Update(h.World)
		for i, e := range h.Entities {
			draw := random.Mix(uint64(h.Clock.Frame), uint64(i))
			at := transforms.Get(e)
			if x := at.Position.X + random.Unit(draw) - 0.5; m.Passable(int(x), int(at.Position.Y)) {
				at.Position.X = x
			}
			if random.Below(random.Mix(draw, 1), 200) == 0 {
				h.Events.Noise(i%workers, e, at.Position, 12)
			}
		}
	}
	return h, s, runFrame
}
