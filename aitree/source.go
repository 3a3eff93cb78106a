package aitree

import "github.com/flockwork-ai/flockwork/utility"

// Source fills lanes with the facts of a block's agents. Facts are named by their index in
// [Program.Facts]. The lanes of the mask must be filled; what is written to another lane of the block must be
// that agent's value too.
//
// A source gives a fact's default for an agent that lacks the component, for a float that is NaN or infinite and
// for a reference to an entity that is not alive. It is asked only when a node that is ticked needs the answer, and
// for each agent and tick at most once: for a fact, for each comparison of it with a constant, for whether a reference
// is alive.
type Source interface {
	utility.Source
	// FloatsBelow returns the lanes of the mask in which a Float is less than a bound.
	FloatsBelow(fact int, mask uint64, bound float32) uint64
	// IntsBelow returns those in which an Int, or the reading of an Age, is less than a bound.
	IntsBelow(fact int, mask uint64, bound int64) uint64
}

// Lanes is a [Source] that a caller fills by hand: for tests of one mind, and for programs without a world.
type Lanes = utility.Lanes

// NewLanes returns lanes for the facts of a program; every lane starts with their defaults.
func NewLanes(p *Program) *Lanes { return utility.NewLanes(p.facts) }
