package benchmarks

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
