package spatial

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

const (
	// maxCells is the maximum number of cells of a grid without a map. On a wider area cells are larger.
	maxCells = 1 << 20

	// maxExtent is the distance from the origin in metres up to which a grid without a map has cells.
	maxExtent = 1 << 17
)

// measureExtent sets the cells: over the map or, without a map, over all entities. It returns the cell size and the
// corners of the area.
func (g *Grid) measureExtent() (cell float32, low, high components.Vec2) {
	cell = g.cellSize
	if g.terrain != nil {
		high = components.Vec2{X: float32(g.terrain.Width), Y: float32(g.terrain.Height)}
	} else {
		g.build.run(len(g.build.tasks), g.build.extentTask)
		for i := range g.build.tasks {
			t := &g.build.tasks[i]
			low = components.Vec2{X: min(low.X, t.low.X), Y: min(low.Y, t.low.Y)}
			high = components.Vec2{X: max(high.X, t.high.X), Y: max(high.Y, t.high.Y)}
		}
		// The corner is a multiple of the cell size, so that small moves do not shift all cells.
		low.X, low.Y = float32(cell*floor(low.X/cell)), float32(cell*floor(low.Y/cell))
	}
	g.setCells(cell, low, high)
	for g.terrain == nil && g.cells() > maxCells {
		cell *= 2
		g.setCells(cell, low, high)
	}
	return cell, low, high
}

// setCells divides an area into cells.
func (g *Grid) setCells(cell float32, low, high components.Vec2) {
	g.Cols = max(1, int(math.Ceil(float64((high.X-low.X)/cell))))
	g.Rows = max(1, int(math.Ceil(float64((high.Y-low.Y)/cell))))
	g.Origin, g.PerMetre = low, 1/cell
	g.lastCol, g.lastRow = float32(g.Cols-1), float32(g.Rows-1)
	g.build.bands = (g.Rows + bandRows - 1) / bandRows
}

// cells returns the number of cells of one faction. It may be more than an int of 32 bits holds.
func (g *Grid) cells() uint64 { return uint64(g.Cols) * uint64(g.Rows) }

// floor rounds down.
func floor(x float32) float32 { return float32(math.Floor(float64(x))) }

// extentTask finds the corners of the area around a task's entities and the origin.
func (g *Grid) extentTask(_, task int) {
	t := &g.build.tasks[task]
	c := &g.build.columns[t.columns]
	low, high := components.Vec2{}, components.Vec2{}
	for i := range c.Transforms[t.start:t.end] {
		at := c.Transforms[t.start+i].Position
		if !vec.FiniteVec(at) {
			continue
		}
		low = components.Vec2{X: min(low.X, at.X), Y: min(low.Y, at.Y)}
		high = components.Vec2{X: max(high.X, at.X), Y: max(high.Y, at.Y)}
	}
	t.low = components.Vec2{X: max(low.X, -maxExtent), Y: max(low.Y, -maxExtent)}
	t.high = components.Vec2{X: min(high.X, maxExtent), Y: min(high.Y, maxExtent)}
}

// Col returns the column of cells that contains x (metres); the first or last one beyond the edges.
func (g *Grid) Col(x float32) int { return CellAt((x-g.Origin.X)*g.PerMetre, g.lastCol) }

// Row returns the row of cells that contains y (metres); the first or last one beyond the edges.
func (g *Grid) Row(y float32) int { return CellAt((y-g.Origin.Y)*g.PerMetre, g.lastRow) }

// CellAt rounds x down and clamps it to 0…last. It compares before it converts, because processors differ in the
// conversion of a float that does not fit an int. NaN gives 0.
func CellAt(x, last float32) int {
	if !(x > 0) {
		return 0
	}
	if x > last {
		x = last
	}
	return int(x)
}
