package executor

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
)

// custom ticks a custom leaf.
func (x *Executor) custom(n *Node, index int32, mask uint64) (success, running uint64) {
	l := &x.program.Leaves[n.Leaf]
	c := x.context(mask, l.Facts)
	c.Entering = mask &^ x.run[index]
	x.reader.stateful = true
	if l.Keeps > 0 {
		x.reader.slot, x.reader.keeps = n.Slot, l.Keeps
		for m := c.Entering; m != 0; m &= m - 1 {
			clear(x.reader.State(bitmask.Lowest(m)))
		}
	}
	success, running = l.Tick(c)
	running &= mask
	success &= mask &^ running
	x.succeeded[index] = x.succeeded[index]&^mask | success
	x.failed[index] = x.failed[index]&^mask | mask&^success&^running
	return success, running
}

// context prepares the executor's context for a call of custom code, which reads the given facts.
func (x *Executor) context(mask uint64, facts []int32) *blackboard.Context {
	b := x.block
	entities := &b.Entities
	if b.Columns != nil {
		entities = x.entityLane()
	}
	x.reader = reader{x: x, facts: facts}
	x.ctx = blackboard.Context{
		Mask: mask, Entities: entities, Since: &b.Since, Now: b.Now, Worker: b.Worker, User: b.User, Reader: &x.reader,
	}
	return &x.ctx
}

// reader serves the facts and the state of custom code. It implements [blackboard.Reader].
type reader struct {
	x           *Executor
	facts       []int32 // declared with Reads, as indices of Program.Facts
	slot, keeps int32   // the leaf's words
	stateful    bool    // the custom code is a leaf
}

// Float returns the lane of a float fact.
func (r *reader) Float(i int) *[64]float32 {
	return r.x.facts.Floats(r.fact(i, blackboard.Float), r.x.ctx.Mask)
}

// Int returns the lane of an integer fact.
func (r *reader) Int(i int) *[64]int64 {
	return r.x.facts.Ints(r.fact(i, blackboard.Int), r.x.ctx.Mask)
}

// Age returns the lane of an age in nanoseconds.
func (r *reader) Age(i int) *[64]int64 {
	return r.x.facts.Ages(r.fact(i, blackboard.Age), r.x.ctx.Mask)
}

// Bool returns the lanes of the mask in which a bool fact is true.
func (r *reader) Bool(i int) uint64 {
	return r.x.facts.Bools(r.fact(i, blackboard.Bool), r.x.ctx.Mask) & r.x.ctx.Mask
}

// Entity returns the lane of an entity fact.
func (r *reader) Entity(i int) *[64]components.Entity {
	return r.x.facts.Entities(r.fact(i, blackboard.EntityRef), r.x.ctx.Mask)
}

// State returns the leaf's words in the mind of a lane.
func (r *reader) State(lane int) []uint32 {
	if !r.stateful {
		panic("aitree: State of a predicate, which keeps none; use a custom leaf with Keeps")
	}
	return r.x.mind(lane)[r.slot : r.slot+r.keeps : r.slot+r.keeps]
}

// fact returns the i-th declared fact as an index of Program.Facts.
func (r *reader) fact(i int, kind blackboard.Kind) int32 {
	if uint(i) >= uint(len(r.facts)) || r.x.program.Facts[r.facts[i]].Kind() != kind {
		r.refuse(i, kind)
	}
	return r.facts[i]
}

// refuse panics about a fact that was not declared or is of another kind.
//
//go:noinline
func (r *reader) refuse(i int, kind blackboard.Kind) {
	if i < 0 || i >= len(r.facts) {
		panic(fmt.Sprintf("aitree: fact %d read as %v; Reads declares %d facts, the first is 0", i, kind, len(r.facts)))
	}
	f := r.x.program.Facts[r.facts[i]]
	panic(fmt.Sprintf("aitree: fact %q of kind %v read as %v", f.Name(), f.Kind(), kind))
}
