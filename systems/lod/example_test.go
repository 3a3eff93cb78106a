package lod_test

import (
	"fmt"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

// Agents decide less often the farther they are from the observer.
func ExampleSystem() {
	w := arche.NewWorld()
	herd, err := systems.Install(&w, systems.Options{FPS: 60, Workers: 1})
	if err != nil {
		panic(err)
	}
	defer herd.Close()
	system := &lod.System{Config: lod.DefaultConfig()}
	system.Initialize(&w)
	arche.AddResource(&w, &lod.Observers{{X: 0, Y: 0}})

	agents := generic.NewMap2[components.Transform, components.LOD](&w)
	for _, metres := range []float32{10, 50, 200, 1000} {
		l := components.NewLOD()
		agents.NewWith(&components.Transform{Position: components.Vec2{X: metres}}, &l)
	}

	// One second of frames. A system that serves the agents asks each one whether it is due.
	decided := map[float32]int{}
	filter := generic.NewFilter2[components.Transform, components.LOD]()
	for range 60 {
		herd.Clock.Advance()
		system.Update(&w)
		for q := filter.Query(&w); q.Next(); {
			if at, l := q.Get(); l.Due() {
				decided[at.Position.X]++ // after l.Elapsed(herd.Clock.Now) nanoseconds
			}
		}
	}
	for tier, metres := range []float32{10, 50, 200, 1000} {
		fmt.Printf("%4v m, %s: %d decisions\n", metres, system.TierNames()[tier], decided[metres])
	}
	// Output:
	//   10 m, 10 Hz: 10 decisions
	//   50 m, 5 Hz: 5 decisions
	//  200 m, 1 Hz: 1 decisions
	// 1000 m, frozen: 0 decisions
}
