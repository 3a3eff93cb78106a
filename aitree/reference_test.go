package aitree_test

import (
	"fmt"
	"math"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/scoringref"
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
}

// expand inlines the uses of subtrees; the leaves of use u, conditions apart, are named u.NAME.
func expand(root *refNode, subtrees map[string]*refNode) (*refTree, error) {
	t := &refTree{}
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
	wishes *wishes // what the utility nodes read

	clock      components.Timestamp
	now        int64 // the clock in microseconds
	previous   int64 // now of the last tick
	state      []refState
	conditions map[string]bool
	reports    map[*refNode]result
	serial     int // of the present step
	log        []refInvocation
	fired      []*refNode
	did        refChoosing
}

// refChoosing counts what the utility nodes did in a step.
type refChoosing struct {
	scored, spared int // choices that were scored, and that stood because nothing had moved
	made           int // choices of a node that was entered
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
	last     result               // what it returned last, or aborted
	choice   refChoice            // of a utility: in force while it runs; else remembered
	took     refChoice            // of a utility: what it ticked last, or none
	seen     sight                // of a utility: what its last scoring has read
	aim      components.Entity    // of a leaf that binds ChosenTarget: when it was entered or fired

	ticked, reset int    // step in which it was
	restarted     int    // step in which it was made as just built, to be ticked afresh in it (U40)
	before        bool   // it ran before the step
	began         bool   // a leaf that was entered in the step
	ended         result // how a leaf that was entered ended in the step
}

// add adds the counts of a step.
func (c *refChoosing) add(o *refChoosing) {
	c.scored += o.scored
	c.spared += o.spared
	c.made += o.made
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
}

type refExit struct {
	leaf *refNode
	how  result
}

func newRefAgent(tree *refTree, entity components.Entity, script refScript, draw refDraw) *refAgent {
	return &refAgent{tree: tree, entity: entity, script: script, draw: draw, state: make([]refState, len(tree.nodes)), conditions: map[string]bool{}}
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
	step.status, step.next = status, next
	return step
}

// resetAgent is the reset from outside: it aborts everything and clears cooldowns of both kinds (30).
func (a *refAgent) resetAgent() refStep {
	a.begin()
	a.reset(a.tree.root)
	for i := range a.state {
		a.state[i].cooling = false
		a.state[i].choice = refChoice{}
	}
	return a.end()
}

