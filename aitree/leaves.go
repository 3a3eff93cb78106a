package aitree

import (
	"time"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// Check succeeds when a condition holds and fails when it does not, in the same tick.
func Check(c *Condition) *Node { return &Node{op: executor.OpCheck, condition: c} }

// Wait runs for a duration of simulated time, from 0 to 35 minutes, rounded down to microseconds, and succeeds.
func Wait(duration time.Duration) *Node { return WaitBetween(duration, duration) }

// WaitBetween is a [Wait] whose duration is drawn for each agent and entry, evenly from shortest to longest, in steps
// of a microsecond.
func WaitBetween(shortest, longest time.Duration) *Node {
	return &Node{op: executor.OpWait, duration: shortest, longest: longest}
}

// WaitFact is a [Wait] whose duration is the value that a float fact has on entry, in seconds, rounded down to
// microseconds. A value that is negative or not finite counts as 0, and one of more than 35 minutes as 35 minutes.
func WaitFact(seconds blackboard.Fact) *Node {
	return &Node{op: executor.OpWait, fact: seconds, ofFact: true}
}

// Succeed succeeds at once.
func Succeed() *Node { return &Node{op: executor.OpSucceed} }

// Fail fails at once.
func Fail() *Node { return &Node{op: executor.OpFail} }

// Run runs until it is aborted.
func Run() *Node { return &Node{op: executor.OpRun} }

// Do posts a durative action, by the name it has in [Actions.Register], as the order of its channel, and runs until the
// action system reports success or failure. Bindings to facts are updated on each tick while it runs.
func Do(action string, bindings ...Binding) *Node {
	return &Node{op: executor.OpDo, action: action, bindings: bindings}
}

// Until makes a [Do] succeed when a condition holds. The condition is tested on entry, and on each tick before the
// outcome of the order is read. When it holds on entry, no order is posted.
func (n *Node) Until(c *Condition) *Node {
	n.until = c
	if c == nil {
		n.faults = append(n.faults, "Until was given no condition; use True, Less, Predicate or another")
	}
	return n.only("Until", n.op == executor.OpDo, executor.OpDo)
}

// For makes a [Do] succeed when it still runs a duration after it was entered, from 0 to 35 minutes, rounded down to
// microseconds. The outcome of the order counts first. The node after it continues at the deadline, as after a [Wait].
func (n *Node) For(duration time.Duration) *Node {
	n.duration, n.limited = duration, true
	return n.only("For", n.op == executor.OpDo, executor.OpDo)
}

// Fire posts an instant action, by the name it has in [Actions.RegisterTrigger], and succeeds. An agent can fire any
// number of them in a tick.
func Fire(action string, bindings ...Binding) *Node {
	return &Node{op: executor.OpFire, action: action, bindings: bindings}
}

// Leaf is a custom leaf: a function that ticks a block of agents at once.
func Leaf(name string, tick LeafFunc) *Node {
	return &Node{op: executor.OpLeaf, label: name, leaf: tick}
}

// LeafFunc ticks a custom leaf for the lanes of the context's mask. It returns the lanes in which the leaf succeeded
// and those in which it still runs; in the rest it failed. It may be called from several goroutines at once, for
// different agents. It may read the world and queue commands, but not write a fact. It must not read what the AI writes
// at the same time: the Intent and the mind of another agent.
type LeafFunc func(c *blackboard.Context) (success, running uint64)

// Reads declares the facts that a custom leaf reads. The leaf reads them by their position in this list.
func (n *Node) Reads(facts ...blackboard.Fact) *Node {
	n.reads = facts
	return n.only("Reads", n.op == executor.OpLeaf, executor.OpLeaf)
}

// Keeps gives a custom leaf words of state of 32 bits, 0 to 62, in the agent's mind. They are zero when the leaf is
// entered.
func (n *Node) Keeps(words int) *Node {
	n.keeps = words
	return n.only("Keeps", n.op == executor.OpLeaf, executor.OpLeaf)
}
