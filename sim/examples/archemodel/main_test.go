package main

import (
	"math"
	"testing"
	"time"

	"github.com/mlange-42/arche-model/model"
	"github.com/mlange-42/arche-model/resource"
	"github.com/mlange-42/arche-model/system"
	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/ai"
)

func hashOf(t *testing.T, app *model.Model) uint64 {
	t.Helper()
	hash, err := run(app, 900)
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

func TestARunAfterResetIsTheFirstRunAgain(t *testing.T) {
	app := model.New()
	first := hashOf(t, app)
	for range 2 {
		app.Reset()
		if again := hashOf(t, app); again != first {
			t.Errorf("hash %x, at first %x", again, first)
		}
	}
	if fresh := hashOf(t, model.New()); fresh != first {
		t.Errorf("hash %x in a new model, %x before", fresh, first)
	}
}

// In 900 ticks 50 sheep got 0.9 kg hungry each, and 18 kg grew on a meadow of 10 kg. What they are not hungry for any
// more is gone from the meadow.
func TestWhatTheSheepEatIsTakenFromTheMeadow(t *testing.T) {
	app := model.New()
	hashOf(t, app)
	hunger := 0.0
	for q := generic.NewFilter1[Sheep]().Query(&app.World); q.Next(); {
		hunger += float64(q.Get().Hunger)
	}
	eaten := 50*0.9 - hunger
	if left := arche.GetResource[Meadow](&app.World).Grass; eaten < 10 || math.Abs(10+18-eaten-left) > 1e-3 {
		t.Errorf("the sheep ate %v kg, and %v kg are left", eaten, left)
	}
}

// A model whose ticks take a quarter of a second, then one and a half, sets the clock itself. A fact that a system
// before the herd writes decides in the same tick, and a system after the herd sees the order.
func TestATickOfTheModelIsAFrameOfTheHerd(t *testing.T) {
	app := model.New()
	herd, err := systems.Install(&app.World, systems.Options{FPS: 1, HostClock: true})
	if err != nil {
		t.Fatal(err)
	}
	defer herd.Close()
	tree, err := herd.AddTree("sheep", aitree.ReactiveSelector(
		aitree.Guard(aitree.Greater(hunger, 0.5), aitree.Do(action.Wander)), aitree.Do(action.Stand)))
	if err != nil {
		t.Fatal(err)
	}
	var sheep components.Entity
	herd.Prefab(tree, Sheep{}).SpawnNow(&app.World, 1, func(_ int, e components.Entity) { sheep = e })

	var now time.Duration
	var doing []string
	tick := func() int64 { return arche.GetResource[resource.Tick](&app.World).Tick }
	app.AddSystem(ecs.SystemFunc(func(w *arche.World) {
		if now += 250 * time.Millisecond; tick() == 3 {
			now += 1250 * time.Millisecond
			ecs.Get[Sheep](w, sheep).Hunger = 1
		}
	}))
	app.AddSystem(ecs.SystemFunc(func(*arche.World) {
		herd.Clock.Set(components.Timestamp(now)) // the model's time since the start, above 0
	}))
	app.AddSystem(herd)
	app.AddSystem(ecs.SystemFunc(func(w *arche.World) {
		order := ecs.Get[components.Intent](w, sheep).Orders[components.Move]
		doing = append(doing, herd.Actions.Name(order.Action))
	}))
	app.AddSystem(&system.FixedTermination{Steps: 5})
	app.Run()
	want := []string{"stand", "stand", "stand", "wander", "wander"}
	for i := range want {
		if doing[i] != want[i] {
			t.Errorf("tick %d: it does %q, not %q", i, doing[i], want[i])
		}
	}
	if herd.Clock.Now != 2500e6 {
		t.Errorf("the clock is at %d ns, not at 2.5 s", herd.Clock.Now)
	}
}

// lamb makes a sheep, and gives a mind to all who have none.
func lamb(w *arche.World, herd *systems.Herd, tree ai.Tree) {
	flock := generic.NewMap1[Sheep](w)
	flock.NewWith(&Sheep{})
	sheep, intent := arche.ComponentID[Sheep](w), arche.ComponentID[components.Intent](w)
	born := arche.All(sheep).Without(intent) // those who have no mind yet
	herd.Adopt(&born, tree, systems.Walker(0.3, 1))
}

// A lamb is born in the third tick, and decides in it.
func TestWhoIsBornInATickIsAdoptedInIt(t *testing.T) {
	app := model.New()
	herd, err := systems.Install(&app.World, systems.Options{FPS: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer herd.Close()
	tree, err := herd.AddTree("sheep", aitree.Do(action.Stand))
	if err != nil {
		t.Fatal(err)
	}
	app.AddSystem(&growth{herd: herd, tree: tree})
	var decisions []int
	app.AddSystem(ecs.SystemFunc(func(w *arche.World) {
		if herd.Clock.Frame == 2 {
			lamb(w, herd, tree)
		}
	}))
	app.AddSystem(herd)
	app.AddSystem(ecs.SystemFunc(func(*arche.World) {
		decisions = append(decisions, int(herd.AI.Stats().Decisions))
	}))
	app.AddSystem(&system.FixedTermination{Steps: 4})
	app.Run()
	want := []int{50, 100, 151, 202}
	for i := range want {
		if decisions[i] != want[i] {
			t.Errorf("%v decisions, not %v", decisions, want)
		}
	}
}
