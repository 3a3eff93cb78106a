package benchmarks

// A behaviour tree of node objects, the way it is commonly written for games: a node has Tick and Reset, composites
// hold their children, leaves read and write a blackboard, and each agent has a tree and a blackboard of its own. It
// was written for this comparison. Times follow package aitree, so that both can be held to the same intents:
// microseconds of the clock, and a branch that has waited goes on at its deadline.

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
