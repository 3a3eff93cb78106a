package aitree

import (
	"errors"
	"fmt"
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
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

// Binding gives a field of a posted order or trigger a value: a constant or a fact.
type Binding struct {
	field  bindField
	facts  [2]blackboard.Fact
	count  int // of facts
	chosen bool
	values [2]float32
}

type bindField uint8

const (
	bindTarget bindField = iota
	bindPoint
	bindNumber0
	bindNumber1
	bindInvalid
)

// Target binds the order's target to an entity fact.
func Target(f blackboard.Fact) Binding {
	return Binding{field: bindTarget, facts: [2]blackboard.Fact{f}, count: 1}
}

// ChosenTarget binds the order's target to that which the nearest [UtilitySelector] above has chosen.
func ChosenTarget() Binding { return Binding{field: bindTarget, chosen: true} }

// Point binds the order's point to two float facts, in metres.
func Point(x, y blackboard.Fact) Binding {
	return Binding{field: bindPoint, facts: [2]blackboard.Fact{x, y}, count: 2}
}

// PointAt binds the order's point to a constant, in metres.
func PointAt(x, y float32) Binding { return Binding{field: bindPoint, values: [2]float32{x, y}} }

// Number binds number i, 0 or 1, of an order to a float fact; a trigger has number 0 alone.
func Number(i int, f blackboard.Fact) Binding {
	return Binding{field: numberField(i), facts: [2]blackboard.Fact{f}, count: 1}
}

// NumberOf binds number i, 0 or 1, of an order to a constant; a trigger has number 0 alone.
func NumberOf(i int, v float32) Binding {
	return Binding{field: numberField(i), values: [2]float32{v}}
}

func numberField(i int) bindField {
	if i != 0 && i != 1 {
		return bindInvalid
	}
	return bindNumber0 + bindField(i)
}

// fault returns what is wrong with the binding on a node of the given kind, or "".
func (b *Binding) fault(op executor.Opcode) string {
	if b.field == bindInvalid {
		return "a binding of a number that is neither 0 nor 1"
	}
	if op == executor.OpFire && (b.field == bindPoint || b.field == bindNumber1) {
		return "a trigger has a target and number 0; point and number 1 belong to Do"
	}
	want := blackboard.Float
	if b.field == bindTarget {
		want = blackboard.EntityRef
	}
	for _, f := range b.facts[:b.count] {
		if err := f.Err(); err != nil {
			return "unknown fact: " + err.Error()
		}
		if f.Kind() != want {
			return fmt.Sprintf("a binding to fact %q of kind %v, which must be of kind %v", f.Name(), f.Kind(), want)
		}
	}
	for _, v := range b.values {
		if v != v || v-v != 0 {
			return fmt.Sprintf("a binding to the constant %v; use a finite number", v)
		}
	}
	return ""
}
