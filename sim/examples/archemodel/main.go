// Command archemodel runs a herd as one system of an arche-model app.
package main

import (
	"fmt"
	"log"
	"time"

	"github.com/mlange-42/arche-model/model"
	"github.com/mlange-42/arche-model/system"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
)

// The herd is a system of arche-model.
var _ model.System = &systems.Herd{}

func main() {
	walked, err := run(300)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("10 seconds in an arche-model app: 50 wanderers are %.0f m from where they began on average\n", walked)
}

// run runs an app for a number of ticks and returns how far its agents came on average, in metres.
func run(ticks int64) (float32, error) {
	app := model.New()
	herd, err := systems.Install(&app.World, systems.Options{FPS: 30, Seed: 1, Workers: 1})
	if err != nil {
		return 0, err
	}
	defer herd.Close()
	wanderer, err := herd.AddTree("wanderer", aitree.Sequence(
		aitree.ForceSuccess(aitree.Timeout(4*time.Second, aitree.Do("wander"))), // wander for 4 seconds
		aitree.Wait(500*time.Millisecond),
	))
	if err != nil {
		return 0, err
	}
	var agents []components.Entity
	herd.Prefab(wanderer, systems.Walker(0.3, 2)).
		SpawnNow(&app.World, 50, func(_ int, e components.Entity) { agents = append(agents, e) })

	app.AddSystem(herd)
	app.AddSystem(&system.FixedTermination{Steps: ticks})
	app.Run()
	return meanDistance(herd, agents), nil
}

func meanDistance(herd *systems.Herd, agents []components.Entity) float32 {
	sum := float32(0)
	for _, e := range agents {
		p := ecs.Get[components.Transform](herd.World(), e).Position
		sum += max(p.X, -p.X) + max(p.Y, -p.Y)
	}
	return sum / float32(len(agents))
}
