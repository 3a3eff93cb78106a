package blackboard

import "github.com/flockwork-ai/flockwork/components"

// Source fills lanes with the facts of a block's agents. Facts are named by their index in the list of facts that a program or an
// evaluator reads. The lanes
// of the mask must be filled; what is written to another lane of the block must be that agent's value too.
//
// A source gives a fact's default for an agent that lacks the component, for a float that is NaN or infinite and
// for a reference to an entity that is not alive. It is asked only when the answer is needed, and for
// each agent and tick at most once: for a fact, for each comparison of it with a constant, for whether a reference is
// alive.
type Source interface {
	// Floats returns a lane with a Float: the one it is given, filled, or one of its own, which it leaves as it is
	// until the block is done. All lanes it was asked for in the block must be right in what it returns last.
	Floats(fact int, mask uint64, lane *[64]float32) *[64]float32
	// Ints fills a lane with an Int, or with the readings of an Age as nanoseconds of the clock, 0 for never.
	Ints(fact int, mask uint64, lane *[64]int64)
	// Bools returns the lanes in which a Bool is true.
	Bools(fact int, mask uint64) uint64
	// Entities fills a lane with an EntityRef.
	Entities(fact int, mask uint64, lane *[64]components.Entity)
	// FloatsBelow returns the lanes of the mask in which a Float is less than a bound.
	FloatsBelow(fact int, mask uint64, bound float32) uint64
	// IntsBelow returns those in which an Int, or the reading of an Age, is less than a bound.
	IntsBelow(fact int, mask uint64, bound int64) uint64
	// Alive returns the lanes in which an EntityRef refers to an entity that is alive.
	Alive(fact int, mask uint64) uint64
}
