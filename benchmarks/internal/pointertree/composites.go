package pointertree

// A behaviour tree of node objects, the way it is commonly written for games: a node has Tick and Reset, composites
// hold their children, leaves read and write a blackboard, and each agent has a tree and a blackboard of its own. It
// was written for this comparison. Times follow package aitree, so that both can be held to the same intents:
// microseconds of the clock, and a branch that has waited goes on at its deadline.

// sequence ticks its children until one does not succeed, and resumes at the one that runs.
type sequence struct {
	children []Node
	current  int
}

func NewSequence(children ...Node) Node { return &sequence{children: children} }

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

// selector ticks its children until one does not fail, and resumes at the one that runs.
type selector struct {
	children []Node
	current  int
}

func NewSelector(children ...Node) Node { return &selector{children: children} }

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

// reactiveSelector starts from its first child every time; one that does not fail takes over from the one that ran.
type reactiveSelector struct {
	children []Node
	running  int // or -1
}

func NewReactiveSelector(children ...Node) Node {
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

// parallelNode ticks all its children and is over as soon as one is: it fails when one fails, else succeeds when one
// succeeds.
type parallelNode struct{ children []Node }

func NewParallel(children ...Node) Node { return &parallelNode{children} }

func (n *parallelNode) Tick(bb *Blackboard, dt float32) Status {
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

func (n *parallelNode) Reset(bb *Blackboard) {
	for _, c := range n.children {
		c.Reset(bb)
	}
}
