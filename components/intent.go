package components

// Channel is what an action occupies. An agent does one action of each channel at a time.
type Channel uint8

// The channels.
const (
	Move     Channel = iota // the legs
	Act                     // the hands
	Channels = 2            // how many there are
)

// String returns the channel's name.
func (c Channel) String() string {
	switch c {
	case Move:
		return "move"
	case Act:
		return "act"
	}
	return "unknown"
}

// Outcome is what an action system reports about a posted action.
type Outcome uint8

// The outcomes.
const (
	Pending   Outcome = iota // still at it
	Succeeded                // done
	Failed                   // cannot be done
)

// Action identifies a registered action; zero is none.
type Action uint16

// Order is the posted action of one channel. The AI writes all but Outcome, which is the action
// system's. Posting an action clears Outcome and raises Serial, so an outcome belongs to its posting.
type Order struct {
	Target  Entity
	Point   Vec2       // metres
	Numbers [2]float32 // meaning and unit are the action's
	Action  Action     // zero: nothing posted
	Serial  uint16     // changes with each posting
	Outcome Outcome
}

// Intent is what an agent has decided to do, by channel.
type Intent struct {
	Orders [Channels]Order
}

// MaxTriggers is how many instant actions an agent can fire in one tick.
const MaxTriggers = 4

// Trigger is an instant action that was fired.
type Trigger struct {
	Target Entity
	Number float32 // meaning and unit are the action's
	Action Action  // zero: none
}

// Triggers are the instant actions fired in the last tick, in the order in which they were: that of the tree, below
// random composites that of the draw. The first with Action 0 ends the list. An action system takes what it consumes
// with [Triggers.Take]; what nobody takes stays until the agent's next tick. An agent whose tree fires needs this
// component.
type Triggers struct {
	List [MaxTriggers]Trigger
}

// Take removes the first trigger of an action and returns it; false when there is none. Those behind it move up.
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
