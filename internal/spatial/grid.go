package spatial

import (
	"math"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/setting"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// DefaultCellSize is the side of a grid's cells in metres.
const DefaultCellSize = 4

// Grid knows where everybody stands: all entities that have a [components.Transform] and a [components.Faction], sorted
// into cells for each faction. It leaves out the dead, whose [components.Health] is used up, and those whose
// position is not finite, which it counts. An entity beyond the map's edge is kept in the cell next to it.
//
// It is rebuilt once a frame, by the [GridSystem] or by the first system that needs it, and shows how the frame began.
// An entity has a slot; the slots of one faction in a row of cells are contiguous, from west to east. Within a
// cell they are in the order of the entities, so the whole order depends neither on the storage nor on
// the number of workers. Any number of goroutines may read.
type Grid struct {
	// By slot; only to be read, until the next frame.
	Entities  []components.Entity
	Positions []components.Vec2 // metres
	Radii     []float32         // metres, 0 for an entity without a [components.Body]
	Factions  []uint8

	// Ignored counts the entities that were left out because their position is not finite, of all frames.
	Ignored int64

	Cell         float32 // metres
	PerMetre     float32 // cells
	Origin       components.Vec2
	Cols         int
	Rows         int
	lastCol      float32 // of cols
	lastRow      float32
	Present      []uint8    // factions, ascending
	factionIndex [256]uint8 // in present
	// starts holds the first slot of each cell, by row, then faction, then column, and the end of all.
	Starts []uint32
	Slots  []uint32 // by entity index; meaningless for entities that have no slot

	world   *arche.World
	columns *ecs.Columns
	clock   *frame.Clock
	Ground  *space.Map
	frame   uint32
	Build   builder
}

// builder is the scratch space of a rebuild, a counting sort in two steps: everybody goes to the band of rows
// they stand in, then each band is sorted by itself. Both steps are split over the workers, and the second
// stays in the cache.
type builder struct {
	run         func(tasks int, f func(worker, task int))
	Parts       []Columns
	tasks       []buildTask
	bands       int
	counts      []uint32 // by task, then band: how many; later where the next goes in records
	bandStarts  []uint32 // by band: its first record and slot
	records     []record
	unordered   []uint32   // by band: cells whose records do not come in the order of entities
	lastIndex   [][]uint32 // by worker, then cell of a band
	extentTask  func(worker, task int)
	countTask   func(worker, task int)
	scatterTask func(worker, task int)
	sortTask    func(worker, task int)
}

const (
	taskRows = 2048 // agents of one task
	bandRows = 4    // rows of cells of one band
	// maxCells is the most cells a grid without a map has; on wider ground they are larger.
	maxCells = 1 << 20
	// maxStarts is the most cells of all factions together, 64 MiB; with more they are larger.
	maxStarts = 1 << 24
	// maxExtent is how far from the origin a grid without a map tells places apart, in metres.
	maxExtent = 1 << 17
)

// Columns is the columns of one archetype.
type Columns struct {
	Entities   []components.Entity
	Transforms []components.Transform
	Factions   []components.Faction
	Bodies     []components.Body   // nil: without
	Healths    []components.Health // nil: alive
}

// buildTask is a range of one part and what was found there.
type buildTask struct {
	part, start, end int
	ignored          int64
	indices          uint32    // one more than the largest entity index
	present          [256]bool // factions
	low, high        components.Vec2
}

// record is an entity on its way to its slot.
type record struct {
	entity components.Entity
	at     components.Vec2
	radius float32
	cell   uint32 // place in starts
}

// NewGrid returns an empty grid with cells of so many metres; 0 stands for [DefaultCellSize]. It panics when the
// size is not a number from 1 to 1000.
func NewGrid(cell float32) *Grid {
	if cell == 0 {
		cell = DefaultCellSize
	}
	if !(cell >= 1 && cell <= 1000) {
		panic("spatial: NewGrid: the cell size is not from 1 to 1000 metres")
	}
	g := &Grid{Cell: cell}
	g.Build.run = func(tasks int, f func(worker, task int)) {
		for task := range tasks {
			f(0, task)
		}
	}
	g.Build.lastIndex = make([][]uint32, 1)
	g.Build.extentTask, g.Build.countTask, g.Build.scatterTask, g.Build.sortTask = g.extentTask, g.countTask, g.scatterTask, g.sortBand
	return g
}

// GridSystem rebuilds the world's [Grid]. It runs before the systems that ask the grid.
type GridSystem struct {
	grid *Grid
}

// Initialize finds the world's resources. It panics when there is no [Grid], [frame.Clock] or [parallel.Workers].
func (s *GridSystem) Initialize(w *arche.World) { s.grid = AttachGrid(w, "spatial.GridSystem") }

// Update rebuilds the grid.
func (s *GridSystem) Update(*arche.World) { s.grid.Refresh() }

// Finalize does nothing.
func (s *GridSystem) Finalize(*arche.World) {}

// AttachGrid prepares the world's grid for the use of a system.
func AttachGrid(w *arche.World, who string) *Grid {
	g := ecs.Resource[Grid](w, who)
	if g.world == w {
		return g
	}
	g.world = w
	g.clock = ecs.Resource[frame.Clock](w, who)
	workers := ecs.Resource[parallel.Workers](w, who)
	g.Build.run = workers.Run
	g.Build.lastIndex = make([][]uint32, workers.Count())
	g.Ground = setting.OptionalResource[space.Map](w)
	g.columns = ecs.NewColumns(w, ecs.Need[components.Transform](), ecs.Need[components.Faction](),
		ecs.Optional[components.Body](), ecs.Optional[components.Health]())
	return g
}

// Refresh rebuilds the grid unless that was done in this frame. Call it on the goroutine that owns the
// world, in a system that found the grid when it was initialised.
func (g *Grid) Refresh() {
	if g.clock.Frame != 0 && g.clock.Frame == g.frame {
		return
	}
	g.frame = g.clock.Frame
	b := &g.Build
	b.Parts = b.Parts[:0]
	chunks := g.columns.Open()
	for i := range chunks {
		chunk := &chunks[i]
		b.Parts = append(b.Parts, Columns{
			Entities:   chunk.Entities(),
			Transforms: ecs.Column[components.Transform](chunk, 0),
			Factions:   ecs.Column[components.Faction](chunk, 1),
			Bodies:     ecs.Column[components.Body](chunk, 2),
			Healths:    ecs.Column[components.Health](chunk, 3),
		})
	}
	g.Rebuild()
	clear(b.Parts) // the columns hold only while open
	g.columns.Close()
}

// Rebuild sorts the parts into the grid.
func (g *Grid) Rebuild() {
	b := &g.Build
	b.tasks = b.tasks[:0]
	for part := range b.Parts {
		rows := len(b.Parts[part].Entities)
		for start := 0; start < rows; start += taskRows {
			b.tasks = append(b.tasks, buildTask{part: part, start: start, end: min(start+taskRows, rows)})
		}
	}
	cell, low, high := g.measureExtent()
	n := 0
	for { // how many factions there are is known only when all are counted
		b.counts = scratch.Sized(b.counts, len(b.tasks)*b.bands)
		clear(b.counts)
		b.run(len(b.tasks), b.countTask)
		n = g.prefixSums()
		if g.Cols*g.Rows*len(g.Present) <= maxStarts {
			break
		}
		cell *= 2
		g.setCells(cell, low, high)
	}
	for i := range b.tasks {
		g.Ignored += b.tasks[i].ignored
	}
	b.records, b.unordered = scratch.Sized(b.records, n), scratch.Sized(b.unordered, n)
	g.Entities, g.Positions = scratch.Sized(g.Entities, n), scratch.Sized(g.Positions, n)
	g.Radii, g.Factions = scratch.Sized(g.Radii, n), scratch.Sized(g.Factions, n)
	b.run(len(b.tasks), b.scatterTask)
	g.Starts = scratch.Sized(g.Starts, g.Rows*len(g.Present)*g.Cols+1)
	g.Starts[len(g.Starts)-1] = uint32(n)
	for worker := range b.lastIndex { // also of one that finds nothing left to do in this frame
		b.lastIndex[worker] = scratch.Sized(b.lastIndex[worker], min(bandRows, g.Rows)*len(g.Present)*g.Cols)
	}
	b.run(b.bands, b.sortTask)
}

// measureExtent fixes the cells: over the map, or where there is none over everybody.
func (g *Grid) measureExtent() (cell float32, low, high components.Vec2) {
	cell = g.Cell
	if g.Ground != nil {
		high = components.Vec2{X: float32(g.Ground.Width), Y: float32(g.Ground.Height)}
	} else {
		g.Build.run(len(g.Build.tasks), g.Build.extentTask)
		for i := range g.Build.tasks {
			t := &g.Build.tasks[i]
			low = components.Vec2{X: min(low.X, t.low.X), Y: min(low.Y, t.low.Y)}
			high = components.Vec2{X: max(high.X, t.high.X), Y: max(high.Y, t.high.Y)}
		}
		// Edges on whole cells, so that small moves do not shift them all.
		low.X, low.Y = float32(cell*floor(low.X/cell)), float32(cell*floor(low.Y/cell))
	}
	g.setCells(cell, low, high)
	for g.Ground == nil && g.Cols*g.Rows > maxCells {
		cell *= 2
		g.setCells(cell, low, high)
	}
	return cell, low, high
}

// setCells divides the ground into cells.
func (g *Grid) setCells(cell float32, low, high components.Vec2) {
	g.Cols = max(1, int(math.Ceil(float64((high.X-low.X)/cell))))
	g.Rows = max(1, int(math.Ceil(float64((high.Y-low.Y)/cell))))
	g.Origin, g.PerMetre = low, 1/cell
	g.lastCol, g.lastRow = float32(g.Cols-1), float32(g.Rows-1)
	g.Build.bands = (g.Rows + bandRows - 1) / bandRows
}

func floor(x float32) float32 { return float32(math.Floor(float64(x))) }

// extentTask finds the corners of the ground that a task's agents stand on, from the origin on.
func (g *Grid) extentTask(_, task int) {
	t := &g.Build.tasks[task]
	p := &g.Build.Parts[t.part]
	low, high := components.Vec2{}, components.Vec2{}
	for i := range p.Transforms[t.start:t.end] {
		at := p.Transforms[t.start+i].Position
		if !vec.FiniteVec(at) {
			continue
		}
		low = components.Vec2{X: min(low.X, at.X), Y: min(low.Y, at.Y)}
		high = components.Vec2{X: max(high.X, at.X), Y: max(high.Y, at.Y)}
	}
	t.low = components.Vec2{X: max(low.X, -maxExtent), Y: max(low.Y, -maxExtent)}
	t.high = components.Vec2{X: min(high.X, maxExtent), Y: min(high.Y, maxExtent)}
}

// FiniteVec reports whether both numbers are finite.
// Col returns the column of cells in which x lies, the first or last one beyond the edges.
func (g *Grid) Col(x float32) int { return CellAt((x-g.Origin.X)*g.PerMetre, g.lastCol) }

// Row is col for the other axis.
func (g *Grid) Row(y float32) int { return CellAt((y-g.Origin.Y)*g.PerMetre, g.lastRow) }

// CellAt rounds down and clamps to 0…last. It compares before it converts: what converting a float that does
// not fit gives differs between processors.
func CellAt(x, last float32) int {
	if !(x > 0) {
		return 0
	}
	if x > last {
		x = last
	}
	return int(x)
}

// countTask counts how many of a task's agents stand in each band.
func (g *Grid) countTask(_, task int) {
	b := &g.Build
	t := &b.tasks[task]
	entities, places, factions, _, healths := b.Parts[t.part].rows(t)
	counts := b.counts[task*b.bands : (task+1)*b.bands]
	indices := uint32(0)
	t.ignored = 0
	for i := range places {
		if healths != nil && healths[i].Current <= 0 {
			continue
		}
		at := places[i].Position
		if !vec.FiniteVec(at) {
			t.ignored++
			continue
		}
		counts[uint(g.Row(at.Y))/bandRows]++
		t.present[factions[i].ID] = true
		indices = max(indices, entities[i].Index+1)
	}
	t.indices = indices
}

// rows returns the rows of a task. They are of one length, but for columns that are missing.
func (p *Columns) rows(t *buildTask) (
	e []components.Entity, at []components.Transform, f []components.Faction, b []components.Body,
	h []components.Health,
) {
	e = p.Entities[t.start:t.end]
	at, f = p.Transforms[t.start:t.end][:len(e)], p.Factions[t.start:t.end][:len(e)]
	if p.Bodies != nil {
		b = p.Bodies[t.start:t.end][:len(e)]
	}
	if p.Healths != nil {
		h = p.Healths[t.start:t.end][:len(e)]
	}
	return e, at, f, b, h
}

// prefixSums finds the factions and turns counts into places. It returns how many have a slot.
func (g *Grid) prefixSums() int {
	b := &g.Build
	var present [256]bool
	indices := uint32(0)
	for i := range b.tasks {
		t := &b.tasks[i]
		for id, here := range t.present {
			present[id] = present[id] || here
		}
		indices = max(indices, t.indices)
	}
	g.Present = g.Present[:0]
	for id, here := range present {
		if here {
			g.factionIndex[id] = uint8(len(g.Present))
			g.Present = append(g.Present, uint8(id))
		}
	}
	if len(g.Slots) < int(indices) {
		g.Slots = scratch.Sized(g.Slots, int(indices))
		clear(g.Slots)
	}
	b.bandStarts = scratch.Sized(b.bandStarts, b.bands+1)
	next := uint32(0)
	for band := range b.bands {
		b.bandStarts[band] = next
		for task := range b.tasks {
			at := &b.counts[task*b.bands+band]
			next, *at = next+*at, next
		}
	}
	b.bandStarts[b.bands] = next
	return int(next)
}

// scatterTask puts a task's agents where their band is.
func (g *Grid) scatterTask(_, task int) {
	b := &g.Build
	t := &b.tasks[task]
	entities, places, factions, bodies, healths := b.Parts[t.part].rows(t)
	next := b.counts[task*b.bands : (task+1)*b.bands]
	records, lines, cols := b.records, len(g.Present), g.Cols
	for i := range places {
		at := places[i].Position
		if healths != nil && healths[i].Current <= 0 || !vec.FiniteVec(at) {
			continue
		}
		radius := float32(0)
		if bodies != nil {
			radius = bodies[i].Radius
		}
		row := g.Row(at.Y)
		cell := (row*lines+int(g.factionIndex[factions[i].ID]))*cols + g.Col(at.X)
		to := &next[uint(row)/bandRows]
		records[*to] = record{entity: entities[i], at: at, radius: radius, cell: uint32(cell)}
		*to++
	}
}

// sortBand sorts the agents of a band by cell, those of a cell by entity.
func (g *Grid) sortBand(worker, band int) {
	b := &g.Build
	first, end := b.bandStarts[band], b.bandStarts[band+1]
	records := b.records[first:end]
	lines := len(g.Present) * g.Cols // cells of one row
	base := uint32(band * bandRows * lines)
	starts := g.Starts[base : min((band+1)*bandRows, g.Rows)*lines]
	clear(starts)
	last := b.lastIndex[worker][:len(starts)] // by cell: the entity that came last
	clear(last)
	mixed, disorder := b.unordered[first:end], 0 // cells that are not in order yet
	for i := range records {
		r := &records[i]
		cell := r.cell - base
		starts[cell]++
		if r.entity.Index < last[cell] {
			mixed[disorder] = cell
			disorder++
		}
		last[cell] = r.entity.Index
	}
	// The counts become the ends of the cells, and filling them from behind the starts. What came in order
	// stays in order.
	sum := first
	for i := range starts {
		sum += starts[i]
		starts[i] = sum
	}
	for i := len(records) - 1; i >= 0; i-- {
		r := &records[i]
		slot := starts[r.cell-base] - 1
		starts[r.cell-base] = slot
		g.Entities[slot], g.Positions[slot], g.Radii[slot] = r.entity, r.at, r.radius
		g.Slots[r.entity.Index] = slot
	}
	// A line of one row and faction is contiguous, also in the order of the lines.
	for line := 0; line*g.Cols < len(starts); line++ {
		to := end
		if next := (line + 1) * g.Cols; next < len(starts) {
			to = starts[next]
		}
		id := g.Present[line%len(g.Present)]
		slots := g.Factions[starts[line*g.Cols]:to]
		for i := range slots {
			slots[i] = id
		}
	}
	for _, cell := range mixed[:disorder] {
		to := end
		if next := int(cell) + 1; next < len(starts) {
			to = starts[next]
		}
		g.sortCell(int(starts[cell]), int(to))
	}
}

// sortCell puts the slots of a cell in the order of their entities. Cells are small and nearly in order.
func (g *Grid) sortCell(from, to int) {
	for i := from + 1; i < to; i++ {
		entity, at, radius := g.Entities[i], g.Positions[i], g.Radii[i]
		j := i
		for ; j > from && entity.Less(g.Entities[j-1]); j-- {
			g.Entities[j], g.Positions[j], g.Radii[j] = g.Entities[j-1], g.Positions[j-1], g.Radii[j-1]
			g.Slots[g.Entities[j].Index] = uint32(j)
		}
		g.Entities[j], g.Positions[j], g.Radii[j] = entity, at, radius
		g.Slots[entity.Index] = uint32(j)
	}
}

// Find returns the slot of an entity, if it has one.
func (g *Grid) Find(e components.Entity) (slot int, ok bool) {
	if int(e.Index) >= len(g.Slots) {
		return 0, false
	}
	slot = int(g.Slots[e.Index])
	return slot, slot < len(g.Entities) && g.Entities[slot] == e
}

// Span is a range of slots, End excluded.
type Span struct{ Start, End int }

// Near appends the slots around a point to spans: of all factions, in the cells that the square of radius
// metres around it touches. So every entity within the radius is among them, and others too: compare distances.
// The order is the same in every run.
func (g *Grid) Near(spans []Span, at components.Vec2, radius float32) []Span {
	for place := range g.Present {
		spans = g.appendNear(spans, place, at, radius)
	}
	return spans
}

// NearFaction is [Grid.Near] for one faction.
func (g *Grid) NearFaction(spans []Span, faction uint8, at components.Vec2, radius float32) []Span {
	if place, ok := g.FactionIndex(faction); ok {
		return g.appendNear(spans, place, at, radius)
	}
	return spans
}

// FactionIndex returns where a faction is in the order of those present.
func (g *Grid) FactionIndex(faction uint8) (place int, ok bool) {
	place = int(g.factionIndex[faction])
	return place, place < len(g.Present) && g.Present[place] == faction
}

func (g *Grid) appendNear(spans []Span, place int, at components.Vec2, radius float32) []Span {
	if !vec.FiniteVec(at) || !(radius >= 0) {
		return spans
	}
	reach := PaddedRadius(radius)
	left, right := g.Col(at.X-reach), g.Col(at.X+reach)
	for row := g.Row(at.Y - reach); row <= g.Row(at.Y+reach); row++ {
		if start, end := g.RowSlots(row, place, left, right); start < end {
			spans = append(spans, Span{start, end})
		}
	}
	return spans
}

// RowSlots returns the slots of a faction, by its place, in a row of cells from one column to another.
func (g *Grid) RowSlots(row, place, left, right int) (start, end int) {
	at := (row*len(g.Present) + place) * g.Cols
	return int(g.Starts[at+left]), int(g.Starts[at+right+1])
}

// SlotsOfRows returns the slots of all factions in the rows of cells from first to before end.
func (g *Grid) SlotsOfRows(first, end int) (start, stop int) {
	line := len(g.Present) * g.Cols
	return int(g.Starts[first*line]), int(g.Starts[end*line])
}

// CountCells counts a faction, by its place, in a block of cells.
func (g *Grid) CountCells(place, first, last, left, right int) int {
	n := uint32(0)
	stride := len(g.Present) * g.Cols
	from := first*stride + place*g.Cols + left
	width := right + 1 - left
	for range last + 1 - first {
		line := g.Starts[from : from+width+1]
		n += line[width] - line[0]
		from += stride
	}
	return int(n)
}

// PaddedRadius widens a radius by more than the rounding of coordinates can take from it, up to gridMaxReach metres
// from the origin: what is within the radius by a comparison of float32 is within the reach.
func PaddedRadius(radius float32) float32 {
	return radius + float32(radius*(1.0/65536)) + 1.0/64
}
