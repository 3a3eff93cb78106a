package aitree

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// node is one compiled node. Which fields mean something depends on op.
type node struct {
	op             opcode
	latched        bool
	clearedByAbort bool
	followsFacts   bool // Do: a binding is to a fact
	channel        components.Channel
	action         components.Action
	end            int32 // one past the last node of the subtree
	parent         int32
	leaf           int32 // index into leaves, or -1
	test           int32 // Check, Guard, Do's until: index into tests, or -1
	slot           int32 // first word of its state in the mind, or -1
	count          int32 // Repeat, Retry: rounds; 0 is for ever. Parallel, Random…, WeightedChoice: children
	posting        int32
	utilityNode    int32  // UtilitySelector: index into brains
	success        int32  // Parallel: how many must succeed
	failure        int32  // Parallel: how many must fail
	negate         uint64 // of the condition: all bits set if it is negated
	micros         int64  // Cooldown, Timeout, Wait
	span           int64  // WaitBetween: longest less shortest, else 0
	children       []int32
	thresholds     []uint32 // WeightedChoice: upper ends of the draws, as shares of 2^32
	strand         strand   // where the cursor of the strand it is in lies
}

// leafNode is a leaf that can run.
type leafNode struct {
	node         int32
	action       components.Action
	channel      components.Channel
	does         bool // a Do
	followsFacts bool
	hooked       bool
}

// strand says where a cursor lies in a mind: the root's, or that of one branch of a Parallel.
type strand struct {
	word  int32
	shift uint8
}

// leaf is a node that is entered and exits: a custom leaf, a Do or a Wait.
type leaf struct {
	Node  int32
	Name  string
	tick  func(*blackboard.Context) (success, running uint64)
	facts []int32 // declared by Reads, as indices of Program.facts
	keeps int32
	enter func(components.Entity)
	exit  func(components.Entity, EventKind)
}
