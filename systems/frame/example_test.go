package frame_test

import (
	"fmt"
	"time"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

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

func ExampleEvents() {
	wolf, bear, deer := components.Entity{Index: 1}, components.Entity{Index: 2}, components.Entity{Index: 3}
	events := eventlist.New(2)
	events.Hurt(1, bear, deer, 10) // by worker 1
	events.Hurt(0, wolf, deer, 5)
	for _, wound := range events.Wounds() {
		fmt.Println(wound.Target.Index, "lost", wound.Amount, "and blames", wound.By.Index)
	}
	// Output: 3 lost 15 and blames 2
}

// A system of the host carries out an action that is over at once: it takes the triggers that agents have fired.
func ExampleTriggers() {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{Workers: 1})
	if err != nil {
		panic(err)
	}
	defer herd.Close()
	bark, err := herd.Actions.RegisterTrigger("bark")
	if err != nil {
		panic(err)
	}
	program, err := aitree.Build("dog", herd.Actions, aitree.Sequence(
		aitree.Fire("bark", aitree.NumberOf(0, 0.8)), aitree.Fire("bark", aitree.NumberOf(0, 0.3)),
		aitree.Wait(time.Second),
	))
	if err != nil {
		panic(err)
	}
	tree, err := herd.Trees.Add(program)
	if err != nil {
		panic(err)
	}
	herd.After(systems.AIStage, ecs.SystemFunc(func(*arche.World) {
		for _, trigger := range herd.Triggers.Take(bark) {
			fmt.Printf("dog %d barks with loudness %.1f\n", trigger.Agent.Index, trigger.Number)
		}
	}))
	herd.Prefab(tree).SpawnNow(&world, 2, nil)
	for range 10 {
		herd.Step()
	}
	// Output:
	// dog 1 barks with loudness 0.8
	// dog 1 barks with loudness 0.3
	// dog 2 barks with loudness 0.8
	// dog 2 barks with loudness 0.3
}
