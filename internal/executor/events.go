package executor

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
)

// EventKind is what happened to a leaf.
type EventKind uint8

// The kinds of events. Exits come before enters, as they happen in this order.
const (
	ExitSuccess EventKind = iota
	ExitFailure
	ExitAborted
	Enter
)

// Event is an enter or an exit of a leaf in one lane.
type Event struct {
	Leaf uint16 // index of [Program.Leaves]
	Lane uint8
	Kind EventKind
}

// HasExitHook reports whether a leaf has an exit hook.
func (p *Program) HasExitHook(l int) bool { return p.Leaves[l].Exit != nil }

// CallHook calls the hook of an event's leaf, if it has one.
func (p *Program) CallHook(e Event, agent components.Entity) {
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
