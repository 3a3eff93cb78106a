package executor

import (
	"cmp"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
)

// EventKind is what happened to a leaf, or to a choice.
type EventKind uint8

// The kinds of events. Exits come before enters, as they happen in this order.
const (
	ExitSuccess EventKind = iota
	ExitFailure
	ExitAborted
	Enter
	BranchFailed // the branch that a UtilitySelector had chosen; it comes before the exits
)

// Event is an enter or an exit of a leaf in one lane, or the failure of a branch of a UtilitySelector.
type Event struct {
	Leaf uint16 // index of [Program.Leaves]; of a failure, of Program.UtilityNodes
	Lane uint8
	Kind EventKind

	// Of a failure.
	Action uint16            // of the evaluator
	Try    uint16            // how many choices the node has made in this lane and tick before
	Target components.Entity // zero without one
}

// Compare orders the events of one agent as hooks are called for them: failures, exits, enters, and each by leaf.
func (e Event) Compare(o Event) int {
	return cmp.Or(cmp.Compare(e.Kind.phase(), o.Kind.phase()), cmp.Compare(e.Leaf, o.Leaf), cmp.Compare(e.Try, o.Try))
}

// phase returns the place of a kind in the order of Compare.
func (k EventKind) phase() int {
	switch k {
	case BranchFailed:
		return 0
	case Enter:
		return 2
	}
	return 1
}

// HasExitHook reports whether a leaf has an exit hook.
func (p *Program) HasExitHook(l int) bool { return p.Leaves[l].Exit != nil }

// CallHook calls the hook of an event's leaf, if it has one.
func (p *Program) CallHook(e Event, agent components.Entity) {
	if e.Kind == BranchFailed {
		u := &p.UtilityNodes[e.Leaf]
		u.Failed(agent, u.Evaluator.Actions[e.Action].Name, e.Target)
		return
	}
	l := &p.Leaves[e.Leaf]
	if e.Kind == Enter {
		if l.Enter != nil {
			l.Enter(agent)
		}
		return
	}
	if l.Exit != nil {
		l.Exit(agent, e.Kind)
	}
}

// countTransitions counts and reports the lanes that have entered and left a leaf.
func (x *Executor) countTransitions(leaf int, l *LeafNode, entered, left uint64) {
	begun := bitmask.Count(entered)
	if l.IsDo {
		x.Active[l.Action] += int64(begun - bitmask.Count(left))
	}
	x.Transitions += begun
	if x.EveryLeaf || l.HasHook {
		x.report(leaf, l.Node, entered, left)
	}
}

// report appends the events of a leaf.
func (x *Executor) report(leaf int, n int32, entered, left uint64) {
	for m := entered | left; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		bit := uint64(1) << i
		kind := ExitAborted
		switch {
		case entered&bit != 0:
			kind = Enter
		case x.succeeded[n]&bit != 0:
			kind = ExitSuccess
		case x.failed[n]&bit != 0:
			kind = ExitFailure
		}
		x.Events = append(x.Events, Event{Leaf: uint16(leaf), Lane: uint8(i), Kind: kind})
	}
}

// countFailures counts the branches that have failed in the lanes of a mask, and reports them to a hook. try counts the
// choices that these lanes have made in this tick before.
func (x *Executor) countFailures(u *UtilityNode, chosen *choices, failed uint64, try int) {
	x.Failures += int64(bitmask.Count(failed))
	if u.Failed == nil {
		return
	}
	slot := x.program.Nodes[u.Node].Slot
	for action := range u.Branches {
		for m := chosen[action] & failed; m != 0; m &= m - 1 {
			e := Event{
				Leaf: uint16(x.program.Nodes[u.Node].UtilityNode), Lane: uint8(bitmask.Lowest(m)), Kind: BranchFailed,
				Action: uint16(action), Try: uint16(try),
			}
			if u.Evaluator.Targeted(action) {
				e.Target = x.chosenTarget(u, slot, int(e.Lane))
			}
			x.Events = append(x.Events, e)
		}
	}
}
