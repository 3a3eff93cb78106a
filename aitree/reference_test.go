package aitree_test

import (
	"fmt"
	"math"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
)

// The reference: a plain recursive interpreter of one agent, written from the table of the design and
// the rules of the conformance cases alone. It is the oracle of the block executor's tests. The numbers
// in its comments are those of the rules.

// A result is what a node returns: success 'S', failure 'F' or running 'R'; and how a leaf ended: 'S',
// 'F' or aborted 'A'. Zero is none.
type result byte

const (
	succeeded result = 'S'
	failed    result = 'F'
	running   result = 'R'
	aborted   result = 'A'
)

func (r result) String() string {
	switch r {
	case 0:
		return "none"
	case aborted:
		return "abort"
	}
	return string(rune(r))
}

// resultIf is success if ok, else failure.
func resultIf(ok bool) result {
	if ok {
		return succeeded
	}
	return failed
}

// A refTree is a tree whose subtrees are expanded: each use has nodes of its own (31).
type refTree struct {
	root   *refNode
	nodes  []*refNode // in pre-order; nodes[i].index == i
	end    []int      // index behind the subtree of each node
	leaves []*refNode

	chances map[string]int // the numbers of the chances, in the order in which they are met
}

// expand inlines the uses of subtrees; the leaves of use u, conditions apart, are named u.NAME.
func expand(root *refNode, subtrees map[string]*refNode) (*refTree, error) {
	t := &refTree{chances: map[string]int{}}
	var walk func(n, chooser *refNode, prefix string, depth int) (*refNode, error)
	walk = func(n, chooser *refNode, prefix string, depth int) (*refNode, error) {
		if depth > 1000 {
			return nil, fmt.Errorf("subtrees use one another")
		}
		if n.kind == refUse {
			subtree := subtrees[n.subtree]
			if subtree == nil {
				return nil, fmt.Errorf("no subtree %s", n.subtree)
			}
			return walk(subtree, chooser, prefix+n.label+".", depth+1)
		}
		c := *n
		if c.canRun() || c.kind == refFire {
			c.label = prefix + c.label
		}
		c.index, c.origin, c.chooser = len(t.nodes), n, chooser
		t.nodes = append(t.nodes, &c)
		t.countChances(c.cond)
		t.countChances(c.until)
		if c.evaluator != nil {
			t.countConsidered(c.evaluator)
		}
		t.end = append(t.end, 0)
		if c.isLeaf() {
			t.leaves = append(t.leaves, &c)
		}
		c.children = nil
		if c.kind == refUtility {
			chooser = &c
		}
		for _, child := range n.children {
			e, err := walk(child, chooser, prefix, depth+1)
			if err != nil {
				return nil, err
			}
			c.children = append(c.children, e)
		}
		t.end[c.index] = len(t.nodes)
		return &c, nil
	}
	var err error
	t.root, err = walk(root, nil, "", 0)
	return t, err
}

// chooses reports whether the tree has a utility node.
func (t *refTree) chooses() bool {
	return slices.ContainsFunc(t.nodes, func(n *refNode) bool { return n.kind == refUtility })
}

// A refScript answers for the world: what the action leaves return and which conditions hold.
type refScript interface {
	// invoke returns the result of an invocation of an action leaf.
	invoke(leaf *refNode, entering bool) result
	// holds returns the value of a condition; it is asked at most once per tick and condition (7).
	holds(condition string) bool
	// next ends a tick of the tree.
	next()
}

// refDraw returns the k-th draw of a node that was entered at a clock.
type refDraw func(entity components.Entity, clock components.Timestamp, node *refNode, k int) uint64

// micros are the whole microseconds of a duration in seconds.
func micros(seconds float64) int64 { return int64(math.Floor(seconds*1e6 + 1e-4)) }

// A refAgent is one agent with its tree and all that the tree remembers of it.
type refAgent struct {
	tree   *refTree
	entity components.Entity
	script refScript
	draw   refDraw
	facts  *utilityFacts // what the utility nodes read

	clock      components.Timestamp
	now        int64 // the clock in microseconds
	previous   int64 // now of the last tick
	state      []refState
	conditions map[string]bool
	reports    map[*refNode]result
	serial     int // of the present step
	log        []refInvocation
	fired      []*refNode
	targets    []components.Entity // of those in fired that bind the chosen target
	did        refChoosing
}

