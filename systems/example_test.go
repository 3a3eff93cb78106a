package systems_test

import (
	"fmt"
	"log"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/resources"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/fact"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/utility"
)

func ExampleInstall() {
	world := arche.NewWorld()
	resources.Install(&world, resources.Options{FPS: 50, Seed: 1, Workers: 2})
	workers := ecs.Resource[parallel.Workers](&world, "example")
	defer workers.Close()

	clock := ecs.Resource[frame.Clock](&world, "example")
	schedule := ecs.NewSchedule(&frame.CommandSystem{}) // the last system of a frame
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
	clock, err := frame.NewClock(60)
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
	workers := parallel.NewWorkers(4)
	defer workers.Close()
	squares := make([]int, 10)
	square := func(worker, task int) { squares[task] = task * task } // made once
	workers.Run(len(squares), square)
	fmt.Println(squares)
	// Output: [0 1 4 9 16 25 36 49 64 81]
}

func ExampleEvents() {
	wolf, bear, deer := components.Entity{Index: 1}, components.Entity{Index: 2}, components.Entity{Index: 3}
	events := frame.NewEvents(2)
	events.Hurt(1, bear, deer, 10) // by worker 1
	events.Hurt(0, wolf, deer, 5)
	for _, wound := range events.MergeWounds() {
		fmt.Println(wound.Target.Index, "lost", wound.Amount, "and blames", wound.By.Index)
	}
	// Output: 3 lost 15 and blames 2
}

func ExampleCommandSystem() {
	world := arche.NewWorld()
	resources.Install(&world, resources.Options{FPS: 60, Workers: 1})
	var wolf components.Entity
	ecs.NewPrefab(&world, components.Transform{}).SpawnNow(&world, 1, func(_ int, e components.Entity) { wolf = e })

	var last frame.CommandSystem
	last.Initialize(&world)
	ecs.Resource[ecs.Commands](&world, "example").Queue(0).Remove(wolf, wolf)
	fmt.Println(ecs.Alive(&world, wolf))
	last.Update(&world)
	fmt.Println(ecs.Alive(&world, wolf))
	// Output:
	// true
	// false
}

// A soldier strikes who is near and shoots at who is further away, as long as there is ammunition. README.md shows it.
func Example_utility() {
	brain, err := utility.Build("soldier", utility.Choose(
		utility.NewAction("melee",
			utility.Consider(fact.CandidateDistance, utility.Smoothstep()).Range(6, 1),
		).For(fact.Candidates),
		utility.NewAction("ranged",
			utility.Consider(fact.CandidateDistance, utility.Smoothstep()).Range(2, 14),
			utility.Consider(fact.AmmoShare, utility.Linear()).Gate(),
		).For(fact.Candidates),
	).Inertia(0.05).Commit(1))
	if err != nil {
		log.Fatal(err)
	}
	attack := aitree.UtilitySelector(brain,
		aitree.On("melee", aitree.Do(action.Melee, aitree.ChosenTarget())),
		aitree.On("ranged", aitree.Do(action.Shoot, aitree.ChosenTarget())))

	actions := aitree.NewActions()
	if _, err := action.Register(actions); err != nil {
		log.Fatal(err)
	}
	soldier, err := aitree.Build("soldier", actions, attack)
	if err != nil {
		log.Fatal(err)
	}
	var mind components.Mind64
	var intent components.Intent
	lanes := blackboard.NewLanes(soldier.Facts())
	block := aitree.Block{Mask: 1, Facts: lanes}
	block.Minds[0], block.Intents[0] = mind.Words[:], &intent
	executor := aitree.NewExecutor()
	tick := func(ammo float32, distances ...float32) { // of hostiles 1, 2, …
		lanes.SetFloat(fact.AmmoShare, 0, ammo)
		lanes.SetInt(fact.Candidates.Count(), 0, int64(len(distances)))
		for i, d := range distances {
			lanes.SetEntity(fact.Candidates.Entity(i), 0, components.Entity{Index: uint32(i + 1)})
			lanes.SetFloat(fact.Candidates.Field(i, fact.CandidateDistance), 0, d)
		}
		block.Now += 2e9 // longer than it is committed
		executor.Tick(soldier, &block)
		order := intent.Orders[components.Act]
		fmt.Printf("hostiles at %v m: %s %d\n", distances, actions.Name(order.Action), order.Target.Index)
	}
	tick(1, 9, 12)
	tick(1, 2, 9)
	tick(1, 8, 1.5)
	tick(0, 4, 12)
	// Output:
	// hostiles at [9 12] m: shoot 2
	// hostiles at [2 9] m: melee 1
	// hostiles at [8 1.5] m: melee 2
	// hostiles at [4 12] m: melee 1
}
