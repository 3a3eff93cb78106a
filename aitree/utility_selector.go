package aitree

import (
	"time"

	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/utility"
)

// UtilitySelector ticks the branch of the action that an evaluator chooses, and returns its result. Each action of the
// evaluator needs a branch.
//
// It chooses on every tick. The running choice has the evaluator's inertia and commitment. When the choice changes, the
// old branch is reset before the new one is ticked. A branch is also reset when its action gets another target. The
// UtilitySelector fails when nothing can be chosen. It forgets its choice when the branch completes.
//
// When the branch of the choice fails, the UtilitySelector fails, and on the next tick it most often chooses the same
// again, since the facts have hardly changed. That is right when the considerations know everything that a branch can
// fail for. Otherwise:
//
//   - Use [Node.NextBest] when a branch may be unable to act: it begins with a [Cooldown], a [Guard] or a check. The
//     next best action is ticked in the same tick, as a [Selector] goes on to its next child.
//   - Use [Node.BackOff] when a branch may fail after it has tried: the way is blocked, the shop is shut. What failed
//     is not chosen again for a time.
//   - Use both when the next best takes time. With NextBest alone the better action is tried on every tick, and each
//     time what runs is reset for it and begins anew. With BackOff it is tried once in that time.
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

// NextBest makes a [UtilitySelector] whose chosen branch fails choose again in the same tick, among the pairs of an
// action and a target that have not failed in it, and tick the winner at the instant at which the failed branch ended.
// Veto, minimum, rank and mode count as always; what failed has neither inertia nor commitment. The UtilitySelector
// fails when nothing is left that scores above 0. A running choice that a better one replaces has not failed.
func (n *Node) NextBest() *Node {
	n.nextBest = true
	return n.only("NextBest", n.op == executor.OpUtilitySelector, executor.OpUtilitySelector)
}

// BackOff makes a [UtilitySelector] not choose a pair of an action and a target, as if it were vetoed, for a duration
// from the instant at which its branch failed: from 0, which is none, to 35 minutes, rounded down to microseconds.
// Success and aborts do not start it. It lasts while the node is idle; a reset of the agent ends it. The last four
// pairs of an agent are remembered, in 2 to 5 words of the mind, 13 if an action has targets.
func (n *Node) BackOff(duration time.Duration) *Node {
	n.backOff = duration
	return n.only("BackOff", n.op == executor.OpUtilitySelector, executor.OpUtilitySelector)
}
