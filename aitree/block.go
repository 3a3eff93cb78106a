package aitree

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/factcache"
	"github.com/flockwork-ai/flockwork/internal/scoring"
)

// Block is up to 64 agents that run one program and are ticked together: bit i of a mask is lane i.
// The caller fills it; the executor writes minds, intents and triggers, and nothing else.
type Block struct {
	Mask     uint64 // the lanes to tick; holes are allowed
	Entities [64]components.Entity
	Minds    [64][]uint32             // the Words of the agents' minds
	Intents  [64]*components.Intent   // for a program with Do leaves
	Triggers [64]*components.Triggers // for a program with Fire leaves

	// Agents that lie in columns are named by their rows instead, and the four fields above are not used. Lane i is
	// Rows[i]; without Rows it is the i-th row from First on.
	Columns *Columns
	Rows    []blackboard.Row
	First   blackboard.Row

	// Number is what the minds call the program, or 0. If it is given, agents whose minds name another program are
	// left alone.
	Number uint16

	Since  [64]int64            // nanoseconds since the agent's last decision, for custom leaves
	Facts  blackboard.Source    // for a program that reads facts
	Seed   uint64               // of the world: a key of every draw
	Now    components.Timestamp // the clock all lanes share
	Worker int                  // handed to custom leaves and predicates
	User   any                  // handed to custom leaves and predicates
}

// EventKind is what happened to a leaf.
type EventKind uint8

// Exit is how a running leaf ended.
type Exit EventKind

// The kinds of events. The exits sort before the enter, as they happen.
const (
	ExitSuccess EventKind = iota
	ExitFailure
	ExitAborted
	Enter
)

// The ways a leaf exits.
const (
	Done    = Exit(ExitSuccess)
	Failed  = Exit(ExitFailure)
	Aborted = Exit(ExitAborted)
)

// String returns the exit's name.
func (e Exit) String() string { return [...]string{"done", "failed", "aborted"}[e] }

// Event is an enter or an exit of a leaf in one lane.
type Event struct {
	Leaf uint16 // index of [Program.Leaves]
	Lane uint8
	Kind EventKind
}

// Executor ticks blocks. It holds scratch memory only, so one serves any program and block, one goroutine at a time;
// after its first tick of the largest program it allocates nothing. Make it with [NewExecutor].
type Executor struct {
	// EveryLeaf asks for the events of all leaves; without it only those with hooks report.
	EveryLeaf bool

	// Results of the last tick.
	Succeeded, Failed, Running uint64  // by the root's status
	Strangers                  uint64  // lanes that were left alone; see Block.Number
	Events                     []Event // exits and enters, by leaf, then lane, then exits first
	Transitions                int     // leaves entered and still running

	// Switches counts since the executor was made how often a UtilitySelector exchanged a running choice for another. A
	// caller may clear it.
	Switches int64

	// Counts by action since the executor was made, indexed by handle. A caller may clear them.
	Starts []int64 // orders posted and triggers fired
	Active []int64 // orders posted less orders that ended

	program *Program
	block   *Block
	mask    uint64 // of the block, less the strangers
	now     int64  // microseconds

	run, was  []uint64 // by node: the lanes in which it runs, now and before the tick
	planes    []uint64 // was, and before it the lanes in which nothing ran
	succeeded []uint64 // by node: the lanes in which a leaf completed in this tick
	failed    []uint64
	latchedS  []uint64 // by node: results a latched Parallel keeps of its children
	latchedF  []uint64
	fired     uint64 // lanes that have posted a trigger in this tick
	fireCount [64]uint8

	moved   uint64    // lanes whose instant is not now
	instant [64]int64 // of the moved lanes, microseconds
	stale   uint64    // lanes whose last tick was in an earlier epoch
	base    [64]int64 // of the stale lanes: where that epoch began

	// Where the agents lie, if they are rows of one chunk that follow one another.
	dense    bool
	stride   int
	minds    []uint32
	intents  []components.Intent
	triggers []components.Triggers

	reported [components.Channels]outcomes

	entities     [64]components.Entity // of agents in columns, for custom leaves
	haveEntities bool

	known []uint64 // by test: the lanes in which it has been evaluated
	value []uint64 // and its value there
	facts factcache.Cache
	ctx   Context
	agent Agent
	// Of UtilitySelectors.
	scorer    *scoring.Scorer
	decision  scoring.Decision
	memory    [64][]uint32
	chosen    [64]components.Entity // scratch of chosenTargets
	before    [64]components.Entity // scratch of choose: the targets in force
	restarted []restart
}

