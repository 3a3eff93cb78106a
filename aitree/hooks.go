package aitree

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// Exit is how a running leaf ended.
type Exit uint8

// The ways a leaf exits.
const (
	Done    Exit = iota // it succeeded
	Failed              // it failed
	Aborted             // it was reset, or its agent was reset or removed
)

// String returns the exit's name.
func (e Exit) String() string { return [...]string{"done", "failed", "aborted"}[e] }

// OnEnter calls f after the AI stage in which an agent entered a leaf that still runs. It belongs to custom leaves,
// [Do], [Wait] and [Run].
func (n *Node) OnEnter(f func(components.Entity)) *Node {
	n.enter = f
	return n.only("OnEnter", n.op.CanRun(), executor.OpLeaf, executor.OpDo, executor.OpWait, executor.OpRun)
}

// OnExit calls f once, after the AI stage in which a running leaf ended. Resetting or removing an agent ends its leaves
// too. It belongs to custom leaves, [Do], [Wait] and [Run].
func (n *Node) OnExit(f func(components.Entity, Exit)) *Node {
	n.exit = f
	return n.only("OnExit", n.op.CanRun(), executor.OpLeaf, executor.OpDo, executor.OpWait, executor.OpRun)
}

// OnBranchFailed calls f after the AI stage in which the branch of an action that a [UtilitySelector] had chosen
// failed, with the agent, the name of the action and the target that it was chosen for, or the zero entity. With
// [Node.NextBest] several branches can fail in one tick; f is called for each, in the order in which they were tried.
// It is called even when no leaf of the branch was entered, as when a [Cooldown] or a [Guard] refused.
func (n *Node) OnBranchFailed(f func(agent components.Entity, action string, target components.Entity)) *Node {
	n.branchFailed = f
	return n.only("OnBranchFailed", n.op == executor.OpUtilitySelector, executor.OpUtilitySelector)
}

// exitHook converts a hook to the signature that the executor calls. The values of Exit are those of the executor's
// exit events.
func exitHook(f func(components.Entity, Exit)) func(components.Entity, executor.EventKind) {
	if f == nil {
		return nil
	}
	return func(e components.Entity, how executor.EventKind) { f(e, Exit(how)) }
}
