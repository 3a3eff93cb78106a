package components

// Channel is the part of an agent that an action occupies. An agent performs at most one action per channel at a time.
type Channel uint8

// The channels.
const (
	Move     Channel = iota // the legs
	Act                     // the hands
	Channels = 2            // how many channels there are
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

// Outcome is what an action system reports about an [Order].
type Outcome uint8

// The outcomes.
const (
	Pending   Outcome = iota // not finished yet
	Succeeded                // done
	Failed                   // cannot be done
)

// Action is the number of a registered action. Zero is none.
type Action uint16

// Order is a durative action that an agent has decided to perform in one channel: walk to a point, attack a target. The
// AI posts it and withdraws it; the system of the action carries it out over frames and reports the outcome.
//
// The AI writes all fields but Outcome, which the action system writes. Each posting clears Outcome and changes Serial,
// so an outcome belongs to one posting. The zero value is no order.
type Order struct {
	Target  Entity     // target of the action; zero for an action without a target
	Point   Vec2       // metres
	Numbers [2]float32 // meaning and unit depend on the action
	Action  Action     // zero: no order
	Serial  uint16     // changes with each posting; wraps round
	Outcome Outcome    // of this posting
}

// Intent is what an agent has decided to do: an [Order] per [Channel]. An agent whose tree posts orders needs this
// component. The AI writes it, except the outcomes.
type Intent struct {
	Orders [Channels]Order // by channel
}
