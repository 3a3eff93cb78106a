package blackboard

import "github.com/flockwork-ai/flockwork/components"

// Source reads the facts of a block of up to 64 agents. A fact is named by its index in the list of facts of the
// program or the evaluator that asks. Bit i of a mask and element i of an array belong to the agent in lane i.
//
// A method fills the lanes of the mask. What it writes to another lane of the block must be the value of the agent in
// that lane. It gives a fact's default for an agent that lacks the component, for a float that is NaN or infinite and
// for a reference to an entity that is not alive.
//
// A source is called only when the result is needed, and at most once for each agent and tick: for the value of a fact,
// for each comparison of it with a constant, and for whether a reference is alive.
type Source interface {
	// Floats returns a lane of a Float: either the given lane, filled, or a lane of the source itself, which stays
	// unchanged until the block is done. The lane that it returns last must be valid in all lanes that were requested
	// in the block.
	Floats(fact int, mask uint64, lane *[64]float32) *[64]float32
	// Ints fills a lane with an Int, or with the clock readings of an Age in nanoseconds, 0 for never.
	Ints(fact int, mask uint64, lane *[64]int64)
	// Bools returns the lanes of the mask in which a Bool is true.
	Bools(fact int, mask uint64) uint64
	// Entities fills a lane with an EntityRef.
	Entities(fact int, mask uint64, lane *[64]components.Entity)
	// FloatsBelow returns the lanes of the mask in which a Float is less than a bound.
	FloatsBelow(fact int, mask uint64, bound float32) uint64
	// IntsBelow returns the lanes of the mask in which an Int, or the clock reading of an Age, is less than a bound.
	IntsBelow(fact int, mask uint64, bound int64) uint64
	// Alive returns the lanes of the mask in which an EntityRef refers to an entity that is alive.
	Alive(fact int, mask uint64) uint64
}
