package aitree

import (
	"math/bits"
	"time"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// AgentLeaf is a custom leaf that ticks one agent at a time. It is simpler than [Leaf], and slower. The function may be
// called from several goroutines at once, for different agents.
func AgentLeaf(name string, tick func(Agent) Status) *Node {
	if tick == nil {
		return Leaf(name, nil)
	}
	return Leaf(name, func(c *blackboard.Context) (success, running uint64) { return tickAgents(c, tick) })
}

// Agent is one agent of a block, as an [AgentLeaf] sees it. It is valid during the call. The facts that it reads are
// those that the leaf declared with [Node.Reads], by their position there; its readers panic when no fact was declared
// at a position, and when the fact is of another kind.
type Agent struct {
	Lane    int // of the agent in its block, 0 to 63
	context *blackboard.Context
}

// tickAgents ticks a leaf agent by agent.
func tickAgents(c *blackboard.Context, tick func(Agent) Status) (success, running uint64) {
	for m := c.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros64(m)
		switch tick(Agent{lane, c}) {
		case Success:
			success |= 1 << lane
		case Running:
			running |= 1 << lane
		}
	}
	return success, running
}

// Context returns the context of the block in which the agent is ticked.
func (a Agent) Context() *blackboard.Context { return a.context }

// Entity returns the agent's entity.
func (a Agent) Entity() components.Entity { return a.context.Entities[a.Lane] }

// Entering reports whether the leaf did not run before this tick.
func (a Agent) Entering() bool { return a.context.Entering>>a.Lane&1 != 0 }

// Now returns the clock.
func (a Agent) Now() components.Timestamp { return a.context.Now }

// Since returns the time since the agent's last decision.
func (a Agent) Since() time.Duration { return time.Duration(a.context.Since[a.Lane]) }

// Float returns a float fact.
func (a Agent) Float(i int) float32 { return a.context.Float(i)[a.Lane] }

// Int returns an integer fact.
func (a Agent) Int(i int) int64 { return a.context.Int(i)[a.Lane] }

// Age returns an age.
func (a Agent) Age(i int) time.Duration { return time.Duration(a.context.Age(i)[a.Lane]) }

// Bool returns a bool fact.
func (a Agent) Bool(i int) bool { return a.context.Bool(i)>>a.Lane&1 != 0 }

// EntityFact returns an entity fact; a reference to an entity that is not alive reads as zero.
func (a Agent) EntityFact(i int) components.Entity { return a.context.Entity(i)[a.Lane] }

// State returns the leaf's words in the agent's mind, as many as it asked for with [Node.Keeps]. They are zero when the
// leaf is entered.
func (a Agent) State() []uint32 { return a.context.State(a.Lane) }