// refChoosing counts what the utility nodes did in a step.
type refChoosing struct {
	scored, spared int // choices that were scored, and that stood because nothing had moved
	made           int // choices of a node that was entered
	next           int // choices of the next best, after a failure
	left           int // after a failure, choices of nothing
	again          int // next best of the action that has failed, with another target
	back           int // next best of what ran and was exchanged for what has failed
	failures       int // branches of choices that have failed
	out            int // choices of which a back off has kept another
	forgotten      int // back offs that made room for another
	turned         int // running choices exchanged for another action
	retargeted     int // and for another target of the same action
	none           int // choices of nothing
	held           int // choices that stood because the node holds on
	committed      int // choices that stood because of the commitment alone
	inert          int // choices that inertia decided, in favour of the running one
	remembered     int // and in favour of a remembered one
	drawn          int // choices that were drawn
}

// refState is what a node remembers, and, behind the line, what happened to it in a step.
type refState struct {
	running  bool
	child    int                  // place of the running child
	count    int                  // rounds or attempts done
	deadline int64                // of a wait or timeout, microseconds
	entered  components.Timestamp // clock at entry of a node that draws
	results  []result             // latched
	cooling  bool                 // a cooldown has begun and nothing has cleared it
	ready    int64                // when it is over, microseconds
	start    int                  // of a round robin: the child to begin with
	begun    int64                // of an every: the instant at which the child last began, microseconds
	stands   result               // of an every: the child's last result, or none
	last     result               // what it returned last, or aborted
	choice   refChoice            // of a utility: in force while it runs; else remembered
	first    refChoice            // of a utility: what it ticked first in the step, or none
	backOffs []refBackOff         // of a utility: what is out
	seen     readings             // of a utility: what its last scoring has read
	aim      components.Entity    // of a leaf that binds ChosenTarget: when it was entered or fired

	ticked, reset int    // step in which it was
	restarted     int    // step in which it was made as just built, to be ticked afresh in it (U40, U43)
	afresh        bool   // it may be ticked once more in this step
	before        bool   // it ran before the step
	began         bool   // a leaf that was entered in the step
	ended         result // how a leaf that was entered ended in the step
}

// add adds the counts of a step.
func (c *refChoosing) add(o *refChoosing) {
	c.scored += o.scored
	c.spared += o.spared
	c.made += o.made
	c.next += o.next
	c.left += o.left
	c.again += o.again
	c.back += o.back
	c.failures += o.failures
	c.out += o.out
	c.forgotten += o.forgotten
	c.turned += o.turned
	c.retargeted += o.retargeted
	c.none += o.none
	c.held += o.held
	c.committed += o.committed
	c.inert += o.inert
	c.remembered += o.remembered
	c.drawn += o.drawn
}

// A refChoice is a pair of an action and a target.
type refChoice struct {
	made      bool
	action    int
	target    uint64
	since     int64 // when it was made, microseconds
	committed bool
}

// A refBackOff is a pair that is out until a moment. None has the moment 0.
type refBackOff struct {
	action int
	target uint64
	until  int64 // microseconds
}

// A refInvocation is one invocation of an action leaf in the present step.
type refInvocation struct {
	leaf     *refNode
	entering bool
	result   result
}

// A refStep is what one tick or reset did, by leaves in tree order.
type refStep struct {
	status  result
	exits   []refExit
	enters  []*refNode
	instant []refExit // entered and ended in this step
	running []*refNode
	ticked  []*refNode // action leaves that were invoked, and fire leaves
	fired   []*refNode // fire leaves, in the order in which they fired
	intents [components.Channels]*refNode
	anew    []*refNode // do leaves that ran before and run on, but whose order was posted anew
	next    int64      // the instant at which the root ended, microseconds
	prompt  bool       // the agent is due again in the next frame (40)
}

type refExit struct {
	leaf *refNode
	how  result
}

func newRefAgent(tree *refTree, entity components.Entity, script refScript, draw refDraw) *refAgent {
	return &refAgent{tree: tree, entity: entity, script: script, draw: draw, state: make([]refState, len(tree.nodes)),
		conditions: map[string]bool{}}
}

// tick ticks the tree at a clock, with what the action systems have reported since the last step.
func (a *refAgent) tick(clock components.Timestamp, reports map[*refNode]result) refStep {
	a.begin()
	a.clock, a.previous, a.now = clock, a.now, int64(clock)/1000
	a.reports = reports
	clear(a.conditions)
	status, next := a.exec(a.tree.root, a.now)
	for i := range a.state {
		// 35: every running node is either ticked or reset on each tick.
		if s := &a.state[i]; s.before && s.ticked != a.serial && s.reset != a.serial && s.restarted != a.serial {
			panic(fmt.Sprintf("reference: running node %v was neither ticked nor reset", a.tree.nodes[i]))
		}
	}
	step := a.end()
	step.status, step.next, step.prompt = status, next, a.prompt()
	return step
}

