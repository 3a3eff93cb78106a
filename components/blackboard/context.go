package blackboard

import "github.com/flockwork-ai/flockwork/components"

// Context is what custom code (a leaf, a predicate, an input of an evaluator) sees of a block of up to 64 agents. Bit i
// of a mask and element i of an array belong to the agent in lane i. It is valid during the call.
type Context struct {
	Mask     uint64                 // the lanes to tick, to test or to fill
	Entering uint64                 // of a leaf: the lanes of Mask in which it did not run before this tick
	Entities *[64]components.Entity // the agents
	Since    *[64]int64             // nanoseconds since each agent's last decision; nil for an input of an evaluator
	Now      components.Timestamp   // the clock that all lanes share
	Worker   int                    // the number of the worker that serves the block
	User     any                    // what the host put into the block; the AI system puts the worker's command queue there
	Reader                          // the facts that the custom code declared
}

// Reader reads the facts that custom code declared with Reads, by their position in that list. What a lane holds outside
// of [Context.Mask] has no meaning. A test of custom code may bring a Reader of its own.
//
// Its methods panic when no fact was declared at a position, and when it is of another kind.
type Reader interface {
	// Float returns the lane of a float fact.
	Float(i int) *[64]float32
	// Int returns the lane of an integer fact.
	Int(i int) *[64]int64
	// Age returns the lane of an age in nanoseconds.
	Age(i int) *[64]int64
	// Bool returns the lanes of the mask in which a bool fact is true.
	Bool(i int) uint64
	// Entity returns the lane of an entity fact. A reference to an entity that is not alive reads as zero.
	Entity(i int) *[64]components.Entity
	// State returns a leaf's words in the mind of a lane, as many as it asked for with Keeps. They are zero when the leaf
	// is entered. It panics for predicates and inputs, which keep no state.
	State(lane int) []uint32
}
