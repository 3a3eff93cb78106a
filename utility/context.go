package utility

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// Context is what an [Input] sees of a block. It is valid during the call.
type Context struct {
	Mask     uint64 // the lanes to fill
	Entities *[64]components.Entity
	Now      components.Timestamp
	Worker   int // as set in the block
	User     any // as set in the block

	s  *Scorer
	in *input
}

// fact returns the place of the i-th fact of Reads in the host's cache.
func (c *Context) fact(i int, kind blackboard.Kind) int32 {
	reads := c.in.reads
	if i < 0 || i >= len(reads) {
		panic(fmt.Sprintf("utility: input %q reads fact %d of %d that Reads declares", c.in.custom.name, i, len(reads)))
	}
	if f := &c.s.e.facts[reads[i]]; f.Kind() != kind {
		panic(fmt.Sprintf("utility: fact %q of kind %v read as %v", f.Name(), f.Kind(), kind))
	}
	return c.s.fact(reads[i])
}

// Float returns the lane of the i-th fact that was declared with Reads; it panics, as its siblings do, when there is
// none or it is of another kind, and what the lane holds outside the mask means nothing.
func (c *Context) Float(i int) *[64]float32 {
	return c.s.host.Facts.Floats(c.fact(i, blackboard.Float), c.Mask)
}

// Int returns the lane of an integer fact.
func (c *Context) Int(i int) *[64]int64 {
	return c.s.host.Facts.Ints(c.fact(i, blackboard.Int), c.Mask)
}

// Age returns the lane of an age, in nanoseconds.
func (c *Context) Age(i int) *[64]int64 {
	return c.s.host.Facts.Ages(c.fact(i, blackboard.Age), c.Mask)
}

// Bool returns the lanes of the mask in which a bool fact is true.
func (c *Context) Bool(i int) uint64 {
	return c.s.host.Facts.Bools(c.fact(i, blackboard.Bool), c.Mask) & c.Mask
}

// Entity returns the lane of an entity fact; an entity that is not alive reads as zero.
func (c *Context) Entity(i int) *[64]components.Entity {
	return c.s.host.Facts.Entities(c.fact(i, blackboard.EntityRef), c.Mask)
}