// restart is a branch of a UtilitySelector that was reset and ticked afresh in one tick, because its target is another.
type restart struct {
	first, end int32 // its nodes
	lanes      uint64
}

// outcomes are the lanes in which the order of one channel has been reported on.
type outcomes struct{ known, succeeded, failed uint64 }

// NewExecutor returns an executor.
func NewExecutor() *Executor {
	return &Executor{Events: make([]Event, 0, 512), scorer: new(scoring.Scorer), restarted: make([]restart, 0, 64)}
}

// Prepare makes room for what a program and its evaluators need, so that the first agents that are ticked, or choose,
// allocate nothing.
func (x *Executor) Prepare(p *Program) {
	x.begin(p, &Block{})
	for i := range p.brains {
		x.scorer.Begin(p.brains[i].evaluator, scoring.Host{})
	}
	x.Clear()
}

// Tick ticks the block's agents once. All must run p: that is the caller's to see to, unless the block has a Number.
func (x *Executor) Tick(p *Program, b *Block) {
	x.begin(p, b)
	if x.mask == 0 {
		return
	}
	x.load()
	if x.mask == 0 {
		return
	}
	s, r := x.exec(0, x.mask)
	x.Succeeded, x.Running = s, r
	x.Failed = x.mask &^ s &^ r
	x.finish()
}

// Reset aborts what runs in the block's agents and clears their minds, cooldowns included, for an agent
// that is pooled, respawned, given another tree or removed. Their orders are withdrawn. The next
// tick starts afresh.
func (x *Executor) Reset(p *Program, b *Block) {
	x.begin(p, b)
	if x.mask == 0 {
		return
	}
	x.load()
	clear(x.run)
	x.finish()
	for m := x.mask; m != 0; m &= m - 1 {
		words := x.mind(lowest(m))
		words[0] &= 0xffff
		clear(words[1:])
	}
}

// begin makes the scratch memory fit the program and forgets the last tick.
func (x *Executor) begin(p *Program, b *Block) {
	x.program, x.block = p, b
	x.now = int64(b.Now) / 1000
	x.Succeeded, x.Failed, x.Running, x.Transitions = 0, 0, 0, 0
	x.Events, x.restarted = x.Events[:0], x.restarted[:0]
	for len(x.Starts) < p.actions {
		x.Starts, x.Active = append(x.Starts, 0), append(x.Active, 0)
	}
	x.mask, x.Strangers = b.Mask, 0
	x.moved, x.stale, x.fired = 0, 0, 0
	x.haveEntities = false
	x.reported = [components.Channels]outcomes{}
	x.place()

	n := len(p.nodes)
	if cap(x.run) < n {
		x.planes, x.run = make([]uint64, n+1), make([]uint64, n)
		x.succeeded, x.failed = make([]uint64, n), make([]uint64, n)
		x.latchedS, x.latchedF = make([]uint64, n), make([]uint64, n)
	}
	x.planes, x.run = x.planes[:n+1], x.run[:n]
	x.was = x.planes[1:]
	x.succeeded, x.failed = x.succeeded[:n], x.failed[:n]
	x.latchedS, x.latchedF = x.latchedS[:n], x.latchedF[:n]
	clear(x.planes)
	if x.EveryLeaf || p.hooked {
		clear(x.succeeded)
		clear(x.failed)
	}
	if len(p.parallels) > 0 {
		clear(x.latchedS)
		clear(x.latchedF)
	}

	t := len(p.tests)
	if cap(x.value) < t {
		x.value = make([]uint64, t)
	}
	x.value = x.value[:t]

	if cap(x.known) < t {
		x.known = make([]uint64, t)
	}
	x.known = x.known[:t]
	clear(x.known)
	x.facts.Begin(b.Facts, len(p.facts), b.Now)
}

// load turns the minds' cursors into the planes of what runs: a cursor names the deepest running node
// of its strand, and its ancestors follow from the tree.
func (x *Executor) load() {
	p := x.program
	x.loadRoots()
	for _, n := range p.restless {
		x.was[n] = 0
	}
	for _, n := range p.parallels {
		if x.was[n] != 0 {
			x.loadBranches(n)
		}
	}
	spread(x.was, p.parents)
	copy(x.run, x.was)
}

// spread adds to every node what runs below it: children come after their parents.
//
//go:noinline
func spread(was []uint64, parents []int32) {
	for n := len(was) - 1; n > 0; n-- {
		if v := was[n]; v != 0 {
			was[parents[n]] |= v
		}
	}
}

