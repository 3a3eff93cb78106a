package aitree

import (
	"fmt"
	"time"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/utility"
)

// Node describes one node of a tree and, with its children, a subtree. It is a description only:
// [Build] compiles it, and a description may be built any number of times and stand in any number of
// trees. Faults in it are reported by Build, with the path to the node.
type Node struct {
	op       executor.Opcode
	label    string
	children []*Node
	weights  []float64

	count            int           // Repeat, Retry
	duration         time.Duration // Cooldown, Timeout, Wait; the lower bound of WaitBetween
	longest          time.Duration // the upper bound of WaitBetween
	success, failure Policy        // Parallel
	condition        *Condition
	until            *Condition
	action           string
	bindings         []Binding
	leaf             LeafFunc
	reads            []blackboard.Fact
	keeps            int
	enter            func(components.Entity)
	exit             func(components.Entity, Exit)
	subtree          string
	latched          bool
	clearedByAbort   bool
	evaluator        *utility.Evaluator
	branches         []string // UtilitySelector: the children's actions
	hold, remember   bool
	faults           []string // what the modifiers were misused for
}

// Subtree stands for a subtree of the given name, which [Build] is given with [Define]. Each use has
// its own state.
func Subtree(name string) *Node { return &Node{op: executor.OpSubtree, subtree: name} }

// Named gives a node a name, which reports and errors show.
func (n *Node) Named(label string) *Node {
	n.label = label
	return n
}

// only records a modifier that stands on a node it has no meaning for.
func (n *Node) only(modifier string, ok bool, ops ...executor.Opcode) *Node {
	if !ok {
		n.faults = append(n.faults, fmt.Sprintf("%s has no meaning for %v; it belongs to %v", modifier, n.op, ops))
	}
	return n
}

// Definition is a named subtree.
type Definition struct {
	name string
	root *Node
}

// Define names a subtree for [Subtree].
func Define(name string, root *Node) Definition { return Definition{name, root} }
