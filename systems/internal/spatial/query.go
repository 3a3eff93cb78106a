package spatial

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// IndexBound returns one more than the largest entity index that the grid has held: the length of a table by entity
// index.
func (g *Grid) IndexBound() int { return g.slots.Len() }

// Find returns the slot of an entity, and whether it has one.
func (g *Grid) Find(e components.Entity) (slot int, ok bool) {
	slot = int(g.slots.Get(e))
	return slot, slot < len(g.Entities) && g.Entities[slot] == e
}

// Span is a range of slots, End excluded.
type Span struct{ Start, End int }

// Near appends the slots around a point to spans: of all factions, in the cells that the square of ±radius metres
// around it touches. Every entity within the radius is among them, and others too: compare distances. The order is the
// same in every run. A point that is not finite and a negative radius have no slots.
func (g *Grid) Near(spans []Span, at components.Vec2, radius float32) []Span {
	for index := range g.Present {
		spans = g.appendNear(spans, index, at, radius)
	}
	return spans
}

// NearFaction is [Grid.Near] for one faction.
func (g *Grid) NearFaction(spans []Span, faction uint8, at components.Vec2, radius float32) []Span {
	if index, ok := g.FactionIndex(faction); ok {
		return g.appendNear(spans, index, at, radius)
	}
	return spans
}

// appendNear is Near for the faction of an index.
func (g *Grid) appendNear(spans []Span, index int, at components.Vec2, radius float32) []Span {
	if !vec.FiniteVec(at) || !(radius >= 0) {
		return spans
	}
	reach := PaddedRadius(radius)
	left, right := g.Col(at.X-reach), g.Col(at.X+reach)
	for row := g.Row(at.Y - reach); row <= g.Row(at.Y+reach); row++ {
		if start, end := g.RowSlots(row, index, left, right); start < end {
			spans = append(spans, Span{start, end})
		}
	}
	return spans
}

// FactionIndex returns the index of a faction in Present, and whether it is present.
func (g *Grid) FactionIndex(faction uint8) (index int, ok bool) {
	index = int(g.factionIndex[faction])
	return index, index < len(g.Present) && g.Present[index] == faction
}

// RowSlots returns the slots of a faction, by its index in Present, in a row of cells from column left to column right,
// both included.
func (g *Grid) RowSlots(row, index, left, right int) (start, end int) {
	at := (row*len(g.Present) + index) * g.Cols
	return int(g.Starts[at+left]), int(g.Starts[at+right+1])
}

// SlotsOfRows returns the slots of all factions in the rows of cells from first to before end.
func (g *Grid) SlotsOfRows(first, end int) (start, stop int) {
	rowCells := len(g.Present) * g.Cols
	return int(g.Starts[first*rowCells]), int(g.Starts[end*rowCells])
}

// CountCells counts the entities of a faction, by its index in Present, in a block of cells; the edges are included.
func (g *Grid) CountCells(index, first, last, left, right int) int {
	n := uint32(0)
	stride := len(g.Present) * g.Cols
	from := first*stride + index*g.Cols + left
	width := right + 1 - left
	for range last + 1 - first {
		starts := g.Starts[from : from+width+1]
		n += starts[width] - starts[0]
		from += stride
	}
	return int(n)
}

// PaddedRadius adds a margin to a radius in metres that exceeds the rounding error of coordinates up to 131,072 metres
// from the origin: a point that a float32 comparison finds within the radius is within the padded radius.
func PaddedRadius(radius float32) float32 {
	return radius + float32(radius*(1.0/65536)) + 1.0/64
}