// loadRoots reads the root cursors into was. One of 0, idle, goes to the plane before it.
func (x *Executor) loadRoots() {
	epoch := uint32(x.now >> epochShift & 0xffff)
	number := uint32(x.block.Number)
	rest := x.mask
	if x.dense && rest&(rest+1) == 0 {
		fixed := uint32(0xffff0000)
		if number != 0 {
			fixed = 0xffffffff
		}
		rest = loadRows(x.planes, x.minds[:popcount(rest)*x.stride], x.stride, epoch<<16|number, fixed)
	}
	for m := rest; m != 0; m &= m - 1 {
		i := lowest(m)
		words := x.mind(i)
		if number != 0 && words[0]&0xffff != number {
			x.Strangers |= 1 << i
			continue
		}
		if words[0]>>16 != epoch || words[1]&flagStarted == 0 {
			x.newEpoch(i, words, epoch)
		}
		if cursor := int(words[1] & 0xffff); cursor < len(x.planes) {
			x.planes[cursor] |= 1 << i
		}
	}
	x.mask &^= x.Strangers
}

// loadRows reads the root cursors of up to 64 minds that follow one another and returns the lanes of those that it
// did not: their first word is not the given one in the bits that are fixed, or a flag is odd.
//
//go:noinline
func loadRows(planes []uint64, minds []uint32, stride int, word, fixed uint32) (rest uint64) {
	bit := uint64(1)
	for at := 0; at+1 < len(minds); at += stride {
		// No other flag than this is ever set, so what is left is the cursor.
		odd, cursor := (minds[at]^word)&fixed, minds[at+1]^flagStarted
		if odd == 0 && int(cursor) < len(planes) {
			planes[cursor] |= bit
		} else {
			rest |= bit
		}
		bit <<= 1
	}
	return rest
}

// loadBranches reads the cursors of a running Parallel's branches.
func (x *Executor) loadBranches(n int32) {
	p := x.program
	nodes := len(p.nodes)
	for m := x.was[n]; m != 0; m &= m - 1 {
		i := lowest(m)
		bit := uint64(1) << i
		words := x.mind(i)
		for _, c := range p.nodes[n].children {
			switch v := p.cursor(words, p.nodes[c].strand); {
			case p.rests(c, v):
				x.was[v-1] |= bit
			case v == nodes+1:
				x.latchedS[c] |= bit
			case v == nodes+2:
				x.latchedF[c] |= bit
			}
		}
	}
}

// finish derives from what ran before and what runs now the exits, the enters, the orders and the
// cursors.
func (x *Executor) finish() {
	p := x.program
	var gone, held [components.Channels]uint64
	for i := range p.leafNodes {
		l := &p.leafNodes[i]
		was, is := x.was[l.node], x.run[l.node]
		if was|is == 0 {
			continue
		}
		entered, left := is&^was, was&^is
		begun := entered
		if len(x.restarted) > 0 {
			begun |= is & x.again(l.node)
		}
		if l.does {
			gone[l.channel] |= was
			held[l.channel] |= is
			if begun != 0 || l.followsFacts {
				x.postOrders(&p.nodes[l.node], begun, is&was&^begun)
				x.Starts[l.action] += int64(popcount(begun))
			}
		}
		x.writeCursors(&p.nodes[l.node], l.node, begun)
		if entered|left != 0 {
			x.turn(i, l, entered, left)
		}
	}
	for c := range gone {
		for m := gone[c] &^ held[c]; m != 0; m &= m - 1 {
			o := x.order(lowest(m), components.Channel(c))
			o.Action, o.Outcome = 0, components.Pending
		}
	}
	for _, n := range p.loops {
		child := n + 1
		x.writeCursors(&p.nodes[n], n, x.run[n]&^x.run[child]&^(x.was[n]&^x.was[child]&^x.again(n)))
	}
	for _, n := range p.parallels {
		x.writeCursors(&p.nodes[n], n, x.run[n]&^(x.was[n]&^x.again(n)))
		x.writeBranches(n)
	}
	for m := x.was[0] &^ x.run[0]; m != 0; m &= m - 1 {
		*x.word(lowest(m), 1) &^= 0xffff
	}
}

