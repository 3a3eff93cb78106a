package pointertree

type guard struct {
	condition func(*Blackboard) bool
	child     Node
	running   bool
}

// Guard ticks its child while a condition holds.
func Guard(condition func(*Blackboard) bool, child Node) Node {
	return &guard{condition: condition, child: child}
}

func (n *guard) Tick(bb *Blackboard, dt float32) Status {
	if !n.condition(bb) {
		if n.running {
			n.running = false
			n.child.Reset(bb)
		}
		return Failure
	}
	s := n.child.Tick(bb, dt)
	n.running = s == Running
	return s
}

func (n *guard) Reset(bb *Blackboard) {
	n.running = false
	n.child.Reset(bb)
}

type forceSuccess struct{ child Node }

// ForceSuccess succeeds whatever its child does.
func ForceSuccess(child Node) Node { return &forceSuccess{child} }

func (n *forceSuccess) Tick(bb *Blackboard, dt float32) Status {
	if n.child.Tick(bb, dt) == Running {
		return Running
	}
	return Success
}

func (n *forceSuccess) Reset(bb *Blackboard) { n.child.Reset(bb) }

type repeat struct {
	child        Node
	rounds, done int
}

// Repeat runs its child a number of times, one round per tick; 0 is without end.
func Repeat(rounds int, child Node) Node { return &repeat{child: child, rounds: rounds} }

func (n *repeat) Tick(bb *Blackboard, dt float32) Status {
	switch n.child.Tick(bb, dt) {
	case Running:
		return Running
	case Failure:
		n.done = 0
		return Failure
	}
	n.done++
	if n.rounds > 0 && n.done >= n.rounds {
		n.done = 0
		return Success
	}
	n.child.Reset(bb)
	return Running
}

func (n *repeat) Reset(bb *Blackboard) {
	n.done = 0
	n.child.Reset(bb)
}

type cooldown struct {
	child         Node
	micros, ready int64
}

// Cooldown lets its child succeed once per interval. It limits a rate, so a reset does not end the interval.
func Cooldown(seconds float64, child Node) Node {
	return &cooldown{child: child, micros: int64(seconds * 1e6)}
}

func (n *cooldown) Tick(bb *Blackboard, dt float32) Status {
	now := bb.time()
	if now < n.ready {
		return Failure
	}
	s := n.child.Tick(bb, dt)
	if s == Success {
		n.ready = now + n.micros
	}
	return s
}

func (n *cooldown) Reset(bb *Blackboard) { n.child.Reset(bb) }

type timeout struct {
	child            Node
	micros, deadline int64
	running          bool
}

// Timeout fails when its child takes longer than a number of seconds.
func Timeout(seconds float64, child Node) Node {
	return &timeout{child: child, micros: int64(seconds * 1e6)}
}

func (n *timeout) Tick(bb *Blackboard, dt float32) Status {
	if !n.running {
		n.deadline = bb.Instant + n.micros
	}
	s := n.child.Tick(bb, dt)
	n.running = s == Running
	if n.running && bb.time() >= n.deadline {
		n.Reset(bb)
		bb.Instant = n.deadline
		return Failure
	}
	return s
}

func (n *timeout) Reset(bb *Blackboard) {
	n.running = false
	n.child.Reset(bb)
}
