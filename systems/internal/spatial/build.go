package spatial

import (
	"math"
	"sort"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/space"
)

const (
	taskRows = 2048 // entities of one task
	bandRows = 4    // rows of cells of one band

	// maxStarts is the maximum number of cells of all factions together: 64 MiB. Cells are larger where there would be
	// more.
	maxStarts = 1 << 24

	smallCell   = 32             // entities of a cell that is sorted by insertion
	isUnordered = math.MaxUint32 // in lastIndex: the cell is known not to be in the order of entities
)

// builder is the scratch memory of a build: a counting sort in two steps. The first sorts entities into bands of rows,
// the second sorts each band by cell. Both are split over the workers, and a band fits the cache.
type builder struct {
	run         func(tasks int, f func(worker, task int))
	columns     []Columns
	tasks       []buildTask
	bands       int
	counts      []uint32 // by task, then band: entities; after the prefix sums, the position of the next record
	bandStarts  []uint32 // by band: its first record and first slot
	records     []record
	unordered   []uint32     // by band: cells whose records are not in the order of entities
	lastIndex   [][]uint32   // by worker, then cell of a band: index of the last entity
	cellSlots   []*cellSlots // by worker
	extentTask  func(worker, task int)
	countTask   func(worker, task int)
	scatterTask func(worker, task int)
	sortTask    func(worker, task int)
}

// setWorkers makes the memory of each worker.
func (b *builder) setWorkers(workers int) {
	b.lastIndex, b.cellSlots = make([][]uint32, workers), make([]*cellSlots, workers)
	for i := range b.cellSlots {
		b.cellSlots[i] = &cellSlots{}
	}
}

// Columns are the components of a range of entities, in columns of equal length.
type Columns struct {
	Entities   []components.Entity
	Transforms []components.Transform
	Factions   []components.Faction
	Bodies     []components.Body   // nil: radius 0
	Healths    []components.Health // nil: alive
}

// rows returns the columns of a task, sliced to equal length; columns that are missing are nil.
func (c *Columns) rows(t *buildTask) (
	e []components.Entity, at []components.Transform, f []components.Faction, b []components.Body,
	h []components.Health,
) {
	e = c.Entities[t.start:t.end]
	at, f = c.Transforms[t.start:t.end][:len(e)], c.Factions[t.start:t.end][:len(e)]
	if c.Bodies != nil {
		b = c.Bodies[t.start:t.end][:len(e)]
	}
	if c.Healths != nil {
		h = c.Healths[t.start:t.end][:len(e)]
	}
	return e, at, f, b, h
}

// buildTask is a range of rows and what was found in it.
type buildTask struct {
	columns    int             // index in builder.columns
	start, end int             // rows
	ignored    int64           // entities without a finite position
	indices    uint32          // one more than the largest entity index
	present    [256]bool       // factions
	low, high  components.Vec2 // corners of the area around its entities, metres
}

// record is an entity between the two steps of the sort.
type record struct {
	entity components.Entity
	at     components.Vec2
	radius float32
	cell   uint32 // index in Starts
}

// BuildFrom builds the grid from columns, for use without a world. A nil map means open country.
func (g *Grid) BuildFrom(terrain *space.Map, columns ...Columns) {
	g.terrain = terrain
	g.build.columns = append(g.build.columns[:0], columns...)
	g.rebuild()
}