// turn counts and reports the lanes that have entered and left a leaf.
func (x *Executor) turn(leaf int, l *leafNode, entered, left uint64) {
	begun := popcount(entered)
	if l.does {
		x.Active[l.action] += int64(begun - popcount(left))
	}
	x.Transitions += begun
	if x.EveryLeaf || l.hooked {
		x.report(leaf, l.node, entered, left)
	}
}

// writeCursors makes the cursors of n's strand name n.
func (x *Executor) writeCursors(n *node, index int32, mask uint64) {
	if n.strand.word == 1 {
		for ; mask != 0; mask &= mask - 1 {
			w := x.word(lowest(mask), 1)
			*w = *w&^0xffff | uint32(index+1)
		}
		return
	}
	for ; mask != 0; mask &= mask - 1 {
		x.program.setCursor(x.mind(lowest(mask)), n.strand, int(index)+1)
	}
}

// writeBranches writes the cursors of a running Parallel's branches that do not run: idle, or the mark of a kept
// result. Those that run have been written with the node they rest at, or stand there already.
func (x *Executor) writeBranches(index int32) {
	p := x.program
	n := &p.nodes[index]
	for _, c := range n.children {
		for m := x.run[index] &^ x.run[c]; m != 0; m &= m - 1 {
			i := lowest(m)
			v := 0
			switch bit := uint64(1) << i; {
			case x.latchedS[c]&bit != 0:
				v = len(p.nodes) + 1
			case x.latchedF[c]&bit != 0:
				v = len(p.nodes) + 2
			}
			p.setCursor(x.mind(i), p.nodes[c].strand, v)
		}
	}
}

// report appends the events of a leaf.
func (x *Executor) report(leaf int, n int32, entered, left uint64) {
	for m := entered | left; m != 0; m &= m - 1 {
		i := lowest(m)
		bit := uint64(1) << i
		kind := ExitAborted
		switch {
		case entered&bit != 0:
			kind = Enter
		case x.succeeded[n]&bit != 0:
			kind = ExitSuccess
		case x.failed[n]&bit != 0:
			kind = ExitFailure
		}
		x.Events = append(x.Events, Event{Leaf: uint16(leaf), Lane: uint8(i), Kind: kind})
	}
}

// postOrders writes the orders of a Do: whole where it was entered, and where it was running already
// only what is bound to a fact.
func (x *Executor) postOrders(n *node, entered, held uint64) {
	if !n.followsFacts {
		held = 0
	}
	p := &x.program.posts[n.post]
	mask := entered | held
	targets := x.targets(p, mask)
	xs, ys := x.bound(p.x, mask), x.bound(p.y, mask)
	first, second := x.bound(p.numbers[0], mask), x.bound(p.numbers[1], mask)
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		o := x.order(i, n.channel)
		if entered>>i&1 != 0 {
			serial := o.Serial + 1
			*o = p.order
			o.Serial = serial
		}
		if targets != nil {
			o.Target = targets[i]
		}
		if xs != nil {
			o.Point = components.Vec2{X: xs[i], Y: ys[i]}
		}
		if first != nil {
			o.Numbers[0] = first[i]
		}
		if second != nil {
			o.Numbers[1] = second[i]
		}
	}
}

// targets returns the targets that a posting is bound to; nil when it is not.
func (x *Executor) targets(p *posting, mask uint64) *[64]components.Entity {
	switch {
	case p.chosen >= 0:
		return x.chosenTargets(&x.program.brains[p.chosen], mask)
	case p.target >= 0:
		return x.facts.Entities(p.target, mask)
	}
	return nil
}

// bound gathers a fact that is bound; nil when none is.
func (x *Executor) bound(fact int32, mask uint64) *[64]float32 {
	if fact < 0 {
		return nil
	}
	return x.facts.Floats(fact, mask)
}

// fire posts a trigger for the lanes of a mask.
func (x *Executor) fire(n *node, mask uint64) {
	p := &x.program.posts[n.post]
	targets := x.targets(p, mask)
	numbers := x.bound(p.numbers[0], mask)
	x.Starts[n.action] += int64(popcount(mask))
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		k := uint8(0) // how many have been fired
		if x.fired>>i&1 != 0 {
			k = x.fireCount[i]
		}
		x.fireCount[i] = k + 1
		t := components.Trigger{Action: n.action, Number: p.order.Numbers[0]}
		if targets != nil {
			t.Target = targets[i]
		}
		if numbers != nil {
			t.Number = numbers[i]
		}
		list := &x.triggersOf(i).List
		list[k] = t
		if int(k)+1 < len(list) {
			list[k+1].Action = 0
		}
	}
	x.fired |= mask
}
