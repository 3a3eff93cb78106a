package pointertree

type sequence struct {
	children []Node
	current  int
}

// Sequence ticks its children until one does not succeed, and resumes at the running one.
func Sequence(children ...Node) Node { return &sequence{children: children} }

func (n *sequence) Tick(bb *Blackboard, dt float32) Status {
	for ; n.current < len(n.children); n.current++ {
		switch n.children[n.current].Tick(bb, dt) {
		case Running:
			return Running
		case Failure:
			n.current = 0
			return Failure
		}
	}
	n.current = 0
	return Success
}

func (n *sequence) Reset(bb *Blackboard) {
	n.current = 0
	for _, c := range n.children {
		c.Reset(bb)
	}
}

type selector struct {
	children []Node
	current  int
}

// Selector ticks its children until one does not fail, and resumes at the running one.
func Selector(children ...Node) Node { return &selector{children: children} }

func (n *selector) Tick(bb *Blackboard, dt float32) Status {
	for ; n.current < len(n.children); n.current++ {
		switch n.children[n.current].Tick(bb, dt) {
		case Running:
			return Running
		case Success:
			n.current = 0
			return Success
		}
	}
	n.current = 0
	return Failure
}

func (n *selector) Reset(bb *Blackboard) {
	n.current = 0
	for _, c := range n.children {
		c.Reset(bb)
	}
}

type reactiveSelector struct {
	children []Node
	running  int // or -1
}

// ReactiveSelector starts from its first child in every tick. A child that does not fail replaces the running one.
func ReactiveSelector(children ...Node) Node {
	return &reactiveSelector{children: children, running: -1}
}

func (n *reactiveSelector) Tick(bb *Blackboard, dt float32) Status {
	for i, c := range n.children {
		s := c.Tick(bb, dt)
		if s == Failure {
			continue
		}
		if n.running >= 0 && n.running != i {
			n.children[n.running].Reset(bb)
		}
		n.running = -1
		if s == Running {
			n.running = i
		}
		return s
	}
	n.running = -1
	return Failure
}

func (n *reactiveSelector) Reset(bb *Blackboard) {
	n.running = -1
	for _, c := range n.children {
		c.Reset(bb)
	}
}

type parallel struct{ children []Node }

// Parallel ticks all its children and ends as soon as one of them ends: it fails when one fails, else succeeds when one
// succeeds.
func Parallel(children ...Node) Node { return &parallel{children} }

func (n *parallel) Tick(bb *Blackboard, dt float32) Status {
	start, end := bb.Instant, bb.Instant
	failed, succeeded := false, false
	for _, c := range n.children {
		bb.Instant = start
		s := c.Tick(bb, dt)
		failed = failed || s == Failure
		succeeded = succeeded || s == Success
		if s != Running {
			end = max(end, bb.Instant)
		}
	}
	if !failed && !succeeded {
		return Running
	}
	n.Reset(bb)
	bb.Instant = end
	if failed {
		return Failure
	}
	return Success
}

func (n *parallel) Reset(bb *Blackboard) {
	for _, c := range n.children {
		c.Reset(bb)
	}
}
