package executor

import (
	"math"

	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// Program is a compiled tree: a flat array of nodes and the tables that they refer to. It is immutable once it is
// built, and shared by all agents that run it and by all goroutines that tick them. Package aitree builds it.
//
// Nodes are in pre-order, so a subtree is a contiguous range and skipping one is a jump.
type Program struct {
	Name          string
	Hash          uint64 // of the name: the program's part in the keys of draws
	Nodes         []Node
	Parents       []int32 // of the nodes, side by side
	Leaves        []Leaf  // in tree order; events and hooks name a leaf by its index here
	LeafNodes     []LeafNode
	Tests         []Test
	Facts         []blackboard.Fact // that the program reads, each once; a source gets their index here
	Postings      []Posting         // of Do and Fire nodes
	Parallels     []int32
	Loops         []int32       // nodes that run without a child between two rounds
	Cooldowns     []int32       // Cooldown and Every nodes, whose deadlines count while they are idle
	UtilityNodes  []UtilityNode // in tree order
	BackingOff    []int32       // the UtilityNodes that remember failures
	OutPairs      int           // pairs of all UtilityNodes that choose the next best or back off
	WithoutCursor []int32       // nodes that the cursor of the root's strand cannot name
	Words         int           // of a mind, header included
	ActionCount   int           // one past the highest action handle; 0 if none is posted
	WideCursors   bool          // branch cursors have 16 bits, not 8
	HasDo         bool          // has Do leaves, so that its agents need an Intent
	HasHook       bool          // any leaf has an enter or an exit hook
	Custom        bool          // has custom leaves or predicates, which may ask for Block.Since
}

// Limits of what a program can hold.
const (
	MaxNodes   = math.MaxUint16 - 2 // a cursor has 16 bits and two marks
	MaxChoices = 16                 // children of a RandomSequence, RandomSelector, WeightedChoice or RoundRobin
	MaxMicros  = math.MaxInt32      // of a duration, 35 minutes: a deadline has 32 bits
	MaxWords   = 64                 // of the largest mind
)

// MindBytes returns the size of the mind that the program needs: 64, 128 or 256 bytes.
func (p *Program) MindBytes() int {
	switch {
	case p.Words <= 16:
		return 64
	case p.Words <= 32:
		return 128
	}
	return 256
}
