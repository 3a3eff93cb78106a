package benchmarks

import "github.com/flockwork-ai/flockwork/components"

// A behaviour tree of node objects, the way it is commonly written for games: a node has Tick and Reset, composites
// hold their children, leaves read and write a blackboard, and each agent has a tree and a blackboard of its own. It
// was written for this comparison. Times follow package aitree, so that both can be held to the same intents:
// microseconds of the clock, and a branch that has waited goes on at its deadline.

type status uint8

const (
	failure status = iota
	success
	running
)

// node is one object of a tree. dt is the time since the last tick in seconds.
type node interface {
	Tick(bb *pointerBoard, dt float32) status
	// Reset gives up what the node was about, when its parent stops ticking it before it has finished.
	Reset(bb *pointerBoard)
}

// sequence ticks its children until one does not succeed, and resumes at the one that runs.
type sequence struct {
	children []node
	current  int
}

func newSequence(children ...node) node { return &sequence{children: children} }

func (n *sequence) Tick(bb *pointerBoard, dt float32) status {
	for ; n.current < len(n.children); n.current++ {
		switch n.children[n.current].Tick(bb, dt) {
		case running:
			return running
		case failure:
			n.current = 0
			return failure
		}
	}
	n.current = 0
	return success
}

func (n *sequence) Reset(bb *pointerBoard) {
	n.current = 0
	for _, c := range n.children {
		c.Reset(bb)
	}
}

// selector ticks its children until one does not fail, and resumes at the one that runs.
type selector struct {
	children []node
	current  int
}

func newSelector(children ...node) node { return &selector{children: children} }

func (n *selector) Tick(bb *pointerBoard, dt float32) status {
	for ; n.current < len(n.children); n.current++ {
		switch n.children[n.current].Tick(bb, dt) {
		case running:
			return running
		case success:
			n.current = 0
			return success
		}
	}
	n.current = 0
	return failure
}

func (n *selector) Reset(bb *pointerBoard) {
	n.current = 0
	for _, c := range n.children {
		c.Reset(bb)
	}
}

// reactiveSelector starts from its first child every time; one that does not fail takes over from the one that ran.
type reactiveSelector struct {
	children []node
	running  int // or -1
}

func newReactiveSelector(children ...node) node {
	return &reactiveSelector{children: children, running: -1}
}

func (n *reactiveSelector) Tick(bb *pointerBoard, dt float32) status {
	for i, c := range n.children {
		s := c.Tick(bb, dt)
		if s == failure {
			continue
		}
		if n.running >= 0 && n.running != i {
			n.children[n.running].Reset(bb)
		}
		n.running = -1
		if s == running {
			n.running = i
		}
		return s
	}
	n.running = -1
	return failure
}

func (n *reactiveSelector) Reset(bb *pointerBoard) {
	n.running = -1
	for _, c := range n.children {
		c.Reset(bb)
	}
}

// guard ticks its child while a condition holds.
type guard struct {
	condition func(*pointerBoard) bool
	child     node
	running   bool
}

func newGuard(condition func(*pointerBoard) bool, child node) node {
	return &guard{condition: condition, child: child}
}

func (n *guard) Tick(bb *pointerBoard, dt float32) status {
	if !n.condition(bb) {
		if n.running {
			n.running = false
			n.child.Reset(bb)
		}
		return failure
	}
	s := n.child.Tick(bb, dt)
	n.running = s == running
	return s
}

func (n *guard) Reset(bb *pointerBoard) {
	n.running = false
	n.child.Reset(bb)
}

// forceSuccess succeeds whatever its child does.
type forceSuccess struct{ child node }

func newForceSuccess(child node) node { return &forceSuccess{child} }

func (n *forceSuccess) Tick(bb *pointerBoard, dt float32) status {
	if n.child.Tick(bb, dt) == running {
		return running
	}
	return success
}

func (n *forceSuccess) Reset(bb *pointerBoard) { n.child.Reset(bb) }

// parallelNode ticks all its children and is over as soon as one is: it fails when one fails, else succeeds when one
// succeeds.
type parallelNode struct{ children []node }

func newParallel(children ...node) node { return &parallelNode{children} }

func (n *parallelNode) Tick(bb *pointerBoard, dt float32) status {
	start, end := bb.instant, bb.instant
	failed, succeeded := false, false
	for _, c := range n.children {
		bb.instant = start
		s := c.Tick(bb, dt)
		failed = failed || s == failure
		succeeded = succeeded || s == success
		if s != running {
			end = max(end, bb.instant)
		}
	}
	if !failed && !succeeded {
		return running
	}
	n.Reset(bb)
	bb.instant = end
	if failed {
		return failure
	}
	return success
}

func (n *parallelNode) Reset(bb *pointerBoard) {
	for _, c := range n.children {
		c.Reset(bb)
	}
}

// repeat runs its child a number of times, one round per tick; 0 is for ever.
type repeat struct {
	child        node
	rounds, done int
}

func newRepeat(rounds int, child node) node { return &repeat{child: child, rounds: rounds} }

func (n *repeat) Tick(bb *pointerBoard, dt float32) status {
	switch n.child.Tick(bb, dt) {
	case running:
		return running
	case failure:
		n.done = 0
		return failure
	}
	n.done++
	if n.rounds > 0 && n.done >= n.rounds {
		n.done = 0
		return success
	}
	n.child.Reset(bb)
	return running
}

func (n *repeat) Reset(bb *pointerBoard) {
	n.done = 0
	n.child.Reset(bb)
}

// cooldown lets its child succeed once per interval. It limits a rate, so a reset does not end it.
type cooldown struct {
	child         node
	micros, ready int64
}

func newCooldown(seconds float64, child node) node {
	return &cooldown{child: child, micros: int64(seconds * 1e6)}
}

func (n *cooldown) Tick(bb *pointerBoard, dt float32) status {
	now := bb.time()
	if now < n.ready {
		return failure
	}
	s := n.child.Tick(bb, dt)
	if s == success {
		n.ready = now + n.micros
	}
	return s
}

func (n *cooldown) Reset(bb *pointerBoard) { n.child.Reset(bb) }

// timeout fails when its child takes too long.
type timeout struct {
	child            node
	micros, deadline int64
	running          bool
}

func newTimeout(seconds float64, child node) node {
	return &timeout{child: child, micros: int64(seconds * 1e6)}
}

func (n *timeout) Tick(bb *pointerBoard, dt float32) status {
	if !n.running {
		n.deadline = bb.instant + n.micros
	}
	s := n.child.Tick(bb, dt)
	n.running = s == running
	if n.running && bb.time() >= n.deadline {
		n.Reset(bb)
		bb.instant = n.deadline
		return failure
	}
	return s
}

func (n *timeout) Reset(bb *pointerBoard) {
	n.running = false
	n.child.Reset(bb)
}

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
