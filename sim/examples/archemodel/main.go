// Command archemodel runs a herd in an arche-model app, between the model's own systems, twice with one seed.
package main

import (
	"fmt"
	"log"

	"github.com/mlange-42/arche-model/model"
	"github.com/mlange-42/arche-model/resource"
	"github.com/mlange-42/arche-model/system"
	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/ai"
)

// The herd is a system of arche-model.
var _ model.System = &systems.Herd{}

// Meadow is a resource of the model, Sheep a component of it.
type (
	Meadow struct{ Grass float64 } // kilogrammes
	Sheep  struct {
		Hunger float32 // kilogrammes that it would eat
		Bite   float32 // kilogrammes that it has taken in this tick
	}
)

var (
	grass  = blackboard.FloatFact("grass", func(m *Meadow) *float64 { return &m.Grass }, 0).OfResource()
	hunger = blackboard.FloatFact("hunger", func(s *Sheep) *float32 { return &s.Hunger }, 0)
)

// growth is a system of the model that stands before the herd: what it writes is read as facts in the same tick. It
// makes the sheep, which the herd adopts.
type growth struct {
	herd  *systems.Herd
	tree  ai.Tree
	sheep *generic.Filter1[Sheep]
}

func (g *growth) Initialize(w *arche.World) {
	arche.AddResource(w, &Meadow{Grass: 10})
	g.sheep = generic.NewFilter1[Sheep]()
	flock := generic.NewMap1[Sheep](w)
	for range 50 {
		flock.NewWith(&Sheep{})
	}
	g.herd.Adopt(g.sheep.Filter(w), g.tree, systems.Walker(0.3, 1))
}
func (g *growth) Finalize(*arche.World) {}
func (g *growth) Update(w *arche.World) {
	meadow := arche.GetResource[Meadow](w)
	meadow.Grass = min(meadow.Grass+0.02, 20)
	for q := g.sheep.Query(w); q.Next(); {
		q.Get().Hunger += 0.001
	}
}

// grazing is a system of the model that stands after the herd: it reads what the agents did in the same tick.
type grazing struct{ sheep *generic.Filter1[Sheep] }

func (g *grazing) Initialize(*arche.World) { g.sheep = generic.NewFilter1[Sheep]() }
func (g *grazing) Finalize(*arche.World)   {}
func (g *grazing) Update(w *arche.World) {
	meadow := arche.GetResource[Meadow](w)
	for q := g.sheep.Query(w); q.Next(); {
		s := q.Get()
		meadow.Grass -= float64(s.Bite)
		s.Bite = 0
	}
}

// graze is an action of the model.
var graze = action.AgentSteps[Sheep]{Update: func(a action.Agent, s *Sheep) components.Outcome {
	s.Bite = min(s.Hunger, 0.2*a.Clock.Delta)
	if s.Hunger -= s.Bite; s.Hunger > 0 {
		return components.Pending
	}
	return components.Succeeded
}}

// run runs an app, a new one or one that was reset, for a number of ticks, and returns the hash of its world.
func run(app *model.Model, ticks int64) (uint64, error) {
	app.Seed(42)
	seed := arche.GetResource[resource.Rand](&app.World).Uint64()
	herd, err := systems.Install(&app.World, systems.Options{FPS: 30, Seed: seed})
	if err != nil {
		return 0, err
	}
	defer herd.Close()
	if err := herd.AddAction(action.NewAgentDurative("graze", components.Act, graze)); err != nil {
		return 0, err
	}
	sheep, err := herd.AddTree("sheep", aitree.ReactiveSelector(
		aitree.Guard(aitree.Greater(grass, 5), aitree.Sequence(
			aitree.Check(aitree.Greater(hunger, 0.3)), aitree.Do("graze"))),
		aitree.Do(action.Wander)))
	if err != nil {
		return 0, err
	}

	app.AddSystem(&growth{herd: herd, tree: sheep}) // writes facts
	app.AddSystem(herd)                             // agents decide and act
	app.AddSystem(&grazing{})                       // reads what they did
	app.AddSystem(&system.FixedTermination{Steps: ticks})
	app.Run()
	fmt.Printf("after %v s there are %.1f kg of grass\n", float64(herd.Clock.Now)/1e9,
		arche.GetResource[Meadow](&app.World).Grass)
	return ecs.Hash(&app.World), nil
}

func main() {
	app := model.New()
	first, err := run(app, 1800)
	if err != nil {
		log.Fatal(err)
	}
	app.Reset() // run has closed the herd; it installs a new one
	second, err := run(app, 1800)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the same again after Reset:", first == second)
}
