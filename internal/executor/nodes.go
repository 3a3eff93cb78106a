package executor

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// Node is one compiled node. The opcode says which fields have a meaning.
type Node struct {
	Op                  Opcode
	Latched             bool
	ClearedByAbort      bool
	StartedByCompletion bool // Cooldown: failure starts it too
	FollowsFacts        bool // Do: a binding is to a fact
	Limited             bool // Do: it ends after Micros
	Channel             components.Channel
	Action              components.Action
	End                 int32 // one past the last node of the subtree
	Parent              int32
	Leaf                int32   // index of Program.Leaves, or -1
	Slot                int32   // first word of its state in the mind, or -1
	Count               int32   // Repeat, Retry, Recovery: rounds; 0 is without end. Composites: children
	Fact                int32   // Wait: its duration in seconds, as an index of Program.Facts, or -1
	Posting             int32   // Do, Fire: index of Program.Postings, or -1
	UtilityNode         int32   // UtilitySelector: index of Program.UtilityNodes
	Success             int32   // Parallel: how many must succeed
	Failure             int32   // Parallel: how many must fail
	Condition           Operand // Check, Guard, Do's Until
	Micros              int64   // Cooldown, Every, Timeout, Wait, Do's For
	Span                int64   // WaitBetween: longest minus shortest, else 0
	Children            []int32
	Thresholds          []uint32 // WeightedChoice: upper ends of the draws, as shares of 2^32
	Strand              Strand   // that the node is in
}

// LeafNode is what the end of a tick needs to know of a leaf that can run. LeafNodes are side by side in memory.
type LeafNode struct {
	Node         int32
	Action       components.Action
	Channel      components.Channel
	IsDo         bool // a Do
	FollowsFacts bool
	HasHook      bool
}

// Strand says where a cursor is in a mind: the root's, or the cursor of one branch of a Parallel.
type Strand struct {
	Word  int32
	Shift uint8
}

// Leaf is a node that is entered and exits: a custom leaf, a Do, a Wait or a Run.
type Leaf struct {
	Node  int32
	Name  string
	Tick  func(*blackboard.Context) (success, running uint64)
	Facts []int32 // declared by Reads, as indices of Program.Facts
	Keeps int32
	Enter func(components.Entity)
	Exit  func(components.Entity, EventKind)
}
