package aitree

import (
	"fmt"

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

	count            int     // Repeat, Retry
	seconds          float64 // Cooldown, Timeout, Wait; the lower bound of WaitBetween
	longest          float64 // the upper bound of WaitBetween
	success, failure Policy  // Parallel
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

// Composites.

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

// Choice is one child of a [WeightedChoice].
type Choice struct {
	weight float64
	child  *Node
}

// Weight gives a child of a [WeightedChoice] its share of the draws.
func Weight(weight float64, child *Node) Choice { return Choice{weight, child} }

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

// Branch is one child of a [UtilitySelector].
type Branch struct {
	action string
	child  *Node
}

// On gives an action of an evaluator the subtree that carries it out.
func On(action string, child *Node) Branch { return Branch{action, child} }

// UtilitySelector ticks the branch of the action that an evaluator chooses; its result is its own. It chooses anew on
// every tick, the running choice having the evaluator's inertia and commitment: when the choice changes, the old branch
// is reset before the new one is ticked, and so is a branch whose action gets another target. Where nothing can be
// chosen it fails. Each of the evaluator's actions needs a branch. When a branch completes, the choice is forgotten.
func UtilitySelector(brain *utility.Evaluator, branches ...Branch) *Node {
	n := &Node{op: executor.OpUtilitySelector, evaluator: brain}
	for _, b := range branches {
		n.children = append(n.children, b.child)
		n.branches = append(n.branches, b.action)
	}
	return n
}

// HoldUntilDone makes a [UtilitySelector] keep its choice, without scoring, until the branch completes or is reset.
func (n *Node) HoldUntilDone() *Node {
	n.hold = true
	return n.only("HoldUntilDone", n.op == executor.OpUtilitySelector, executor.OpUtilitySelector)
}

// RememberChoice makes a [UtilitySelector] keep its choice in mind for the inertia when it is not running: after
// the branch completed, and through aborts and loop rounds. A reset of the agent, and a tick without a choice, clear
// it.
func (n *Node) RememberChoice() *Node {
	n.remember = true
	return n.only("RememberChoice", n.op == executor.OpUtilitySelector, executor.OpUtilitySelector)
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

// Decorators.

// Inverter swaps its child's success and failure.
func Inverter(child *Node) *Node { return decorator(executor.OpInverter, child) }

// ForceSuccess succeeds whatever its child's result.
func ForceSuccess(child *Node) *Node { return decorator(executor.OpForceSuccess, child) }

// ForceFailure fails whatever its child's result.
func ForceFailure(child *Node) *Node { return decorator(executor.OpForceFailure, child) }

// Repeat runs its child n times, one round per tick at most, and succeeds; a failure of the child fails it.
// With n of 0 or less it repeats for ever.
func Repeat(n int, child *Node) *Node {
	d := decorator(executor.OpRepeat, child)
	d.count = n
	return d
}

// Retry runs its child until it succeeds, n times at most, one round per tick at most; the n-th failure fails it.
// With n of 0 or less it retries for ever.
func Retry(n int, child *Node) *Node {
	d := decorator(executor.OpRetry, child)
	d.count = n
	return d
}

// UntilSuccess runs its child again and again, one round per tick at most, until it succeeds.
func UntilSuccess(child *Node) *Node { return decorator(executor.OpUntilSuccess, child) }

// UntilFailure runs its child again and again, one round per tick at most, until it fails, and then
// succeeds.
func UntilFailure(child *Node) *Node { return decorator(executor.OpUntilFailure, child) }

// Cooldown fails for the given time, in seconds, after its child succeeded. The time is kept through aborts
// and loop rounds, because it limits a rate; a reset of the agent clears it.
func Cooldown(seconds float64, child *Node) *Node {
	d := decorator(executor.OpCooldown, child)
	d.seconds = seconds
	return d
}

// ClearedByAbort makes a [Cooldown] end when a branch it stands in is aborted or a loop above it begins a new
// round.
func (n *Node) ClearedByAbort() *Node {
	n.clearedByAbort = true
	return n.only("ClearedByAbort", n.op == executor.OpCooldown, executor.OpCooldown)
}

// Timeout fails and resets its child when it still runs the given time, in seconds, after it was
// entered. A child that completes on the tick that reaches the deadline counts.
func Timeout(seconds float64, child *Node) *Node {
	d := decorator(executor.OpTimeout, child)
	d.seconds = seconds
	return d
}

// Guard ticks its child while a condition holds, which is tested before the child on every tick. When it
// does not hold, a running child is reset and the guard fails.
func Guard(c *Condition, child *Node) *Node {
	d := decorator(executor.OpGuard, child)
	d.condition = c
	return d
}

func decorator(op executor.Opcode, child *Node) *Node { return &Node{op: op, children: []*Node{child}} }

// Leaves.

// Check succeeds when the condition holds and fails when it does not, in the same tick.
func Check(c *Condition) *Node { return &Node{op: executor.OpCheck, condition: c} }

// Wait runs for the given time, in seconds of simulated time, and succeeds.
func Wait(seconds float64) *Node {
	return &Node{op: executor.OpWait, seconds: seconds, longest: seconds}
}

// WaitBetween is a [Wait] whose time is drawn for each agent and entry, evenly from shortest to longest,
// both in seconds.
func WaitBetween(shortest, longest float64) *Node {
	return &Node{op: executor.OpWait, seconds: shortest, longest: longest}
}

// Do posts a durative action ([Actions.Register]), by name, in its channel's order and runs until its action system
// reports success or failure. Bindings to facts are followed for as long as it runs.
func Do(action string, bindings ...Binding) *Node {
	return &Node{op: executor.OpDo, action: action, bindings: bindings}
}

// Until makes a [Do] succeed when a condition holds: on entry, when nothing is posted, and before a
// report is heeded.
func (n *Node) Until(c *Condition) *Node {
	n.until = c
	if c == nil {
		n.faults = append(n.faults, "Until was given no condition; use True, Less, Predicate or another")
	}
	return n.only("Until", n.op == executor.OpDo, executor.OpDo)
}

// Fire posts an instant action ([Actions.RegisterTrigger]), by name, and succeeds.
func Fire(action string, bindings ...Binding) *Node {
	return &Node{op: executor.OpFire, action: action, bindings: bindings}
}

// LeafFunc ticks a custom leaf for the lanes of the context's mask. It returns the lanes in which the leaf succeeded and
// those in which it still runs; in the rest it failed. It may be called from several goroutines at once, for different
// agents. It may read the world and queue commands, never write a fact. It may not read what the AI writes at the same
// time: the Intent, Triggers and mind of another agent.
type LeafFunc func(c *blackboard.Context) (success, running uint64)

// Leaf is a leaf of the user's own: a function that ticks a block of agents at once.
func Leaf(name string, tick LeafFunc) *Node {
	return &Node{op: executor.OpLeaf, label: name, leaf: tick}
}

// Reads declares the facts that a custom leaf reads; it gets at them by their place in this list.
func (n *Node) Reads(facts ...blackboard.Fact) *Node {
	n.reads = facts
	return n.only("Reads", n.op == executor.OpLeaf, executor.OpLeaf)
}

// Keeps gives a custom leaf words of 32 bits of its own in the mind. They are zero when it is entered.
func (n *Node) Keeps(words int) *Node {
	n.keeps = words
	return n.only("Keeps", n.op == executor.OpLeaf, executor.OpLeaf)
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