func (a *refAgent) begin() {
	a.serial++
	a.log, a.fired, a.did = a.log[:0], nil, refChoosing{}
	for i := range a.state {
		s := &a.state[i]
		s.before, s.began, s.ended = s.running, false, 0
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
	if s.ticked == a.serial || s.reset == a.serial && s.before {
		panic(fmt.Sprintf("reference: %v is ticked twice, or after its reset", n)) // 32
	}
	s.ticked = a.serial
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

// restart makes a subtree that runs as just built, to be ticked afresh in this very tick: the exception of 32.
func (a *refAgent) restart(n *refNode) {
	a.reset(n)
	for i := n.index; i < a.tree.end[n.index]; i++ {
		a.state[i].reset, a.state[i].restarted = 0, a.serial
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

// holds is the value of a condition in this tick (7).
func (a *refAgent) holds(name string) bool {
	if name[0] == '!' {
		return !a.holds(name[1:])
	}
	value, known := a.conditions[name]
	if !known {
		value = a.script.holds(name)
		a.conditions[name] = value
	}
	return value
}

// run is the table of nodes.
func (a *refAgent) run(n *refNode, s *refState, at int64, entering bool) (result, int64) {
	switch n.kind {
	case refAction:
		r := a.script.invoke(n, entering)
		a.log = append(a.log, refInvocation{n, entering, r})
		return r, at

	case refCondition:
		return resultIf(a.holds(n.cond)), at

	case refFire:
		a.aim(n, s)
		a.fired = append(a.fired, n)
		return succeeded, at

	case refDo:
		if n.until != "" && a.holds(n.until) { // 9, 10
			return succeeded, at
		}
		if report := a.reports[n]; !entering && report != 0 { // 11
			return report, at
		}
		if entering {
			a.aim(n, s)
		}
		return running, at

	case refWait:
		if entering {
			s.deadline = at + a.duration(n)
		}
		if a.now >= s.deadline { // 20
			return succeeded, s.deadline // 21
		}
		return running, at

	case refSequence, refSelector, refRandomSequence, refRandomSelector:
		if entering {
			s.child, s.entered = 0, a.clock
		}
		goesOn := succeeded
		if n.kind == refSelector || n.kind == refRandomSelector {
			goesOn = failed
		}
		order := a.order(n, s)
		for ; s.child < len(order); s.child++ {
			var r result
			if r, at = a.exec(n.children[order[s.child]], at); r != goesOn {
				return r, at
			}
		}
		return goesOn, at

	case refReactiveSequence, refReactiveSelector:
		goesOn := succeeded
		if n.kind == refReactiveSelector {
			goesOn = failed
		}
		for i, child := range n.children {
			var r result
			if r, at = a.exec(child, at); r != goesOn {
				a.resetRunning(n.children[i+1:])
				return r, at
			}
		}
		return goesOn, at

	case refWeightedChoice:
		if entering {
			s.entered = a.clock
		}
		return a.exec(n.children[a.choice(n, s)], at)

	case refParallel:
		return a.parallel(n, s, at, entering)

	case refUtility:
		return a.utility(n, s, at, entering)

	case refInverter:
		r, next := a.exec(n.children[0], at)
		switch r {
		case succeeded:
			r = failed
		case failed:
			r = succeeded
		}
		return r, next

	case refForceSuccess, refForceFailure:
		r, next := a.exec(n.children[0], at)
		if r != running {
			r = resultIf(n.kind == refForceSuccess)
		}
		return r, next

	case refRepeat, refRetry, refUntilSuccess, refUntilFailure:
		return a.loop(n, s, at, entering)

	case refCooldown:
		if entering && s.cooling && a.now < s.ready { // 16
			return failed, at
		}
		r, next := a.exec(n.children[0], at)
		if r == succeeded {
			s.cooling, s.ready = true, a.now+micros(n.seconds)
		}
		return r, next

	case refTimeout:
		if entering {
			s.deadline = at + micros(n.seconds)
		}
		r, next := a.exec(n.children[0], at)
		if r == running && a.now >= s.deadline { // 27
			a.reset(n.children[0])
			return failed, s.deadline // 28
		}
		return r, next

	case refGuard:
		if !a.holds(n.cond) { // 18
			a.resetRunning(n.children)
			return failed, at
		}
		return a.exec(n.children[0], at)
	}
	panic("reference: no such node")
}

func (a *refAgent) parallel(n *refNode, s *refState, at int64, entering bool) (result, int64) {
	if entering {
		s.results = make([]result, len(n.children))
	}
	successes, failures, latest := 0, 0, int64(math.MinInt64)
	for i, child := range n.children {
		r := s.results[i]
		if r == 0 {
			var next int64
			r, next = a.exec(child, at) // 23: each child comes in at the same instant
			if r != running {
				latest = max(latest, next)
				if n.latched {
					s.results[i] = r // 25
				}
			}
		}
		switch r {
		case succeeded:
			successes++
		case failed:
			failures++
		}
	}
	policy := func(threshold int) int {
		if threshold == 0 {
			return len(n.children)
		}
		return threshold
	}
	r := running
	switch {
	case failures >= policy(n.failure): // 19
		r = failed
	case successes >= policy(n.success):
		r = succeeded
	case successes+failures == len(n.children): // 26
		r = failed
	default:
		return running, at
	}
	a.resetRunning(n.children)
	return r, latest
}

// utility is a UtilitySelector. The numbers with a U are those of the rules of utility.
func (a *refAgent) utility(n *refNode, s *refState, at int64, entering bool) (result, int64) {
	if entering {
		s.choice.committed = false // what is remembered has inertia only
	}
	ranOut := s.choice.committed && a.now >= s.choice.since+micros(n.brain.commitment) // U25
	if ranOut {
		s.choice.committed = false
	}
	now := a.wishes.sight(a.clock)
	switch {
	case !entering && n.hold: // U39
		a.did.held++
	case !entering && n.brain.rescores && !ranOut && !n.brain.moved(&s.seen, &now): // U41
		a.did.spared++
	default:
		s.seen = now
		if !a.choose(n, s, &now, entering) {
			s.took = refChoice{}
			return failed, at // U27, U37
		}
	}
	s.took = s.choice
	r, next := a.exec(n.children[slices.Index(n.branches, s.choice.action)], at)
	if r != running && !n.remember {
		s.choice = refChoice{} // U38
	}
	return r, next
}

// choose scores and chooses, and resets what the node turns from. It returns whether there is a choice.
func (a *refAgent) choose(n *refNode, s *refState, now *sight, entering bool) bool {
	brain, old := n.brain, s.choice
	a.did.scored++
	question := scoringref.Agent{Inputs: now.own, Targets: now.targets[brain.list], Draw: a.draw(a.entity, a.clock, n, 0)}
	was := scoringref.Choice{Made: old.made, Action: old.action, Target: old.target, Held: math.Inf(1)}
	free := brain.evaluator.Decide(&question, was)
	next := free
	if old.committed {
		was.Held = 0
		next = brain.evaluator.Decide(&question, was)
	}
	same := next.Made && old.made && next.Action == old.action && next.Target == old.target
	a.countChoice(n, &question, was, free, next, same, entering)
	if !same || entering {
		s.choice = refChoice{made: next.Made, action: next.Action, target: next.Target, since: a.now,
			committed: next.Made && micros(brain.commitment) > 0}
	}
	switch {
	case entering || same:
	case !next.Made || next.Action != old.action:
		a.resetRunning(n.children) // U37
	default: // U40
		a.restart(n.children[slices.Index(n.branches, old.action)])
	}
	return next.Made
}

// countChoice counts what decided, so that a test can tell what it has seen.
func (a *refAgent) countChoice(n *refNode, agent *scoringref.Agent,
	was, free, next scoringref.Choice, same, entering bool) {
	d := &a.did
	pair := func(c scoringref.Choice) scoringref.Choice { c.Held = 0; return c }
	switch {
	case !next.Made:
		d.none++
	case entering:
		d.made++
	case !same && next.Action == was.Action:
		d.retargeted++
	case !same:
		d.turned++
	}
	if n.brain.evaluator.Mode != "argmax" {
		d.drawn++
	}
	if pair(free) != pair(next) {
		d.committed++
	}
	if same && pair(n.brain.evaluator.Decide(agent, scoringref.Choice{})) != pair(free) {
		if entering {
			d.remembered++
		} else {
			d.inert++
		}
	}
}

// aim notes the target that a leaf binds when it is entered or fires.
func (a *refAgent) aim(n *refNode, s *refState) {
	if n.chosen {
		s.aim = entityOf(a.state[n.chooser.index].choice.target)
	}
}

func (a *refAgent) loop(n *refNode, s *refState, at int64, entering bool) (result, int64) {
	if entering {
		s.count = 0
	}
	again, limit := succeeded, n.times
	switch n.kind {
	case refRetry:
		again = failed
	case refUntilSuccess:
		again, limit = failed, 0
	case refUntilFailure:
		limit = 0
	}
	r, next := a.exec(n.children[0], at)
	switch {
	case r == running:
		return running, next
	case r != again:
		if n.kind == refUntilFailure {
			return succeeded, next // 12
		}
		return r, next
	}
	if s.count++; limit > 0 && s.count >= limit {
		return r, next
	}
	a.reset(n.children[0]) // 14: between two rounds; the next begins on the next tick
	return running, next
}

// order is the order in which a Sequence or Selector takes its children: the drawn one of a random
// composite is the same for as long as it runs.
func (a *refAgent) order(n *refNode, s *refState) []int {
	order := make([]int, len(n.children))
	for i := range order {
		order[i] = i
	}
	if n.kind == refRandomSequence || n.kind == refRandomSelector {
		for i := len(order) - 1; i > 0; i-- {
			j := random.Below(a.draw(a.entity, s.entered, n, i), uint32(i+1))
			order[i], order[j] = order[j], order[i]
		}
	}
	return order
}

// choice is the child that a WeightedChoice has drawn: the draw's high 32 bits are a point of the line on
// which the weights lie end to end.
func (a *refAgent) choice(n *refNode, s *refState) int {
	total := 0.0
	for _, w := range n.weights {
		total += w
	}
	at := float64(a.draw(a.entity, s.entered, n, 0) >> 32)
	upTo, last := 0.0, 0
	for i, w := range n.weights {
		if w <= 0 {
			continue
		}
		last = i
		if upTo += w; at < math.Floor(upTo/total*(1<<32)) {
			break
		}
	}
	return last
}

// duration is that of a wait, in microseconds; Wait(min, max) draws it on entry.
func (a *refAgent) duration(n *refNode) int64 {
	least, most := micros(n.seconds), micros(n.most)
	if least == most {
		return least
	}
	return least + int64(random.Below(a.draw(a.entity, a.clock, n, 0), uint32(most-least+1)))
}
