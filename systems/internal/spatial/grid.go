package spatial

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/position"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// DefaultCellSize is the side of a grid's cells in metres.
const DefaultCellSize = 4

// Grid sorts the entities with a position and a [components.Faction] into cells, separately for each
// faction. It leaves out dead entities, whose [components.Health] is 0 or less, and entities whose position is not
// finite; it counts the latter. An entity beyond the edge of the map is in the cell nearest to it.
//
// It is rebuilt once a frame, by the [GridSystem] or by the first system that needs it, and holds the positions at the
// start of the frame. Each entity has a slot. The slots of one faction in a row of cells are contiguous, from west to
// east. Within a cell they are in the order of entities, so the order of slots depends neither on the storage order nor
// on the number of workers. Any number of goroutines may read.
type Grid struct {
	// By slot; read only, until the next frame.
	Entities  []components.Entity
	Positions []components.Vec2 // metres
	Radii     []float32         // metres; 0 for an entity without a [components.Body]
	Factions  []uint8

	// Ignored counts the entities that were left out because their position is not finite, summed over all frames.
	Ignored int64

	PerMetre float32         // cells per metre
	Origin   components.Vec2 // south-west corner of the first cell, metres
	Cols     int             // columns of cells, from west to east
	Rows     int             // rows of cells, from south to north
	Present  []uint8         // factions that have entities in the grid, ascending

	// Starts holds the first slot of each cell, by row, then index of the faction in Present, then column; and the
	// number of slots at the end. It is empty before the first build.
	Starts []uint32

	cellSize     float32 // metres, as configured
	lastCol      float32 // Cols-1
	lastRow      float32 // Rows-1
	factionIndex [256]uint8
	slots        ecs.Table[uint32] // undefined for entities that have no slot

	world   *arche.World
	columns *position.Columns
	clock   *frame.Clock
	terrain *space.Map // nil: the cells cover the entities
	frame   uint32     // of the last build
	build   builder
}

// NewGrid returns an empty grid with cells of cellSize metres; 0 means [DefaultCellSize].
//
// Panics when the size is not from 1 to 1000.
func NewGrid(cellSize float32) *Grid {
	if cellSize == 0 {
		cellSize = DefaultCellSize
	}
	if !(cellSize >= 1 && cellSize <= 1000) {
		panic("spatial: NewGrid: the cell size is not from 1 to 1000 metres")
	}
	g := &Grid{cellSize: cellSize}
	g.build.run = func(tasks int, f func(worker, task int)) {
		for task := range tasks {
			f(0, task)
		}
	}
	g.build.setWorkers(1)
	g.build.extentTask, g.build.countTask = g.extentTask, g.countTask
	g.build.scatterTask, g.build.sortTask = g.scatterTask, g.sortBand
	return g
}
