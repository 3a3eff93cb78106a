package needs_test

import (
	"fmt"
	"time"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/needs"
)

// A hungry agent eats a meal from a store.
func Example() {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{FPS: 10, Seed: 1, Workers: 1})
	if err != nil {
		panic(err)
	}
	defer herd.Close()
	actions, err := action.Register(herd.Actions)
	if err != nil {
		fmt.Println(err)
		return
	}
	rates := needs.DefaultRates()
	rates.MealTime = 10 * time.Minute
	system := &needs.System{Rates: rates, StartTime: 12 * time.Hour}
	system.Initialize(&world)

	var store, agent components.Entity
	ecs.NewPrefab(&world, components.Transform{}, components.Place{Kind: components.Store, Capacity: 2, Stock: 3}).
		SpawnNow(&world, 1, func(_ int, e components.Entity) { store = e })
	ecs.NewPrefab(&world, components.Transform{}, components.Needs{Hunger: 0.5}, components.Engagement{},
		components.Intent{}, components.Home{Store: store}).
		SpawnNow(&world, 1, func(_ int, e components.Entity) { agent = e })

	// A tree would post the order; here it is written by hand.
	order := &ecs.Get[components.Intent](&world, agent).Orders[components.Act]
	*order = components.Order{Action: actions.Eat, Target: store, Serial: 1}
	for order.Outcome == components.Pending {
		herd.Clock.Advance()
		system.Update(&world)
	}
	n := ecs.Get[components.Needs](&world, agent)
	fmt.Println("eaten:", order.Outcome == components.Succeeded)
	fmt.Printf("hunger %.2f, daylight %v\n", n.Hunger, n.Day)
	fmt.Println("meals left:", ecs.Get[components.Place](&world, store).Stock)
	fmt.Println("ate for", time.Duration(system.Stats().Time[components.Eating]).Round(time.Second))
	// Output:
	// eaten: true
	// hunger 0.00, daylight 1
	// meals left: 2
	// ate for 10m0s
}

// The light of a winter's day at 8:00.
func ExampleSun() {
	winter := needs.Sun{Dawn: 7 * time.Hour, Morning: 9 * time.Hour, Evening: 16 * time.Hour, Nightfall: 18 * time.Hour}
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{FPS: 10, Workers: 1})
	if err != nil {
		panic(err)
	}
	defer herd.Close()
	system := &needs.System{Sun: winter, StartTime: 8 * time.Hour}
	system.Initialize(&world)
	var agent components.Entity
	ecs.NewPrefab(&world, components.Transform{}, components.Needs{}, components.Engagement{}, components.Intent{}).
		SpawnNow(&world, 1, func(_ int, e components.Entity) { agent = e })
	herd.Clock.Set(1) // a nanosecond later: while no time passes, nothing changes
	system.Update(&world)
	fmt.Println("daylight", ecs.Get[components.Needs](&world, agent).Day)
	// Output: daylight 0.5
}
