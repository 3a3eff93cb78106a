package benchmarks

import "github.com/flockwork-ai/flockwork/components"

// check succeeds when a condition holds.
type check struct{ condition func(*pointerBoard) bool }

func newCheck(condition func(*pointerBoard) bool) node { return &check{condition} }

func (n *check) Tick(bb *pointerBoard, _ float32) status {
	if n.condition(bb) {
		return success
	}
	return failure
}

func (n *check) Reset(*pointerBoard) {}

// wait runs for a time that is drawn anew for each entry.
type wait struct {
	micros   int64
	span     uint32 // of the draw
	index    int    // of the node, a key of the draw
	deadline int64
	running  bool
}

func newWait(seconds float64) node { return &wait{micros: int64(seconds * 1e6)} }

func newWaitBetween(shortest, longest float64, index int) node {
	return &wait{micros: int64(shortest * 1e6), span: uint32((longest - shortest) * 1e6), index: index}
}

func (n *wait) Tick(bb *pointerBoard, _ float32) status {
	now := bb.time()
	if !n.running {
		n.deadline = bb.instant + n.micros
		if n.span > 0 {
			n.deadline += bb.draws.between(n.span, bb.self, now, n.index)
		}
	}
	n.running = now < n.deadline
	if n.running {
		return running
	}
	bb.instant = n.deadline
	return success
}

func (n *wait) Reset(*pointerBoard) { n.running = false }

// do posts an order and waits for its outcome.
type do struct {
	order   components.Order // what is posted
	channel components.Channel
	until   func(*pointerBoard) bool               // or nil
	follow  func(*pointerBoard, *components.Order) // or nil: what is written into the order on each tick
	running bool
	serial  uint16 // of the posting
}

func newDo(action components.Action, speed float32, follow func(*pointerBoard, *components.Order), until func(*pointerBoard) bool) node {
	return &do{
		order:   components.Order{Action: action, Numbers: [2]float32{speed}},
		channel: components.Move, follow: follow, until: until,
	}
}

// newOrder makes a leaf that posts an order with two numbers on a channel.
func newOrder(
	channel components.Channel, action components.Action, numbers [2]float32, follow func(*pointerBoard, *components.Order),
) node {
	return &do{order: components.Order{Action: action, Numbers: numbers}, channel: channel, follow: follow}
}

func (n *do) Tick(bb *pointerBoard, _ float32) status {
	if n.until != nil && n.until(bb) {
		n.Reset(bb)
		return success
	}
	order := &bb.intent.Orders[n.channel]
	if !n.running {
		n.running = true
		n.serial = order.Serial + 1
		*order = n.order
		order.Serial = n.serial
	} else if order.Outcome != components.Pending {
		s := success
		if order.Outcome == components.Failed {
			s = failure
		}
		n.Reset(bb)
		return s
	}
	if n.follow != nil {
		n.follow(bb, order)
	}
	return running
}

// Reset withdraws the order, unless another has taken its place.
func (n *do) Reset(bb *pointerBoard) {
	if !n.running {
		return
	}
	n.running = false
	if order := &bb.intent.Orders[n.channel]; order.Serial == n.serial {
		order.Action, order.Outcome = 0, components.Pending
	}
}

// fire triggers an instant action.
type fire struct {
	trigger func(*pointerBoard) components.Trigger
}

func newFire(trigger func(*pointerBoard) components.Trigger) node { return &fire{trigger} }

func (n *fire) Tick(bb *pointerBoard, _ float32) status {
	list := &bb.triggers.List
	list[bb.fired] = n.trigger(bb)
	bb.fired++
	if bb.fired < len(list) {
		list[bb.fired].Action = 0
	}
	return success
}

func (n *fire) Reset(*pointerBoard) {}
