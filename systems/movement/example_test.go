package movement_test

import (
	"fmt"
	"strings"
	"time"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/movement"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// An agent walks round a wall to a point.
func Example() {
	yard := "type octile\nheight 3\nwidth 7\nmap\n...@...\n...@...\n.......\n"
	ground, err := space.ParseMap("yard", strings.NewReader(yard))
	if err != nil {
		fmt.Println(err)
		return
	}
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{FPS: 50, Seed: 1, Workers: 1, Map: ground})
	if err != nil {
		panic(err)
	}
	defer herd.Close()
	actions, err := action.Register(herd.Actions)
	if err != nil {
		fmt.Println(err)
		return
	}
	system := &movement.System{BlockedAfter: 3 * time.Second}
	system.Initialize(&world)

	// A tree would post the order; here it is written by hand.
	intent := components.Intent{}
	intent.Orders[components.Move] = components.Order{
		Action: actions.Seek, Point: components.Vec2{X: 6.5, Y: 0.5}, Serial: 1,
	}
	var agent components.Entity
	ecs.NewPrefab(&world,
		components.Transform{Position: components.Vec2{X: 0.5, Y: 0.5}, Heading: components.Vec2{X: 1}},
		components.Body{Radius: 0.3, Speed: 2},
		intent,
		components.Steering{},
	).SpawnNow(&world, 1, func(_ int, e components.Entity) { agent = e })

	order := &ecs.Get[components.Intent](&world, agent).Orders[components.Move]
	for order.Outcome == components.Pending {
		herd.Clock.Advance()
		system.Update(&world)
	}
	fmt.Println("there:", order.Outcome == components.Succeeded)
	fmt.Println("in time:", herd.Clock.Now < 5e9)
	// Output:
	// there: true
	// in time: true
}
