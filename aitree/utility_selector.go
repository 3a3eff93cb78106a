package aitree

import (
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/utility"
)

// UtilitySelector ticks the branch of the action that an evaluator chooses, and returns its result. Each action of the
// evaluator needs a branch.
//
// It chooses on every tick. The running choice has the evaluator's inertia and commitment. When the choice changes, the
// old branch is reset before the new one is ticked. A branch is also reset when its action gets another target. The
// UtilitySelector fails when nothing can be chosen. It forgets its choice when the branch completes.
func UtilitySelector(evaluator *utility.Evaluator, branches ...Branch) *Node {
	n := &Node{op: executor.OpUtilitySelector, evaluator: evaluator}
	for _, b := range branches {
		n.children = append(n.children, b.child)
		n.branches = append(n.branches, b.action)
	}
	return n
}

// Branch is one child of a [UtilitySelector]. Make it with [On].
type Branch struct {
	action string
	child  *Node
}

// On gives an action of an evaluator the subtree that carries it out.
func On(action string, child *Node) Branch { return Branch{action, child} }

// HoldUntilDone makes a [UtilitySelector] keep its choice, without scoring, until the branch completes or is reset.
func (n *Node) HoldUntilDone() *Node {
	n.hold = true
	return n.only("HoldUntilDone", n.op == executor.OpUtilitySelector, executor.OpUtilitySelector)
}

// RememberChoice makes a [UtilitySelector] remember its choice for the inertia while it does not run: after the branch
// completed, and across aborts and loop rounds. A reset of the agent and a tick without a choice clear it.
func (n *Node) RememberChoice() *Node {
	n.remember = true
	return n.only("RememberChoice", n.op == executor.OpUtilitySelector, executor.OpUtilitySelector)
}
