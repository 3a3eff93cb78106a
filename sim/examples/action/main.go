// Command action adds a custom action: villagers choose when to drink, and the action says what drinking does.
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
	"github.com/flockwork-ai/flockwork/utility"
)

// Thirst is the program's component: two facts, and what a drink under way remembers.
type Thirst struct {
	Level, Left float32 // 0 is none, 1 all there is; seconds
	Alarmed     bool
}

var (
	thirst  = blackboard.FloatFact("thirst", func(t *Thirst) *float32 { return &t.Level }, 0)
	alarmed = blackboard.BoolFact("alarmed", func(t *Thirst) *bool { return &t.Alarmed }, false)
)

// drinking is what drinking does. Where it ends too early there is nothing to undo: the cup stays half full.
var drinking = action.AgentSteps[Thirst]{
	Begin: func(a action.Agent, t *Thirst) { t.Left = a.Order.Numbers[0] },
	Update: func(a action.Agent, t *Thirst) components.Outcome {
		t.Level = max(t.Level-float32(0.3*a.Clock.Delta), 0)
		if t.Left -= a.Clock.Delta; t.Left > 0 {
			return components.Pending
		}
		return components.Succeeded // or Failed, if the well is dry
	},
}

// run lets a hundred villagers live for a minute, with an alarm after 20 seconds. They drink when that is worth more
// than a stroll. Drinking lowers the thirst that chose it: unless the choice is held, it is dropped for the stroll long
// before the cup is empty.
func run(hold bool) action.Stats {
	world := arche.NewWorld()
	herd := must(systems.Install(&world, systems.Options{FPS: 30, Seed: 1, Workers: 1}))
	defer herd.Close()
	drink := action.NewAgentDurative("drink", components.Act, drinking)
	must(drink, herd.AddAction(drink)) // before the trees that name it
	choice := aitree.UtilitySelector(must(utility.Build("villager", utility.Choose(
		utility.NewAction("drink", utility.Consider(thirst, utility.Linear())), utility.NewAction("stroll").Weight(0.5),
	).Inertia(0.05))),
		aitree.On("drink", aitree.Do("drink", aitree.NumberOf(0, 3))),
		aitree.On("stroll", aitree.ForceSuccess(aitree.Timeout(2*time.Second, aitree.Do(action.Wander)))))
	if hold {
		choice.HoldUntilDone() // so every branch has to come to its end
	}
	tree := must(herd.AddTree("villager", aitree.ReactiveSelector(
		aitree.Guard(aitree.True(alarmed), aitree.Do(action.Stand)), choice)))
	herd.Prefab(tree, Thirst{}, systems.Walker(0.3, 1)).SpawnNow(&world, 100,
		func(i int, e components.Entity) { ecs.Get[Thirst](&world, e).Level = float32(i) / 100 })
	thirsts := generic.NewFilter1[Thirst]()
	for i := range 60 * 30 {
		for q := thirsts.Query(&world); q.Next(); {
			t := q.Get()
			t.Level, t.Alarmed = min(t.Level+0.001, 1), i >= 20*30 && i < 22*30
		}
		herd.Step()
	}
	return drink.Stats()
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func main() {
	held, free := run(true), run(false)
	fmt.Printf("held: %d drinks begun, %d ended, %d dropped\n", held.Begun, held.Succeeded, held.Aborted)
	fmt.Printf("free: %d drinks begun, %d ended, %d dropped\n", free.Begun, free.Succeeded, free.Aborted)
}
