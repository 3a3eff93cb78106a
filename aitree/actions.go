package aitree

import (
	"errors"
	"fmt"
	"math"

	"github.com/flockwork-ai/flockwork/components"
)

// Actions names the actions that trees can post: durative ones, each with its channel, and triggers. Trees and action
// systems that are to understand each other share one. Make it with [NewActions].
type Actions struct {
	names []string
	sorts []actionSort
}

// actionSort is how an action is posted.
type actionSort struct {
	trigger bool
	channel components.Channel // of a durative one
}

func (s actionSort) String() string {
	if s.trigger {
		return "as a trigger"
	}
	return fmt.Sprintf("for channel %v", s.channel)
}

// NewActions returns an empty register.
func NewActions() *Actions { return &Actions{} }

// Register adds a durative action, which [Do] posts, and returns its handle. To register a name again with the same
// channel is no error and returns the same handle.
//
// Handles follow the order of registration, and are part of what a world stores: register in the same order in every
// run, so not from a map.
func (a *Actions) Register(name string, channel components.Channel) (components.Action, error) {
	if name == "" {
		return 0, errNoName
	}
	if channel >= components.Channels {
		return 0, fmt.Errorf("aitree: action %q: no channel %d; use components.Move or components.Act", name, channel)
	}
	return a.add(name, actionSort{channel: channel})
}

// RegisterTrigger adds an instant action, which [Fire] posts and which is over at once, and returns its handle, as
// Register does.
func (a *Actions) RegisterTrigger(name string) (components.Action, error) {
	if name == "" {
		return 0, errNoName
	}
	return a.add(name, actionSort{trigger: true})
}

var errNoName = errors.New("aitree: an action has no name")

func (a *Actions) add(name string, sort actionSort) (components.Action, error) {
	if known, ok := a.Lookup(name); ok {
		if have := a.sorts[known-1]; have != sort {
			return 0, fmt.Errorf("aitree: action %q is registered %v already, not %v", name, have, sort)
		}
		return known, nil
	}
	if len(a.names) == math.MaxUint16 {
		return 0, fmt.Errorf("aitree: action %q: more than %d actions", name, math.MaxUint16)
	}
	a.names = append(a.names, name)
	a.sorts = append(a.sorts, sort)
	return components.Action(len(a.names)), nil
}

// Lookup returns the handle of a name.
func (a *Actions) Lookup(name string) (components.Action, bool) {
	if a == nil {
		return 0, false
	}
	for i, n := range a.names {
		if n == name {
			return components.Action(i + 1), true
		}
	}
	return 0, false
}

// Name returns the name of a handle, or "" when it is not registered.
func (a *Actions) Name(h components.Action) string {
	if h == 0 || int(h) > len(a.names) {
		return ""
	}
	return a.names[h-1]
}

// Len returns how many actions are registered; their handles are 1 to Len.
func (a *Actions) Len() int { return len(a.names) }
