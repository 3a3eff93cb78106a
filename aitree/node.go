package aitree

import (
	"fmt"
	"time"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/utility"
)

// Node describes one node of a tree and, with its children, a subtree. [Build] compiles it. A description may be built
// any number of times and be used in any number of trees. Build reports the faults of a node, with the path to it.
type Node struct {
	op       executor.Opcode
	label    string
	children []*Node
	weights  []float64

	count            int           // Repeat, Retry, Recovery
	duration         time.Duration // Cooldown, Every, Timeout, Wait, For; the lower bound of WaitBetween
	longest          time.Duration // the upper bound of WaitBetween
	fact             blackboard.Fact
	ofFact           bool   // WaitFact
	limited          bool   // Do: For was used
	success, failure Policy // Parallel
	condition        *Condition
	until            *Condition
	action           string
	bindings         []Binding
	leaf             LeafFunc
	reads            []blackboard.Fact
	keeps            int
	enter            func(components.Entity)
	exit             func(components.Entity, Exit)
	branchFailed     func(components.Entity, string, components.Entity)
	subtree          string
	latched          bool

	clearedByAbort, startedByCompletion bool // Cooldown
	evaluator                           *utility.Evaluator
	branches                            []string // UtilitySelector: the action of each child
	hold, remember, nextBest            bool
	backOff                             time.Duration
	faults                              []string // misused modifiers
}

// Subtree is a use of a subtree that [Build] is given with [Define]. Each use has its own state.
func Subtree(name string) *Node { return &Node{op: executor.OpSubtree, subtree: name} }

// Named gives a node a name. Errors, [LeafInfo] and [Explanation] show it.
func (n *Node) Named(label string) *Node {
	n.label = label
	return n
}

// only records a modifier of a node for which it has no meaning.
func (n *Node) only(modifier string, ok bool, ops ...executor.Opcode) *Node {
	if !ok {
		n.faults = append(n.faults, fmt.Sprintf("%s has no meaning for %v; it belongs to %v", modifier, n.op, ops))
	}
	return n
}

// Definition is a named subtree. Make it with [Define].
type Definition struct {
	name string
	root *Node
}

// Define names a subtree for [Subtree].
func Define(name string, root *Node) Definition { return Definition{name, root} }
