package aitree

import "github.com/flockwork-ai/flockwork/internal/executor"

// Sequence ticks its children in order while they succeed. It fails when a child fails, and succeeds after the last. It
// has memory: the next tick resumes at the running child.
func Sequence(children ...*Node) *Node { return &Node{op: executor.OpSequence, children: children} }

// Selector ticks its children in order while they fail. It succeeds when a child succeeds, and fails after the last. It
// has memory: the next tick resumes at the running child.
func Selector(children ...*Node) *Node { return &Node{op: executor.OpSelector, children: children} }

// ReactiveSequence is a [Sequence] that starts from its first child on every tick. It resets a running child that is no
// longer reached.
func ReactiveSequence(children ...*Node) *Node {
	return &Node{op: executor.OpReactiveSequence, children: children}
}

// ReactiveSelector is a [Selector] that starts from its first child on every tick. When an earlier child no longer
// fails, it takes over, and the running child is reset.
func ReactiveSelector(children ...*Node) *Node {
	return &Node{op: executor.OpReactiveSelector, children: children}
}

// Parallel ticks every child on every tick: a child that has completed begins again on the next tick, unless the node
// is [Node.Latched]. It fails when its failure policy is met, else it succeeds when its success policy is met. It fails
// when all children are done and neither policy is met. Children that still run when it completes are reset.
func Parallel(success, failure Policy, children ...*Node) *Node {
	return &Node{op: executor.OpParallel, success: success, failure: failure, children: children}
}

// Latched makes a [Parallel] keep the result of a child that completed until the Parallel completes, instead of ticking
// the child again.
func (n *Node) Latched() *Node {
	n.latched = true
	return n.only("Latched", n.op == executor.OpParallel, executor.OpParallel)
}

// Policy says how many children of a [Parallel] must have a result. It is [One], [All] or [AtLeast]; the zero value is
// refused by [Build].
type Policy struct{ n int }

// The usual policies.
var (
	One = Policy{1}  // one child or more
	All = Policy{-1} // all children
)

// AtLeast is the policy of n children or more. [Build] refuses an n below 1 or above the number of children.
func AtLeast(n int) Policy {
	if n < 1 {
		return Policy{-2} // which Build refuses
	}
	return Policy{n}
}

// RandomSequence is a [Sequence] in an order that is drawn for each agent and entry. It has 1 to 16 children.
func RandomSequence(children ...*Node) *Node {
	return &Node{op: executor.OpRandomSequence, children: children}
}

// RandomSelector is a [Selector] in an order that is drawn for each agent and entry. It has 1 to 16 children.
func RandomSelector(children ...*Node) *Node {
	return &Node{op: executor.OpRandomSelector, children: children}
}

// RoundRobin is a [Selector] that begins with the child after the one that succeeded last, and goes on with the first
// child after the last. It begins with the first child at first, and after a reset of the agent. Its own completion and
// aborts do not change where it begins. It has 1 to 16 children.
func RoundRobin(children ...*Node) *Node { return &Node{op: executor.OpRoundRobin, children: children} }

// Recovery ticks its child. When the child fails, it ticks the recovery in the same tick, and when the recovery
// succeeds, the child begins again on the next tick, up to n times. It succeeds when the child succeeds. It fails when
// the recovery fails, and when the child fails after n recoveries. With an n of 0 or less there is no limit.
func Recovery(n int, child, recovery *Node) *Node {
	return &Node{op: executor.OpRecovery, count: n, children: []*Node{child, recovery}}
}

// WeightedChoice draws one of its children by weight on entry, ticks it until it completes, and returns its result. It
// has 1 to 16 choices. Weights are finite and at least 0, and their sum is above 0.
func WeightedChoice(choices ...Choice) *Node {
	n := &Node{op: executor.OpWeightedChoice}
	for _, c := range choices {
		n.children = append(n.children, c.child)
		n.weights = append(n.weights, c.weight)
	}
	return n
}

// Choice is one child of a [WeightedChoice]. Make it with [Weight].
type Choice struct {
	weight float64
	child  *Node
}

// Weight gives a child of a [WeightedChoice] a weight. The probability of the child is its weight divided by the sum of
// the weights.
func Weight(weight float64, child *Node) Choice { return Choice{weight, child} }
