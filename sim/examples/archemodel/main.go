// Command archemodel adds Flockwork's systems to an arche-model app.
package main

import (
	"fmt"
	"log"
	"time"

	"github.com/mlange-42/arche-model/model"
	"github.com/mlange-42/arche-model/system"
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
)

// Every system of ours is a system of arche-model.
var _ = []model.System{
	&systems.ClockSystem{}, &systems.LOD{}, &systems.GridSystem{}, &systems.Perception{}, &systems.AI{},
	&systems.Locomotion{}, &systems.Combat{}, &systems.CommandSystem{}, &ecs.Schedule{},
}

func main() {
	walked, err := run(300)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("10 seconds in an arche-model app: 50 wanderers are %.0f m from where they began on average\n", walked)
}

// run runs an app for some ticks and returns how far its agents came on average, in metres.
func run(ticks int64) (float32, error) {
	app := model.New()
	actions := aitree.NewActions()
	systems.Install(&app.World, systems.Options{FPS: 30, Seed: 1, Workers: 1, Actions: actions})
	defer ecs.Resource[systems.Workers](&app.World, "archemodel").Close()

	tree, err := aitree.Build("wanderer", actions, aitree.Sequence(
		aitree.ForceSuccess(aitree.Timeout(4*time.Second, aitree.Do(systems.WanderAction))), // wander for 4 seconds
		aitree.Wait(500*time.Millisecond),
	))
	if err != nil {
		return 0, err
	}
	programs := ecs.Resource[systems.Programs](&app.World, "archemodel")
	number, err := programs.Add(tree)
	if err != nil {
		return 0, err
	}
	prefab := ecs.NewPrefab(&app.World, components.Transform{Heading: components.Vec2{X: 1}},
		components.Body{Radius: 0.3, Speed: 2}, components.Intent{}, components.NewLOD(), programs.Mind(number))
	var agents []components.Entity
	prefab.SpawnNow(&app.World, 50, func(_ int, e components.Entity) { agents = append(agents, e) })

	for _, s := range []model.System{
		&systems.ClockSystem{}, &systems.LOD{}, &systems.GridSystem{}, &systems.AI{}, &systems.Locomotion{},
		&systems.CommandSystem{}, &system.FixedTermination{Steps: ticks},
	} {
		app.AddSystem(s)
	}
	app.Run()
	return meanDistance(&app.World, agents), nil
}

func meanDistance(w *arche.World, agents []components.Entity) float32 {
	sum := float32(0)
	for _, e := range agents {
		p := ecs.Get[components.Transform](w, e).Position
		sum += max(p.X, -p.X) + max(p.Y, -p.Y)
	}
	return sum / float32(len(agents))
}
