// Command embed gives minds to entities that are already in an arche world.
package main

import (
	"fmt"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
)

// Guard is the program's own component. Its field is a fact that the tree reads.
type Guard struct{ Suspicion float32 }

func main() {
	world := arche.NewWorld()
	id := arche.ComponentID[Guard](&world)
	arche.NewBuilder(&world, id).NewBatch(100) // entities made elsewhere
	herd, err := systems.Install(&world, systems.Options{FPS: 30, Seed: 1})
	if err != nil {
		panic(err)
	}
	defer herd.Close()
	alarms, suspicion := 0, blackboard.FloatFact("suspicion", func(g *Guard) *float32 { return &g.Suspicion }, 0)
	guard, err := herd.AddTree("guard", aitree.ReactiveSelector(
		aitree.Guard(aitree.Greater(suspicion, 0.9), aitree.Do("stand").OnEnter(func(components.Entity) { alarms++ })),
		aitree.Do("wander")))
	if err != nil {
		panic(err)
	}
	herd.Adopt(arche.All(id), guard, systems.Walker(0.3, 2))
	herd.Before(systems.AIStage, ecs.SystemFunc(func(w *arche.World) { // a system of the program
		for q := w.Query(arche.All(id)); q.Next(); {
			(*Guard)(q.Get(id)).Suspicion += float32(q.Entity().ID()) / 20000 // some notice more than others
		}
	}))
	for range 300 {
		herd.Step()
	}
	fmt.Printf("10 seconds: %d of 100 guards have stopped to look around\n", alarms)
}