// rebuild sorts the columns into the grid.
func (g *Grid) rebuild() {
	b := &g.build
	b.tasks = b.tasks[:0]
	for i := range b.columns {
		rows := len(b.columns[i].Entities)
		for start := 0; start < rows; start += taskRows {
			b.tasks = append(b.tasks, buildTask{columns: i, start: start, end: min(start+taskRows, rows)})
		}
	}
	cell, low, high := g.measureExtent()
	n := g.count()
	// The number of factions is known only after counting.
	if factions := uint64(len(g.Present)); g.cells()*factions > maxStarts {
		for g.cells()*factions > maxStarts {
			cell *= 2
			g.setCells(cell, low, high)
		}
		n = g.count()
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
	for worker := range b.lastIndex { // also for a worker that gets no task in this frame
		b.lastIndex[worker] = scratch.Sized(b.lastIndex[worker], min(bandRows, g.Rows)*len(g.Present)*g.Cols)
	}
	b.run(b.bands, b.sortTask)
}

// count counts the entities and factions, and returns the number of slots.
func (g *Grid) count() int {
	b := &g.build
	b.counts = scratch.Sized(b.counts, len(b.tasks)*b.bands)
	clear(b.counts)
	b.run(len(b.tasks), b.countTask)
	return g.prefixSums()
}

// countTask counts the entities of a task in each band.
func (g *Grid) countTask(_, task int) {
	b := &g.build
	t := &b.tasks[task]
	entities, transforms, factions, _, healths := b.columns[t.columns].rows(t)
	counts := b.counts[task*b.bands : (task+1)*b.bands]
	indices := uint32(0)
	t.ignored = 0
	for i := range transforms {
		if healths != nil && healths[i].Current <= 0 {
			continue
		}
		at := transforms[i].Position
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

// prefixSums lists the factions that are present and turns the counts of bands into the positions of their records. It
// returns the number of slots.
func (g *Grid) prefixSums() int {
	b := &g.build
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
	g.slots.Grow(int(indices))
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

// scatterTask writes the entities of a task to the records of their bands.
func (g *Grid) scatterTask(_, task int) {
	b := &g.build
	t := &b.tasks[task]
	entities, transforms, factions, bodies, healths := b.columns[t.columns].rows(t)
	next := b.counts[task*b.bands : (task+1)*b.bands]
	records, factionCount, cols := b.records, len(g.Present), g.Cols
	for i := range transforms {
		at := transforms[i].Position
		if healths != nil && healths[i].Current <= 0 || !vec.FiniteVec(at) {
			continue
		}
		radius := float32(0)
		if bodies != nil {
			radius = bodies[i].Radius
		}
		row := g.Row(at.Y)
		cell := (row*factionCount+int(g.factionIndex[factions[i].ID]))*cols + g.Col(at.X)
		to := &next[uint(row)/bandRows]
		records[*to] = record{entity: entities[i], at: at, radius: radius, cell: uint32(cell)}
		*to++
	}
}

// sortBand sorts the records of a band into slots: by cell, and within a cell by entity.
func (g *Grid) sortBand(worker, band int) {
	b := &g.build
	first, end := b.bandStarts[band], b.bandStarts[band+1]
	records := b.records[first:end]
	rowCells := len(g.Present) * g.Cols
	base := uint32(band * bandRows * rowCells)
	starts := g.Starts[base : min((band+1)*bandRows, g.Rows)*rowCells]
	clear(starts)
	last := b.lastIndex[worker][:len(starts)] // by cell: index of its last entity so far
	clear(last)
	unordered, count := b.unordered[first:end], 0 // cells that are not in the order of entities
	for i := range records {
		r := &records[i]
		cell := r.cell - base
		starts[cell]++
		switch {
		case r.entity.Index >= last[cell]:
			last[cell] = r.entity.Index
		case last[cell] != isUnordered:
			last[cell] = isUnordered
			unordered[count] = cell
			count++
		}
	}
	// Prefix sums turn the counts into the ends of the cells. Filling the cells from the back turns these into the
	// starts and keeps records of a cell in their order.
	sum := first
	for i := range starts {
		sum += starts[i]
		starts[i] = sum
	}
	slots := g.slots.Values()
	for i := len(records) - 1; i >= 0; i-- {
		r := &records[i]
		slot := starts[r.cell-base] - 1
		starts[r.cell-base] = slot
		g.Entities[slot], g.Positions[slot], g.Radii[slot] = r.entity, r.at, r.radius
		slots[r.entity.Index] = slot
	}
	g.fillFactions(starts, end)
	for _, cell := range unordered[:count] {
		to := end
		if next := int(cell) + 1; next < len(starts) {
			to = starts[next]
		}
		g.sortCell(worker, int(starts[cell]), int(to))
	}
}

// fillFactions sets the factions of the slots of a band, which ends before slot end. The slots of one row and faction
// are contiguous.
func (g *Grid) fillFactions(starts []uint32, end uint32) {
	for run := 0; run*g.Cols < len(starts); run++ {
		to := end
		if next := (run + 1) * g.Cols; next < len(starts) {
			to = starts[next]
		}
		id := g.Present[run%len(g.Present)]
		slots := g.Factions[starts[run*g.Cols]:to]
		for i := range slots {
			slots[i] = id
		}
	}
}

// sortCell sorts the slots of a cell by entity: by insertion where the cell is small, since it is nearly sorted.
func (g *Grid) sortCell(worker, from, to int) {
	slots := g.slots.Values()
	if to-from > smallCell {
		s := g.build.cellSlots[worker]
		s.entities, s.positions, s.radii = g.Entities[from:to], g.Positions[from:to], g.Radii[from:to]
		sort.Sort(s)
		for i := from; i < to; i++ {
			slots[g.Entities[i].Index] = uint32(i)
		}
		return
	}
	for i := from + 1; i < to; i++ {
		entity, at, radius := g.Entities[i], g.Positions[i], g.Radii[i]
		j := i
		for ; j > from && entity.Less(g.Entities[j-1]); j-- {
			g.Entities[j], g.Positions[j], g.Radii[j] = g.Entities[j-1], g.Positions[j-1], g.Radii[j-1]
			slots[g.Entities[j].Index] = uint32(j)
		}
		g.Entities[j], g.Positions[j], g.Radii[j] = entity, at, radius
		slots[entity.Index] = uint32(j)
	}
}

// cellSlots sorts the slots of a cell by entity.
type cellSlots struct {
	entities  []components.Entity
	positions []components.Vec2
	radii     []float32
}

func (s *cellSlots) Len() int           { return len(s.entities) }
func (s *cellSlots) Less(i, j int) bool { return s.entities[i].Less(s.entities[j]) }
func (s *cellSlots) Swap(i, j int) {
	s.entities[i], s.entities[j] = s.entities[j], s.entities[i]
	s.positions[i], s.positions[j] = s.positions[j], s.positions[i]
	s.radii[i], s.radii[j] = s.radii[j], s.radii[i]
}
