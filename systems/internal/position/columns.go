// Package position finds where agents are: in their Transform or, for those that have none, in the fields that the
// host has named.
package position

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/gather"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// Columns are the columns of agents together with their transforms. A chunk without positions is left out, unless
// positions are optional. Make them with [NewColumns]; they are opened and closed like ecs.Columns.
type Columns struct {
	columns  *gather.FactColumns
	gather   *gather.Gather
	optional bool
	term     int     // of the Transform
	facts    int     // of the host's position; 0: there is none
	index    []int32 // 0, 1, … facts-1

	chunks     []ecs.Chunk
	transforms [][]components.Transform // by chunk
	converted  []components.Transform   // of agents without a Transform
	spans      []ecs.Span
	rows       int
}

// NewColumns returns columns with the terms. Agents without a position are among them only if optional.
func NewColumns(w *arche.World, optional bool, terms ...ecs.Term) *Columns {
	c := &Columns{optional: optional, term: len(terms)}
	transform := ecs.Need[components.Transform]()
	facts := factsOf(w)
	if c.facts = len(facts); c.facts > 0 {
		c.gather = gather.NewGather()
	}
	if optional || c.facts > 0 {
		transform = ecs.Optional[components.Transform]()
	}
	for i := range facts {
		c.index = append(c.index, int32(i))
	}
	c.columns = gather.NewFactColumns(w, facts, append(terms[:len(terms):len(terms)], transform)...)
	return c
}

// factsOf returns the facts of the host's position: none, the position, or the position and the heading.
func factsOf(w *arche.World) []blackboard.Fact {
	host := ecs.FindResource[frame.HostPosition](w)
	switch {
	case host == nil:
		return nil
	case host.HasHeading():
		return []blackboard.Fact{host.X, host.Y, host.HeadingX, host.HeadingY}
	}
	return []blackboard.Fact{host.X, host.Y}
}

// Open opens the columns and finds the transforms of their rows.
func (c *Columns) Open() []ecs.Chunk {
	all := c.columns.Open()
	convert := 0
	for i := range all {
		if c.hasHost(&all[i]) {
			convert += all[i].Len()
		}
	}
	if cap(c.converted) < convert {
		c.converted = make([]components.Transform, 0, convert+convert/4)
	}
	c.converted = c.converted[:0]
	for i := range all {
		chunk := &all[i]
		transforms := ecs.Column[components.Transform](chunk, c.term)
		switch {
		case c.hasHost(chunk):
			transforms = c.convert(i, chunk.Len())
		case transforms == nil && !c.optional:
			continue
		}
		c.chunks = append(c.chunks, *chunk)
		c.transforms = append(c.transforms, transforms)
		c.rows += chunk.Len()
	}
	return c.chunks
}

// hasHost reports whether the positions of a chunk are in the host's components.
func (c *Columns) hasHost(chunk *ecs.Chunk) bool {
	return c.facts > 0 && !chunk.Has(c.term) && c.columns.HasFact(chunk, 0) && c.columns.HasFact(chunk, 1)
}

// convert reads the positions of the chunk with an index.
func (c *Columns) convert(index, rows int) []components.Transform {
	start := len(c.converted)
	var lanes [4][64]float32
	for first := 0; first < rows; first += 64 {
		n := min(64, rows-first)
		c.gather.SetRange(c.columns, c.index, blackboard.Row{Chunk: int32(index), Row: int32(first)}, n)
		for k := range c.facts {
			// Copied, since a lane of the gather itself may be overwritten by the next fact.
			lanes[k] = *c.gather.Floats(k, ^uint64(0)>>(64-n), &lanes[k])
		}
		for i := range n {
			c.converted = append(c.converted, transform(lanes[0][i], lanes[1][i], lanes[2][i], lanes[3][i]))
		}
	}
	c.gather.Clear()
	return c.converted[start:len(c.converted):len(c.converted)]
}

// transform returns the transform of a position and a heading of any length.
func transform(x, y, headingX, headingY float32) components.Transform {
	t := components.Transform{Position: components.Vec2{X: x, Y: y}, Heading: components.Vec2{X: 1}}
	if direction, length := vec.Direction(components.Vec2{X: headingX, Y: headingY}); length > 0 {
		t.Heading = direction
	}
	return t
}

// Transforms returns the transforms of a chunk of the open columns, or nil if its agents have no position. What is
// written to them is lost where the agents have no Transform.
func (c *Columns) Transforms(chunk int) []components.Transform { return c.transforms[chunk] }

// Len returns the number of rows of the open columns.
func (c *Columns) Len() int { return c.rows }

// Spans divides the open chunks into ranges of at most the given number of rows. See ecs.Columns.Spans.
func (c *Columns) Spans(rows int) []ecs.Span {
	c.spans = c.spans[:0]
	for i := range c.chunks {
		for start, n := 0, c.chunks[i].Len(); start < n; start += rows {
			c.spans = append(c.spans, ecs.Span{Chunk: i, Start: start, End: min(start+rows, n)})
		}
	}
	return c.spans
}

// Close closes the columns.
func (c *Columns) Close() {
	clear(c.chunks)
	clear(c.transforms)
	c.chunks, c.transforms, c.spans, c.rows = c.chunks[:0], c.transforms[:0], c.spans[:0], 0
	c.columns.Close()
}

// Release releases the columns; see ecs.Columns.Release.
func (c *Columns) Release() { c.columns.Release() }
