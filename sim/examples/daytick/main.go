// Command daytick runs a colony of honeybees whose tick is a day.
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
	"github.com/flockwork-ai/flockwork/systems/action"
)

const day = time.Second // one tick

// Bee is the program's component.
type Bee struct{ Age, Honey int32 } // days, loads that it has brought

// run lets bees of ten ages live for some days. It returns what the first bee did on each day, and all honey.
func run(days int) (diary []string, honey int32) {
	world := arche.NewWorld()
	herd := must(systems.Install(&world, systems.Options{FPS: 1, Seed: 1}))
	defer herd.Close()
	herd.LOD.Config.Off = true                                                   // everyone decides on every day
	herd.Perception, herd.Needs, herd.Movement, herd.Combat = nil, nil, nil, nil // no ground

	must(herd.Actions.Register("nurse", components.Act)) // orders that stand until the tree withdraws them
	must(herd.Actions.Register("rest", components.Act))
	forage := action.NewAgentDurative("forage", components.Act, action.AgentSteps[Bee]{
		Update: func(_ action.Agent, b *Bee) components.Outcome { b.Honey++; return components.Succeeded },
	})
	must(forage, herd.AddAction(forage))
	age := blackboard.IntFact("age", func(b *Bee) *int32 { return &b.Age }, 0)
	tree := must(herd.AddTree("bee", aitree.ReactiveSelector(
		aitree.Guard(aitree.Less(age, 18), aitree.Do("nurse")),
		aitree.ForceFailure(aitree.Cooldown(3*day, aitree.Do("forage"))), // fails on the day after, and on to rest
		aitree.Do("rest"))))
	var first components.Entity
	herd.Prefab(tree, Bee{}).SpawnNow(&world, 1000, func(i int, e components.Entity) {
		if ecs.Get[Bee](&world, e).Age = int32(15 - i%10); i == 0 {
			first = e
		}
	})
	bees := generic.NewFilter1[Bee]()
	for range days {
		for q := bees.Query(&world); q.Next(); {
			q.Get().Age++
		}
		herd.Step()
		order := ecs.Get[components.Intent](&world, first).Orders[components.Act]
		diary = append(diary, herd.Actions.Name(order.Action))
	}
	for q := bees.Query(&world); q.Next(); {
		honey += q.Get().Honey
	}
	return diary, honey
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func main() {
	diary, honey := run(14)
	fmt.Println("the first bee:", diary)
	fmt.Println("1000 bees brought", honey, "loads")
}
