package action_test

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

// Registering twice gives the same handles; a name that is used otherwise is an error.
func ExampleRegister() {
	actions := aitree.NewActions()
	first, _ := action.Register(actions)
	second, _ := action.Register(actions)
	fmt.Println(actions.Name(first.Seek), first == second)

	other := aitree.NewActions()
	if _, err := other.Register(action.Strike, components.Act); err != nil {
		fmt.Println(err)
		return
	}
	_, err := action.Register(other)
	fmt.Println(err != nil)
	// Output:
	// seek true
	// true
}

// Well is a component of the program: what an agent that fetches water remembers.
type Well struct{ Poured int32 }

// An agent draws three buckets, one a frame. The outcome wakes it, so it goes on in the next frame.
func ExampleNewAgentDurative() {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{FPS: 10, Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer herd.Close()
	fetch := action.NewAgentDurative("fetch", components.Act, action.AgentSteps[Well]{
		Begin: func(a action.Agent, w *Well) {
			fmt.Println("frame", a.Clock.Frame, "begins to fetch", a.Order.Numbers[0])
			w.Poured = 0
		},
		Update: func(a action.Agent, w *Well) components.Outcome {
			if w.Poured++; float32(w.Poured) < a.Order.Numbers[0] {
				return components.Pending
			}
			fmt.Println("frame", a.Clock.Frame, "has them")
			return components.Succeeded
		},
		Abort: func(a action.Agent, w *Well) { fmt.Println("frame", a.Clock.Frame, "drops", w.Poured) },
	})
	if err := herd.AddAction(fetch); err != nil {
		fmt.Println(err)
		return
	}
	tree, err := herd.AddTree("fetcher", aitree.Sequence(
		aitree.Do("fetch", aitree.NumberOf(0, 3)), aitree.Do("fetch", aitree.NumberOf(0, 100))))
	if err != nil {
		fmt.Println(err)
		return
	}
	var agent components.Entity
	herd.Prefab(tree, Well{}).SpawnNow(&world, 1, func(_ int, e components.Entity) { agent = e })
	for range 6 {
		herd.Step()
	}
	herd.Commands.Queue(0).Remove(agent, agent)
	herd.Step()
	fmt.Printf("%+v\n", fetch.Stats())
	// Output:
	// frame 1 begins to fetch 3
	// frame 3 has them
	// frame 4 begins to fetch 100
	// frame 7 drops 4
	// {Begun:2 Succeeded:1 Failed:0 Aborted:1}
}

// Rage is a component of the program.
type Rage struct{ Level float32 }

// A batch serves up to 64 agents with one call.
func ExampleNewDurative() {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{FPS: 10, Workers: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer herd.Close()
	calm := action.NewDurative("calm", components.Act, action.Steps[Rage]{
		Parallel: true, // it writes to its own agents alone
		Update: func(b *action.Batch, rages []*Rage) (succeeded, failed uint64) {
			for i, r := range rages {
				if r.Level -= b.Clock.Delta; r.Level <= 0 {
					succeeded |= 1 << i
				}
			}
			return succeeded, 0
		},
	})
	if err := herd.AddAction(calm); err != nil {
		fmt.Println(err)
		return
	}
	tree, err := herd.AddTree("angry", aitree.Sequence(aitree.Do("calm"), aitree.Wait(time.Minute)))
	if err != nil {
		fmt.Println(err)
		return
	}
	herd.Prefab(tree, Rage{}).SpawnNow(&world, 1000, func(i int, e components.Entity) {
		ecs.Get[Rage](&world, e).Level = float32(i%4) + 0.5 // seconds
	})
	for range 2 * 10 {
		herd.Step()
	}
	fmt.Println(calm.Stats().Succeeded, "are calm after two seconds,", calm.Stats().Running(), "are not")
	// Output: 500 are calm after two seconds, 500 are not
}
