// Command embed adds guards with a component, facts and a tree of their own to a plain arche world.
package main

import (
	"fmt"
	"log"
	"time"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
)

// Guard is a component of one's own; its field is the fact that the tree reads.
type Guard struct{ Suspicion float32 }

func main() {
	world, actions := arche.NewWorld(), aitree.NewActions()
	systems.Install(&world, systems.Options{
		FPS: 30, Seed: 1, Workers: 2, Actions: actions, Map: systems.GenerateMap(64, 64, 1),
	})
	defer ecs.Resource[systems.Workers](&world, "embed").Close()

	suspicion := blackboard.FloatFact("suspicion", func(g *Guard) *float32 { return &g.Suspicion }, 0)
	alarms := 0
	tree, err := aitree.Build("guard", actions, aitree.ReactiveSelector(
		// Asked once, at the beginning; a Guard would ask in every tick and give up at 0.9 again.
		aitree.Sequence(
			aitree.Check(aitree.Greater(suspicion, 0.9)),
			aitree.Do("stand").Until(aitree.Less(suspicion, 0.5)).OnEnter(func(components.Entity) { alarms++ }),
			aitree.Wait(2*time.Second),
		),
		aitree.Do("wander"),
	))
	if err != nil {
		log.Fatal(err)
	}
	programs := ecs.Resource[systems.Programs](&world, "embed")
	number, err := programs.Add(tree)
	if err != nil {
		log.Fatal(err)
	}
	prefab := ecs.NewPrefab(&world, Guard{}, components.Transform{}, components.Body{Radius: 0.3, Speed: 2},
		components.Steering{}, components.Faction{ID: 1}, components.Intent{}, components.NewLOD(),
		programs.Mind(number))
	prefab.SpawnNow(&world, 100, func(i int, e components.Entity) {
		at := &ecs.Get[components.Transform](&world, e).Position
		at.X, at.Y = 4+float32(i%10)*6, 4+float32(i/10)*6
		ecs.Get[Guard](&world, e).Suspicion = float32(i) / 100
	})

	frame := ecs.NewSchedule(&systems.ClockSystem{}, &systems.LOD{}, &systems.GridSystem{}, &systems.AI{},
		&systems.Locomotion{}, &systems.CommandSystem{})
	frame.Initialize(&world)
	guards := generic.NewFilter1[Guard]()
	for range 300 {
		for q := guards.Query(&world); q.Next(); { // a system of one's own: suspicion fades
			q.Get().Suspicion *= 0.99
		}
		frame.Update(&world)
	}
	frame.Finalize(&world)
	fmt.Printf("10 seconds: %d of 100 guards stopped to look, and wander again\n", alarms)
}
