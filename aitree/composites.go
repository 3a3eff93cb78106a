package aitree

import "github.com/flockwork-ai/flockwork/internal/executor"

// Sequence ticks its children in order while they succeed. It has memory: the next tick resumes at the
// running child.
func Sequence(children ...*Node) *Node { return &Node{op: executor.OpSequence, children: children} }

// Selector ticks its children in order while they fail. It has memory: the next tick resumes at the
// running child.
func Selector(children ...*Node) *Node { return &Node{op: executor.OpSelector, children: children} }

// ReactiveSequence is a [Sequence] that starts from its first child on every tick and resets a running
// child that is no longer reached.
func ReactiveSequence(children ...*Node) *Node {
	return &Node{op: executor.OpReactiveSequence, children: children}
}

// ReactiveSelector is a [Selector] that starts from its first child on every tick: an earlier child
// that no longer fails takes over, and the running one is reset.
func ReactiveSelector(children ...*Node) *Node {
	return &Node{op: executor.OpReactiveSelector, children: children}
}

// Parallel ticks every child on every tick. It fails when its failure policy is met, else succeeds
// when its success policy is met, and fails when all children are done and neither is. Children that still
// run then are reset.
func Parallel(success, failure Policy, children ...*Node) *Node {
	return &Node{op: executor.OpParallel, success: success, failure: failure, children: children}
}

// Latched makes a [Parallel] keep the result of a child that completed until the Parallel resolves,
// instead of ticking it again.
func (n *Node) Latched() *Node {
	n.latched = true
	return n.only("Latched", n.op == executor.OpParallel, executor.OpParallel)
}

// Policy says how many children of a [Parallel] must agree.
type Policy struct{ n int }

// The usual policies.
var (
	One = Policy{1}
	All = Policy{-1}
)

// AtLeast is the policy that is met by n children or more.
func AtLeast(n int) Policy {
	if n < 1 {
		return Policy{-2} // refused by Build: the zero and the negative values are taken
	}
	return Policy{n}
}

// RandomSequence is a [Sequence] in an order that is drawn anew for each agent and entry. It has at
// most 16 children.
func RandomSequence(children ...*Node) *Node {
	return &Node{op: executor.OpRandomSequence, children: children}
}

// RandomSelector is a [Selector] in an order that is drawn anew for each agent and entry. It has at
// most 16 children.
func RandomSelector(children ...*Node) *Node {
	return &Node{op: executor.OpRandomSelector, children: children}
}

// WeightedChoice draws one of its children by weight on entry and ticks it to the end; the child's
// result is its own. It has at most 16 choices; weights are at least 0 and not all 0.
func WeightedChoice(choices ...Choice) *Node {
	n := &Node{op: executor.OpWeightedChoice}
	for _, c := range choices {
		n.children = append(n.children, c.child)
		n.weights = append(n.weights, c.weight)
	}
	return n
}

// Choice is one child of a [WeightedChoice].
type Choice struct {
	weight float64
	child  *Node
}

// Weight gives a child of a [WeightedChoice] its share of the draws.
func Weight(weight float64, child *Node) Choice { return Choice{weight, child} }
