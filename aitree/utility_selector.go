package aitree

import (
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/utility"
)

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

// Branch is one child of a [UtilitySelector].
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

// RememberChoice makes a [UtilitySelector] keep its choice in mind for the inertia when it is not running: after
// the branch completed, and through aborts and loop rounds. A reset of the agent, and a tick without a choice, clear
// it.
func (n *Node) RememberChoice() *Node {
	n.remember = true
	return n.only("RememberChoice", n.op == executor.OpUtilitySelector, executor.OpUtilitySelector)
}
