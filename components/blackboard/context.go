package blackboard

import "github.com/flockwork-ai/flockwork/components"

// Context is what custom code sees of a block of up to 64 agents: a leaf or a predicate of a tree, an input of an
// evaluator. Bit i of a mask and element i of an array belong to the agent in lane i. A context is valid during the
// call.
type Context struct {
	Mask     uint64                 // the lanes to tick, to test or to fill
	Entering uint64                 // of a leaf: the lanes of Mask in which it did not run before this tick
	Entities *[64]components.Entity // the agents
	Since    *[64]int64             // nanoseconds since each agent's last decision; nil for an input of an evaluator
	Now      components.Timestamp   // the clock that all lanes share
	Worker   int                    // number of the worker that serves the block
	User     any                    // set by the caller; the AI system passes the worker's command queue
	Reader                          // reads the facts that the custom code declared
}

// Reader reads the facts that custom code declared with Reads, by their position in that list. Lanes that are not in
// [Context.Mask] have no meaning. A test of custom code may implement a Reader itself.
//
// The methods panic when no fact was declared at a position and when the fact is of another kind.
type Reader interface {
	// Float returns a Float of each lane.
	Float(i int) *[64]float32
	// Int returns an Int of each lane.
	Int(i int) *[64]int64
	// Age returns an Age of each lane in nanoseconds; [NeverAge] for never.
	Age(i int) *[64]int64
	// Bool returns the lanes of the mask in which a Bool is true.
	Bool(i int) uint64
	// Entity returns an EntityRef of each lane. A reference to an entity that is not alive reads as zero.
	Entity(i int) *[64]components.Entity
	// State returns a leaf's words in the mind of a lane, as many as it asked for with Keeps. They are zero when the
	// leaf is entered. It panics for predicates and inputs, which keep no state.
	State(lane int) []uint32
}
