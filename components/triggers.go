package components

// MaxTriggers is how many instant actions an agent can fire in one tick.
const MaxTriggers = 4

// Trigger is an instant action, such as a shout or a single strike, that an agent has fired. Unlike an [Order] it has
// no outcome. The zero value is none.
type Trigger struct {
	Target Entity  // target of the action; zero for an action without a target
	Number float32 // meaning and unit depend on the action
	Action Action  // zero: none
}

// Triggers are the instant actions that an agent fired in its last tick, in the order of the tree; below a random
// composite, in the order of the draw. An agent whose tree fires actions needs this component.
//
// The AI writes the list. An action system removes what it carries out with [Triggers.Take]. What no system takes stays
// until the agent's next tick.
type Triggers struct {
	List [MaxTriggers]Trigger // ends before the first whose Action is zero
}

// Take removes the first trigger of an action from the list and returns it, or false when there is none. The order of
// the others stays.
func (t *Triggers) Take(a Action) (Trigger, bool) {
	for i, found := range t.List {
		if found.Action == 0 {
			break
		}
		if found.Action == a {
			copy(t.List[i:], t.List[i+1:])
			t.List[len(t.List)-1] = Trigger{}
			return found, true
		}
	}
	return Trigger{}, false
}
