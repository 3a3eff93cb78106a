package perception

import (
	"fmt"
	"math"
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/resources"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
)

// benchWorld is a town with 16 m² per agent, four fifths of one faction and one fifth of the other.
func benchWorld(agents, workers int, cell float32) (*arche.World, *System) {
	w := arche.NewWorld()
	side, _ := town.Size(agents)
	m := town.Generate(side, side, 1)
	testworld.Install(&w, resources.Options{FPS: 60, Seed: 1, Map: m, Workers: workers})
	w.Resources().Remove(arche.ResourceID[spatial.Grid](&w))
	arche.AddResource(&w, spatial.NewGrid(cell))
	spawn := generic.NewMap5[components.Transform, components.Faction, components.Senses, components.Percept,
		components.Health](&w)
	for i := range agents {
		draw := random.Mix(7, uint64(i))
		at, _ := m.RandomPoint(draw, 0)
		angle := 2 * math.Pi * float64(random.Unit(random.Mix(draw, 9)))
		faction := uint8(1)
		if i%5 == 0 {
			faction = 2
		}
		spawn.NewWith(
			&components.Transform{Position: at,
				Heading: components.Vec2{X: float32(math.Cos(angle)), Y: float32(math.Sin(angle))}},
			&components.Faction{ID: faction},
			&components.Senses{Sight: 15, Lose: 20, Cone: 0.5, Hearing: 1, Memory: 5},
			&components.Percept{},
			&components.Health{Current: 10, Max: 10},
		)
	}
	p := &System{}
	p.Initialize(&w)
	return &w, p
}

func BenchmarkGrid(b *testing.B) {
	for _, agents := range []int{10_000, 1_000_000} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("agents=%d/workers=%d", agents, workers), func(b *testing.B) {
				w, p := benchWorld(agents, workers, spatial.DefaultCellSize)
				clock := ecs.Resource[frame.Clock](w)
				defer ecs.Resource[parallel.Workers](w).Close()
				for b.Loop() {
					clock.Advance()
					p.scene.grid.Refresh()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*agents), "ns/agent")
			})
		}
	}
}

// BenchmarkPerception senses for all agents in every frame. In the searching runs everyone starts without a
// target each time, in the steady ones no agent moves, so that an agent that sees a target keeps it.
func BenchmarkPerception(b *testing.B) {
	for _, agents := range []int{10_000, 1_000_000} {
		for _, steady := range []bool{false, true} {
			b.Run(fmt.Sprintf("agents=%d/steady=%v", agents, steady), func(b *testing.B) {
				w, p := benchWorld(agents, 1, spatial.DefaultCellSize)
				clock := ecs.Resource[frame.Clock](w)
				clock.Advance()
				p.Update(w)
				percepts := ecs.NewColumns(w, ecs.Need[components.Percept]())
				var sensing, rays int64
				for b.Loop() {
					if !steady {
						b.StopTimer()
						for i, chunks := 0, percepts.Open(); i < len(chunks); i++ {
							clear(ecs.Column[components.Percept](&chunks[i], 0))
						}
						percepts.Close()
						b.StartTimer()
					}
					// The grid is up to date: the clock stands still.
					p.Update(w)
					sensing += int64(p.Stats().Sensed)
					rays += int64(p.Stats().Rays)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(sensing), "ns/agent")
				b.ReportMetric(float64(rays)/float64(sensing), "rays/agent")
			})
		}
	}
}
