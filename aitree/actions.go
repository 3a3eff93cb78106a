package aitree

import (
	"errors"
	"fmt"
	"math"

	"github.com/flockwork-ai/flockwork/components"
)

// Actions is a register of the actions that trees can post: durative ones, each with its channel, and triggers. Trees
// and the action systems that carry out their orders share one. Make it with [NewActions].
type Actions struct {
	names   []string
	kinds   []actionKind
	handles map[string]components.Action
}

// actionKind is how an action is posted.
type actionKind struct {
	trigger bool
	channel components.Channel // of a durative one
}

// String returns how the action is registered, for errors.
func (k actionKind) String() string {
	if k.trigger {
		return "as a trigger"
	}
	return fmt.Sprintf("for channel %v", k.channel)
}

// NewActions returns an empty register.
func NewActions() *Actions { return &Actions{handles: map[string]components.Action{}} }

// Register adds a durative action, which [Do] posts, and returns its handle. Registering a name again for the same
// channel returns the same handle.
//
// Handles follow the order of registration and are part of what a world stores. Register actions in the same order in
// every run; a range over a map has no fixed order.
func (a *Actions) Register(name string, channel components.Channel) (components.Action, error) {
	if name == "" {
		return 0, errNoName
	}
	if channel >= components.Channels {
		return 0, fmt.Errorf("aitree: action %q: no channel %d; use components.Move or components.Act", name, channel)
	}
	return a.add(name, actionKind{channel: channel})
}

// RegisterTrigger adds an instant action, which [Fire] posts, and returns its handle, as Register does.
func (a *Actions) RegisterTrigger(name string) (components.Action, error) {
	if name == "" {
		return 0, errNoName
	}
	return a.add(name, actionKind{trigger: true})
}

var errNoName = errors.New("aitree: an action has no name")

func (a *Actions) add(name string, kind actionKind) (components.Action, error) {
	if a == nil {
		return 0, fmt.Errorf("aitree: action %q: the register is nil; make one with NewActions", name)
	}
	if known, ok := a.Lookup(name); ok {
		if have := a.kinds[known-1]; have != kind {
			return 0, fmt.Errorf("aitree: action %q is registered %v already, not %v", name, have, kind)
		}
		return known, nil
	}
	if len(a.names) == math.MaxUint16 {
		return 0, fmt.Errorf("aitree: action %q: more than %d actions", name, math.MaxUint16)
	}
	a.names = append(a.names, name)
	a.kinds = append(a.kinds, kind)
	handle := components.Action(len(a.names))
	if a.handles == nil { // of a register that NewActions did not make
		a.handles = map[string]components.Action{}
	}
	a.handles[name] = handle
	return handle, nil
}

// Lookup returns the handle of a name, and whether it is registered.
func (a *Actions) Lookup(name string) (components.Action, bool) {
	if a == nil {
		return 0, false
	}
	handle, ok := a.handles[name]
	return handle, ok
}

// Name returns the name of a handle, or "" when it is not registered.
func (a *Actions) Name(h components.Action) string {
	if a == nil || h == 0 || int(h) > len(a.names) {
		return ""
	}
	return a.names[h-1]
}

// Len returns the number of registered actions. Their handles are 1 to Len.
func (a *Actions) Len() int {
	if a == nil {
		return 0
	}
	return len(a.names)
}
