package systems_test

import (
	"fmt"
	"time"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
)

// A hundred agents wander for two seconds.
func ExampleInstall() {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{FPS: 50, Seed: 1, Workers: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer herd.Close()
	wanderer, err := herd.AddTree("wanderer", aitree.Do(action.Wander))
	if err != nil {
		fmt.Println(err)
		return
	}
	herd.Prefab(wanderer, systems.Walker(0.3, 2)).SpawnNow(&world, 100, nil)
	for range 100 {
		herd.Step()
	}
	fmt.Println("frame", herd.Clock.Frame, "at", time.Duration(herd.Clock.Now))
	fmt.Println(herd.AI.Stats().Decisions > 100*10, "that everyone decided more than ten times")
	// Output:
	// frame 100 at 2s
	// true that everyone decided more than ten times
}

// Entities that a program made itself get a tree and what they lack to walk.
func ExampleHerd_Adopt() {
	type Sheep struct{ Wool float32 }
	world := arche.NewWorld()
	id := arche.ComponentID[Sheep](&world)
	arche.NewBuilder(&world, id).NewBatch(3)
	herd, err := systems.Install(&world, systems.Options{Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer herd.Close()
	graze, err := herd.AddTree("graze", aitree.Do(action.Wander))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("adopted:", herd.Adopt(arche.All(id), graze, systems.Walker(0.4, 1)))
	for range 7 { // each of them decides ten times a second, that is in every sixth frame
		herd.Step()
	}
	fmt.Println("decided:", herd.AI.Stats().Decisions >= 3)
	// Output:
	// adopted: 3
	// decided: true
}

// A system of the program runs between perception and the AI.
func ExampleHerd_Before() {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer herd.Close()
	frames := 0
	herd.Before(systems.AIStage, ecs.SystemFunc(func(*arche.World) { frames++ }))
	for range 10 {
		herd.Step()
	}
	fmt.Println(frames, "frames")
	// Output: 10 frames
}

// An agent changes its tree; the leaf that ran is aborted.
func ExampleHerd_Swap() {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer herd.Close()
	report := func(_ components.Entity, how aitree.Exit) { fmt.Println("the walk is", how) }
	walk, err := herd.AddTree("walk", aitree.Do(action.Wander).OnExit(report))
	if err != nil {
		fmt.Println(err)
		return
	}
	stand, err := herd.AddTree("stand", aitree.Do(action.Stand).
		OnEnter(func(components.Entity) { fmt.Println("it stands") }))
	if err != nil {
		fmt.Println(err)
		return
	}
	var agent components.Entity
	herd.Prefab(walk, systems.Walker(0.3, 2)).
		SpawnNow(&world, 1, func(_ int, e components.Entity) { agent = e })
	for range 6 {
		herd.Step()
	}
	herd.Swap(agent, stand)
	for range 7 {
		herd.Step()
	}
	// Output:
	// the walk is aborted
	// it stands
}

// A paused agent stands still with its timers: half a second is left of its wait when it goes on. The
// second wait ends with the herd.
func ExampleHerd_Pause() {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{FPS: 10, Workers: 1})
	if err != nil {
		panic(err)
	}
	defer herd.Close()
	second := func() float64 { return float64(herd.Clock.Frame) / 10 }
	tree, err := herd.AddTree("cook", aitree.Wait(time.Second).OnExit(func(_ components.Entity, how aitree.Exit) {
		fmt.Printf("%v at %.1f s\n", how, second())
	}))
	if err != nil {
		panic(err)
	}
	var cook components.Entity
	herd.Prefab(tree).SpawnNow(&world, 1, func(_ int, e components.Entity) { cook = e })
	for range 40 {
		herd.Step()
		switch second() {
		case 0.6:
			herd.Pause(cook)
		case 3:
			herd.Resume(cook)
		}
	}
	// Output:
	// done at 3.5 s
	// aborted at 4.0 s
}
