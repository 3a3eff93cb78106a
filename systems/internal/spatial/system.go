package spatial

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/lifecycle"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/position"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// GridSystem rebuilds the world's [Grid]. It runs before the systems that query the grid.
type GridSystem struct {
	guard lifecycle.Guard[arche.World]
	grid  *Grid
}

// Initialize finds the world's resources. It panics when there is no [Grid], [frame.Clock] or [parallel.Workers].
func (s *GridSystem) Initialize(w *arche.World) {
	s.guard.Begin(name, w)
	s.grid = AttachGrid(w)
}

const name = "spatial.GridSystem"

// Update rebuilds the grid.
//
// Panics before Initialize, after Finalize and with another world than that of Initialize.
func (s *GridSystem) Update(w *arche.World) {
	s.guard.Check(name, w)
	s.grid.Refresh()
}

// Finalize ends the use of the world. The grid belongs to the world and stays.
func (s *GridSystem) Finalize(*arche.World) { s.guard.End() }

// AttachGrid prepares the world's grid for the use of a system and returns it. It panics when the world has no [Grid],
// [frame.Clock] or [parallel.Workers].
func AttachGrid(w *arche.World) *Grid {
	g := ecs.Resource[Grid](w)
	if g.world == w {
		return g
	}
	g.world = w
	g.clock = ecs.Resource[frame.Clock](w)
	workers := ecs.Resource[parallel.Workers](w)
	g.build.run = workers.Run
	g.build.setWorkers(workers.Count())
	g.terrain = ecs.FindResource[space.Map](w)
	g.columns = position.NewColumns(w, false, ecs.Need[components.Faction](), ecs.Optional[components.Body](),
		ecs.Optional[components.Health]())
	return g
}

// Refresh rebuilds the grid unless that was done in this frame. Call it on the goroutine that owns the world, after
// [AttachGrid].
func (g *Grid) Refresh() {
	if g.clock.Frame != 0 && g.clock.Frame == g.frame {
		return
	}
	g.frame = g.clock.Frame
	b := &g.build
	b.columns = b.columns[:0]
	chunks := g.columns.Open()
	for i := range chunks {
		chunk := &chunks[i]
		b.columns = append(b.columns, Columns{
			Entities:   chunk.Entities(),
			Transforms: g.columns.Transforms(i),
			Factions:   ecs.Column[components.Faction](chunk, 0),
			Bodies:     ecs.Column[components.Body](chunk, 1),
			Healths:    ecs.Column[components.Health](chunk, 2),
		})
	}
	g.rebuild()
	clear(b.columns) // columns are valid while open
	g.columns.Close()
}
