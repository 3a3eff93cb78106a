package gather_test

import (
	"fmt"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/gather"
)

// A gather reads a fact of a block of agents, whatever archetypes they are in.
func ExampleGather() {
	world := arche.NewWorld()
	health := blackboard.IntFact("health", func(h *components.Health) *int32 { return &h.Current }, 100)
	ecs.NewPrefab(&world, components.Transform{}).SpawnNow(&world, 1, nil)
	ecs.NewPrefab(&world, components.Transform{}, components.Health{Current: 7}).SpawnNow(&world, 2, nil)

	columns := gather.NewFactColumns(&world, []blackboard.Fact{health}, ecs.Need[components.Transform]())
	g := gather.NewGather()
	columns.Open()
	g.Set(columns, []int32{0}, []blackboard.Row{{Chunk: 0, Row: 0}, {Chunk: 1, Row: 0}, {Chunk: 1, Row: 1}})
	var lane [64]int64
	g.Ints(0, 0b111, &lane)
	fmt.Println(lane[:3], "below 50:", g.IntsBelow(0, 0b111, 50))
	g.Clear()
	columns.Close()
	// Output: [100 7 7] below 50: 6
}
