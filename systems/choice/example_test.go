package choice_test

import (
	"fmt"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/choice"
	"github.com/flockwork-ai/flockwork/utility"
)

// Sheep graze when they are hungry and rest when they are not. No tree is needed.
func ExampleSystem() {
	type Sheep struct{ Hunger float32 }
	hunger := blackboard.FloatFact("hunger", func(s *Sheep) *float32 { return &s.Hunger }, 0)
	evaluator, err := utility.Build("sheep", utility.Choose(
		utility.NewAction("graze", utility.Consider(hunger, utility.Linear())),
		utility.NewAction("rest").Weight(0.5),
	))
	if err != nil {
		fmt.Println(err)
		return
	}
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer herd.Close()
	herd.After(systems.AIStage, &choice.System{Evaluator: evaluator})

	var flock []components.Entity
	ecs.NewPrefab(&world, Sheep{}, components.Choice{}).SpawnNow(&world, 3, func(i int, e components.Entity) {
		ecs.Get[Sheep](&world, e).Hunger = 0.4 * float32(i)
		flock = append(flock, e)
	})
	herd.Step()
	for i, e := range flock {
		fmt.Println("sheep", i, evaluator.Actions()[ecs.Get[components.Choice](&world, e).Action-1])
	}
	// Output:
	// sheep 0 rest
	// sheep 1 rest
	// sheep 2 graze
}
