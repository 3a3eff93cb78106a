package pointertree

import "github.com/flockwork-ai/flockwork/components"

type check struct{ condition func(*Blackboard) bool }

// Check succeeds when a condition holds.
func Check(condition func(*Blackboard) bool) Node { return &check{condition} }

func (n *check) Tick(bb *Blackboard, _ float32) Status {
	if n.condition(bb) {
		return Success
	}
	return Failure
}

func (n *check) Reset(*Blackboard) {}

type wait struct {
	micros   int64
	span     uint32 // of the draw
	index    int    // of the node, a key of the draw
	deadline int64
	running  bool
}

// Wait runs for a number of seconds.
func Wait(seconds float64) Node { return &wait{micros: int64(seconds * 1e6)} }

// WaitBetween runs for a time that is drawn when it begins. index is that of the node in pre-order, a key of the draw.
func WaitBetween(shortest, longest float64, index int) Node {
	return &wait{micros: int64(shortest * 1e6), span: uint32((longest - shortest) * 1e6), index: index}
}

func (n *wait) Tick(bb *Blackboard, _ float32) Status {
	now := bb.time()
	if !n.running {
		n.deadline = bb.Instant + n.micros
		if n.span > 0 {
			n.deadline += bb.Waits.UpTo(n.span, bb.Self, now, n.index)
		}
	}
	n.running = now < n.deadline
	if n.running {
		return Running
	}
	bb.Instant = n.deadline
	return Success
}

func (n *wait) Reset(*Blackboard) { n.running = false }

type do struct {
	order   components.Order // what is posted
	channel components.Channel
	until   func(*Blackboard) bool               // or nil
	follow  func(*Blackboard, *components.Order) // or nil: what is written into the order on each tick
	running bool
	serial  uint16 // of the posting
}

// Do posts an order on the channel Move and waits for its outcome. Where until is not nil, it succeeds as soon as until
// holds. Where follow is not nil, it updates the order in every tick.
func Do(
	action components.Action, speed float32,
	follow func(*Blackboard, *components.Order), until func(*Blackboard) bool,
) Node {
	return &do{
		order:   components.Order{Action: action, Numbers: [2]float32{speed}},
		channel: components.Move, follow: follow, until: until,
	}
}

// Order posts an order with two numbers on a channel and waits for its outcome. Where follow is not nil, it updates the
// order in every tick.
func Order(
	channel components.Channel, action components.Action, numbers [2]float32,
	follow func(*Blackboard, *components.Order),
) Node {
	return &do{order: components.Order{Action: action, Numbers: numbers}, channel: channel, follow: follow}
}

func (n *do) Tick(bb *Blackboard, _ float32) Status {
	if n.until != nil && n.until(bb) {
		n.Reset(bb)
		return Success
	}
	order := &bb.Intent.Orders[n.channel]
	if !n.running {
		n.running = true
		n.serial = order.Serial + 1
		*order = n.order
		order.Serial = n.serial
	} else if order.Outcome != components.Pending {
		s := Success
		if order.Outcome == components.Failed {
			s = Failure
		}
		n.Reset(bb)
		return s
	}
	if n.follow != nil {
		n.follow(bb, order)
	}
	return Running
}

// Reset withdraws the order, unless another order has replaced it.
func (n *do) Reset(bb *Blackboard) {
	if !n.running {
		return
	}
	n.running = false
	if order := &bb.Intent.Orders[n.channel]; order.Serial == n.serial {
		order.Action, order.Outcome = 0, components.Pending
	}
}

type fire struct {
	trigger func(*Blackboard) components.Trigger
}

// Fire triggers an instant action.
func Fire(trigger func(*Blackboard) components.Trigger) Node { return &fire{trigger} }

func (n *fire) Tick(bb *Blackboard, _ float32) Status {
	t := n.trigger(bb)
	t.Agent = bb.Self
	*bb.Fired = append(*bb.Fired, t)
	return Success
}

func (n *fire) Reset(*Blackboard) {}
