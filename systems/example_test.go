package systems_test

import (
	"fmt"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
)

func ExampleInstall() {
	world := arche.NewWorld()
	systems.Install(&world, systems.Options{FPS: 50, Seed: 1, Workers: 2})
	workers := ecs.Resource[systems.Workers](&world, "example")
	defer workers.Close()

	clock := ecs.Resource[systems.Clock](&world, "example")
	schedule := ecs.NewSchedule(&systems.CommandSystem{}) // the last system of a frame
	schedule.Initialize(&world)
	for range 3 {
		clock.Advance()
		schedule.Update(&world)
	}
	schedule.Finalize(&world)
	fmt.Println("frame", clock.Frame, "at", clock.Now, "ns")
	// Output: frame 3 at 60000000 ns
}

func ExampleClock() {
	clock, err := systems.NewClock(60)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		clock.Advance()
		fmt.Println(clock.Frame, clock.Now)
	}
	// Output:
	// 1 16666666
	// 2 33333333
	// 3 50000000
}

func ExampleWorkers() {
	workers := systems.NewWorkers(4)
	defer workers.Close()
	squares := make([]int, 10)
	square := func(worker, task int) { squares[task] = task * task } // made once
	workers.Run(len(squares), square)
	fmt.Println(squares)
	// Output: [0 1 4 9 16 25 36 49 64 81]
}

func ExampleEvents() {
	wolf, bear, deer := components.Entity{Index: 1}, components.Entity{Index: 2}, components.Entity{Index: 3}
	events := systems.NewEvents(2)
	events.Hurt(1, bear, deer, 10) // by worker 1
	events.Hurt(0, wolf, deer, 5)
	for _, wound := range events.MergeWounds() {
		fmt.Println(wound.Target.Index, "lost", wound.Amount, "and blames", wound.By.Index)
	}
	// Output: 3 lost 15 and blames 2
}

func ExampleCommandSystem() {
	world := arche.NewWorld()
	systems.Install(&world, systems.Options{FPS: 60, Workers: 1})
	var wolf components.Entity
	ecs.NewPrefab(&world, components.Transform{}).SpawnNow(&world, 1, func(_ int, e components.Entity) { wolf = e })

	var last systems.CommandSystem
	last.Initialize(&world)
	ecs.Resource[ecs.Commands](&world, "example").Queue(0).Remove(wolf, wolf)
	fmt.Println(ecs.Alive(&world, wolf))
	last.Update(&world)
	fmt.Println(ecs.Alive(&world, wolf))
	// Output:
	// true
	// false
}
