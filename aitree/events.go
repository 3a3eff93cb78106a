package aitree

import "github.com/flockwork-ai/flockwork/components"

// EventKind is what happened to a leaf.
type EventKind uint8

// The kinds of events. The exits sort before the enter, as they happen.
const (
	ExitSuccess EventKind = iota
	ExitFailure
	ExitAborted
	Enter
)

// Event is an enter or an exit of a leaf in one lane.
type Event struct {
	Leaf uint16 // index of [CompiledProgram.Leaves]
	Lane uint8
	Kind EventKind
}

// HasExitHook reports whether leaf l has an exit hook.
func (p *CompiledProgram) HasExitHook(l int) bool { return p.Leaves[l].exit != nil }

// CallHook calls the hook that leaf l of an event asks for, if it has one.
func (p *CompiledProgram) CallHook(e Event, who components.Entity) {
	l := &p.Leaves[e.Leaf]
	if e.Kind == Enter {
		if l.enter != nil {
			l.enter(who)
		}
		return
	}
	if l.exit != nil {
		l.exit(who, e.Kind)
	}
}

// countTransitions counts and reports the lanes that have entered and left a leaf.
func (x *Executor) countTransitions(leaf int, l *leafNode, entered, left uint64) {
	begun := popcount(entered)
	if l.does {
		x.Active[l.action] += int64(begun - popcount(left))
	}
	x.Transitions += begun
	if x.EveryLeaf || l.hooked {
		x.report(leaf, l.node, entered, left)
	}
}

// report appends the events of a leaf.
func (x *Executor) report(leaf int, n int32, entered, left uint64) {
	for m := entered | left; m != 0; m &= m - 1 {
		i := lowest(m)
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
