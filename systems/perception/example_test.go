package perception_test

import (
	"fmt"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// A guard sees an intruder, and remembers it when it goes behind a wall.
func ExampleSystem() {
	m := space.NewMap(100, 100)
	m.Fill(20, 0, 1, 50, space.Wall)
	w := arche.NewWorld()
	herd, err := systems.Install(&w, systems.Options{FPS: 60, Map: m, Workers: 1})
	if err != nil {
		panic(err)
	}
	defer herd.Close()
	system := &perception.System{}
	system.Initialize(&w)

	guards := generic.NewMap4[components.Transform, components.Faction, components.Senses, components.Percept](&w)
	guard := guards.NewWith(
		&components.Transform{Position: components.Vec2{X: 10, Y: 10}, Heading: components.Vec2{X: 1}},
		&components.Faction{ID: 1},
		&components.Senses{Sight: 15, Lose: 20, Cone: 0.5, Hearing: 1, Memory: 5},
		&components.Percept{})
	intruders := generic.NewMap2[components.Transform, components.Faction](&w)
	intruder := intruders.NewWith(
		&components.Transform{Position: components.Vec2{X: 18, Y: 10}},
		&components.Faction{ID: 2})

	for second, x := range []float32{18, 23, 23} {
		at, _ := intruders.Get(intruder)
		at.Position.X = x
		for range 60 {
			herd.Clock.Advance()
			system.Update(&w)
		}
		_, _, _, percept := guards.Get(guard)
		fmt.Printf("after %d s: visible %v, seen at %v m, belief %.1f\n",
			second+1, percept.Visible, percept.LastKnown.X, percept.Belief)
	}
	// Output:
	// after 1 s: visible true, seen at 18 m, belief 1.0
	// after 2 s: visible false, seen at 18 m, belief 0.8
	// after 3 s: visible false, seen at 18 m, belief 0.6
}
