package aitree

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// LeafFunc ticks a custom leaf for the lanes of the context's mask and returns those in which it
// succeeded and those in which it still runs; in the rest it failed. It may be called from several goroutines at once,
// for different agents. It may read the world and queue commands, never write a fact. Of the world it may not read what
// the AI writes meanwhile: the Intent, Triggers and mind of another agent.
type LeafFunc func(c *Context) (success, running uint64)

// Context is what a custom leaf or a predicate sees of a block. It is valid during the call.
type Context struct {
	Mask     uint64 // the lanes to tick or to test
	Entering uint64 // of a leaf: those of Mask in which it did not run before
	Entities *[64]components.Entity
	Since    *[64]int64 // nanoseconds since the agent's last decision
	Now      components.Timestamp
	Worker   int // as set in the Block
	User     any // as set in the Block

	x     *Executor
	facts []int32
	slot  int32
	keeps int32
}

// fact returns the i-th fact of Reads as an index of Program.facts.
func (c *Context) fact(i int, kind blackboard.Kind) int32 {
	if uint(i) >= uint(len(c.facts)) || c.x.program.facts[c.facts[i]].Kind() != kind {
		c.refuse(i, kind)
	}
	return c.facts[i]
}

// refuse panics about a fact that is not there or is of another kind.
//
//go:noinline
func (c *Context) refuse(i int, kind blackboard.Kind) {
	if i < 0 || i >= len(c.facts) {
		panic(fmt.Sprintf("aitree: fact %d read as %v; Reads declares %d facts, the first is 0", i, kind, len(c.facts)))
	}
	f := c.x.program.facts[c.facts[i]]
	panic(fmt.Sprintf("aitree: fact %q of kind %v read as %v", f.Name(), f.Kind(), kind))
}

// Float returns the lane of the i-th fact that was declared with Reads; it panics, as its siblings do, when there is
// none or it is of another kind, and what the lane holds outside the mask means nothing.
func (c *Context) Float(i int) *[64]float32 {
	return c.x.facts.Floats(c.fact(i, blackboard.Float), c.Mask)
}

// Int returns the lane of an integer fact.
func (c *Context) Int(i int) *[64]int64 {
	return c.x.facts.Ints(c.fact(i, blackboard.Int), c.Mask)
}

// Age returns the lane of an age, in nanoseconds.
func (c *Context) Age(i int) *[64]int64 {
	return c.x.facts.Ages(c.fact(i, blackboard.Age), c.Mask)
}

// Bool returns the lanes of the mask in which a bool fact is true.
func (c *Context) Bool(i int) uint64 {
	return c.x.facts.Bools(c.fact(i, blackboard.Bool), c.Mask) & c.Mask
}

// Entity returns the lane of an entity fact; an entity that is not alive reads as zero.
func (c *Context) Entity(i int) *[64]components.Entity {
	return c.x.facts.Entities(c.fact(i, blackboard.EntityRef), c.Mask)
}

// State returns the leaf's own words in the mind of a lane, as many as it asked for with Keeps.
func (c *Context) State(lane int) []uint32 {
	return c.x.mind(lane)[c.slot : c.slot+c.keeps : c.slot+c.keeps]
}

// Agent is one agent of a block, as an [AgentLeaf] sees it. It is valid during the call.
type Agent struct {
	Lane int
	c    *Context
}

// Context returns the block the agent is ticked in.
func (a *Agent) Context() *Context { return a.c }

// Entity returns who it is.
func (a *Agent) Entity() components.Entity { return a.c.Entities[a.Lane] }

// Entering reports whether the leaf did not run before this tick.
func (a *Agent) Entering() bool { return a.c.Entering>>a.Lane&1 != 0 }

// Now returns the clock.
func (a *Agent) Now() components.Timestamp { return a.c.Now }

// Since returns the nanoseconds since the agent's last decision.
func (a *Agent) Since() int64 { return a.c.Since[a.Lane] }

// Float returns the i-th fact that was declared with Reads.
func (a *Agent) Float(i int) float32 { return a.c.Float(i)[a.Lane] }

// Int returns an integer fact.
func (a *Agent) Int(i int) int64 { return a.c.Int(i)[a.Lane] }

// Age returns an age, in nanoseconds.
func (a *Agent) Age(i int) int64 { return a.c.Age(i)[a.Lane] }

// Bool returns a bool fact.
func (a *Agent) Bool(i int) bool { return a.c.Bool(i)>>a.Lane&1 != 0 }

// EntityFact returns an entity fact.
func (a *Agent) EntityFact(i int) components.Entity { return a.c.Entity(i)[a.Lane] }

// State returns the leaf's own words in the mind.
func (a *Agent) State() []uint32 { return a.c.State(a.Lane) }

// tickAgents ticks a leaf agent by agent.
func tickAgents(c *Context, tick func(*Agent) Status) (success, running uint64) {
	a := &c.x.agent
	a.c = c
	for m := c.Mask; m != 0; m &= m - 1 {
		a.Lane = lowest(m)
		switch tick(a) {
		case Success:
			success |= 1 << a.Lane
		case Running:
			running |= 1 << a.Lane
		}
	}
	return success, running
}

// context readies the executor's context for a call.
func (x *Executor) context(mask uint64, facts []int32) *Context {
	b := x.block
	entities := &b.Entities
	if b.Columns != nil {
		entities = x.entityLane()
	}
	x.ctx = Context{
		Mask: mask, Entities: entities, Since: &b.Since, Now: b.Now, Worker: b.Worker, User: b.User,
		x: x, facts: facts,
	}
	return &x.ctx
}

func (x *Executor) custom(n *node, index int32, mask uint64) (success, running uint64) {
	l := &x.program.leaves[n.leaf]
	c := x.context(mask, l.facts)
	c.Entering = mask &^ x.run[index]
	if l.keeps > 0 {
		c.slot, c.keeps = n.slot, l.keeps
		for m := c.Entering; m != 0; m &= m - 1 {
			clear(c.State(lowest(m)))
		}
	}
	success, running = l.tick(c)
	running &= mask
	success &= mask &^ running
	x.succeeded[index] |= success
	x.failed[index] |= mask &^ success &^ running
	return success, running
}
