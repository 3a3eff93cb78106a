package executor

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// Node is one compiled node. Which fields mean something depends on op.
type Node struct {
	Op             Opcode
	Latched        bool
	ClearedByAbort bool
	FollowsFacts   bool // Do: a binding is to a fact
	Channel        components.Channel
	Action         components.Action
	End            int32 // one past the last node of the subtree
	Parent         int32
	Leaf           int32 // index into leaves, or -1
	Test           int32 // Check, Guard, Do's until: index into tests, or -1
	Slot           int32 // first word of its state in the mind, or -1
	Count          int32 // Repeat, Retry: rounds; 0 is for ever. Parallel, Random…, WeightedChoice: children
	Posting        int32
	UtilityNode    int32  // UtilitySelector: index into brains
	Success        int32  // Parallel: how many must succeed
	Failure        int32  // Parallel: how many must fail
	Negate         uint64 // of the condition: all bits set if it is negated
	Micros         int64  // Cooldown, Timeout, Wait
	Span           int64  // WaitBetween: longest less shortest, else 0
	Children       []int32
	Thresholds     []uint32 // WeightedChoice: upper ends of the draws, as shares of 2^32
	Strand         Strand   // where the cursor of the strand it is in lies
}

// LeafNode is a leaf that can run.
type LeafNode struct {
	Node         int32
	Action       components.Action
	Channel      components.Channel
	Does         bool // a Do
	FollowsFacts bool
	Hooked       bool
}

// Strand says where a cursor lies in a mind: the root's, or that of one branch of a Parallel.
type Strand struct {
	Word  int32
	Shift uint8
}

// Leaf is a node that is entered and exits: a custom leaf, a Do or a Wait.
type Leaf struct {
	Node  int32
	Name  string
	Tick  func(*blackboard.Context) (success, running uint64)
	Facts []int32 // declared by Reads, as indices of Program.facts
	Keeps int32
	Enter func(components.Entity)
	Exit  func(components.Entity, EventKind)
}