// prompt reports whether a running root completed in this tick, or a loop that ran before it rests between two rounds
// (40).
func (a *refAgent) prompt() bool {
	if root := &a.state[a.tree.root.index]; root.before && !root.running {
		return true
	}
	return slices.ContainsFunc(a.tree.nodes, func(n *refNode) bool {
		s := &a.state[n.index]
		switch n.kind {
		case refRepeat, refRetry, refUntilSuccess, refUntilFailure, refRecovery:
			rests := !slices.ContainsFunc(n.children, func(c *refNode) bool { return a.state[c.index].running })
			return s.before && s.restarted != a.serial && s.running && rests
		}
		return false
	})
}

// resetAgent is the reset from outside: it aborts everything and clears cooldowns of both kinds (30).
func (a *refAgent) resetAgent() refStep {
	a.begin()
	a.reset(a.tree.root)
	for i := range a.state {
		a.state[i].cooling = false
		a.state[i].start, a.state[i].stands = 0, 0
		a.state[i].choice = refChoice{}
		a.state[i].backOffs = nil
	}
	return a.end()
}

func (a *refAgent) begin() {
	a.serial++
	a.log, a.fired, a.targets, a.did = a.log[:0], nil, a.targets[:0], refChoosing{}
	for i := range a.state {
		s := &a.state[i]
		s.before, s.began, s.ended, s.afresh = s.running, false, 0, false
	}
}

// end compares what ran before the step with what runs after it (32, 4).
func (a *refAgent) end() refStep {
	step := refStep{fired: a.fired}
	for _, leaf := range a.tree.leaves {
		s := &a.state[leaf.index]
		if s.ticked == a.serial {
			switch leaf.kind {
			case refAction:
				step.ticked = append(step.ticked, leaf)
			case refFire:
				step.ticked = append(step.ticked, leaf)
			}
		}
		switch {
		case s.before && !s.running:
			step.exits = append(step.exits, refExit{leaf, s.ended})
		case !s.before && s.running:
			step.enters = append(step.enters, leaf)
		case s.began && !s.running:
			step.instant = append(step.instant, refExit{leaf, s.ended})
		}
		if s.running {
			step.running = append(step.running, leaf)
			if leaf.kind == refDo {
				if step.intents[leaf.channel] != nil {
					panic("reference: two Do leaves of a channel run") // 33
				}
				step.intents[leaf.channel] = leaf
				if s.before && s.restarted == a.serial {
					step.anew = append(step.anew, leaf) // U40
				}
			}
		}
	}
	return step
}

// exec ticks a node at an instant and returns its result and the instant at which what follows goes on.
func (a *refAgent) exec(n *refNode, at int64) (result, int64) {
	s := &a.state[n.index]
	if !s.afresh && (s.ticked == a.serial || s.reset == a.serial && s.before) {
		panic(fmt.Sprintf("reference: %v is ticked twice, or after its reset", n)) // 32
	}
	s.ticked, s.afresh = a.serial, false
	entering := !s.running
	if !entering {
		at = a.now // 21: what is resumed comes in at now
	}
	r, next := a.run(n, s, at, entering)
	earliest := at
	if !entering {
		earliest = a.previous
	}
	if next < earliest || next > a.now { // 37
		panic(fmt.Sprintf("reference: %v goes on at %d, outside %d to %d", n, next, earliest, a.now))
	}
	s.running = r == running
	s.last = r
	if n.canRun() {
		// A Do whose until holds on entry is not entered at all (9).
		s.began = entering && (n.kind != refDo || r == running)
		if r != running {
			s.ended = r // 5
		}
	}
	return r, next
}

// reset makes a subtree as just built, but for cooldowns that survive it. Its running leaves are aborted.
func (a *refAgent) reset(n *refNode) {
	s := &a.state[n.index]
	s.reset = a.serial
	if s.running {
		s.running, s.last = false, aborted
		if n.canRun() {
			s.ended = aborted // 3
		}
	}
	if n.resets {
		s.cooling = false // 17
	}
	if !n.remember {
		s.choice = refChoice{}
	}
	for _, child := range n.children {
		a.reset(child)
	}
}

// afresh lets a subtree in which nothing runs be ticked in this very tick, in which it was reset (U40) or has completed
// (U43): the exceptions of 32.
func (a *refAgent) afresh(n *refNode) {
	for i := n.index; i < a.tree.end[n.index]; i++ {
		a.state[i].afresh, a.state[i].restarted = true, a.serial
	}
}

// resetRunning resets those of the nodes that run.
func (a *refAgent) resetRunning(nodes []*refNode) {
	for _, n := range nodes {
		if a.state[n.index].running {
			a.reset(n)
		}
	}
}
