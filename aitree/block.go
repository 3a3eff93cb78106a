package aitree

import "github.com/flockwork-ai/flockwork/components"

// Block is up to 64 agents that run one program and are ticked together: bit i of a mask is lane i.
// The caller fills it; the executor writes minds, intents and triggers, and nothing else.
type Block struct {
	Mask     uint64 // the lanes to tick; holes are allowed
	Entities [64]components.Entity
	Minds    [64][]uint32             // the Words of the agents' minds
	Intents  [64]*components.Intent   // for a program with Do leaves
	Triggers [64]*components.Triggers // for a program with Fire leaves
	Since    [64]int64                // nanoseconds since the agent's last decision, for custom leaves
	Facts    Source                   // for a program that reads facts
	Seed     uint64                   // of the world: a key of every draw
	Now      components.Timestamp     // the clock all lanes share
	Worker   int                      // handed to custom leaves and predicates
	User     any                      // handed to custom leaves and predicates
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
	Events                     []Event // exits and enters, by leaf, then lane, then exits first
	Transitions                int     // leaves entered and still running

	// Counts by action since the executor was made, indexed by handle. A caller may clear them.
	Starts []int64 // orders posted and triggers fired
	Active []int64 // orders posted less orders that ended

	program *Program
	block   *Block
	now     int64 // microseconds

	run, was  []uint64 // by node: the lanes in which it runs, now and before the tick
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

	known  []uint64 // by test: the lanes in which it has been evaluated
	value  []uint64 // and its value there
	have   []uint64 // by fact: the lanes that have been gathered
	bools  []uint64
	floats [][64]float32
	ints   [][64]int64
	refs   [][64]components.Entity

	readings [64]int64 // of a clock, before they become ages
	ctx      Context
	agent    Agent
}

// NewExecutor returns an executor.
func NewExecutor() *Executor { return &Executor{} }

// Tick ticks the block's agents once. All must run p: that is the caller's to see to.
func (x *Executor) Tick(p *Program, b *Block) {
	x.begin(p, b)
	if b.Mask == 0 {
		return
	}
	x.load()
	s, r := x.exec(0, b.Mask)
	x.Succeeded, x.Running = s, r
	x.Failed = b.Mask &^ s &^ r
	x.finish()
}

// Reset aborts what runs in the block's agents and clears their minds, cooldowns included, for an agent
// that is pooled, respawned, given another tree or removed. Their orders are withdrawn. The next
// tick starts afresh.
func (x *Executor) Reset(p *Program, b *Block) {
	x.begin(p, b)
	if b.Mask == 0 {
		return
	}
	x.load()
	clear(x.run)
	x.finish()
	for m := b.Mask; m != 0; m &= m - 1 {
		words := b.Minds[lowest(m)]
		words[0] &= 0xffff
		clear(words[1:])
	}
}

// begin makes the scratch memory fit the program and forgets the last tick.
func (x *Executor) begin(p *Program, b *Block) {
	x.program, x.block = p, b
	x.now = int64(b.Now) / 1000
	x.Succeeded, x.Failed, x.Running, x.Transitions = 0, 0, 0, 0
	x.Events = x.Events[:0]
	for len(x.Starts) < p.actions {
		x.Starts, x.Active = append(x.Starts, 0), append(x.Active, 0)
	}
	x.moved, x.stale, x.fired = 0, 0, 0

	n := len(p.nodes)
	if cap(x.run) < n {
		x.run, x.was = make([]uint64, n), make([]uint64, n)
		x.succeeded, x.failed = make([]uint64, n), make([]uint64, n)
		x.latchedS, x.latchedF = make([]uint64, n), make([]uint64, n)
	}
	x.run, x.was = x.run[:n], x.was[:n]
	x.succeeded, x.failed = x.succeeded[:n], x.failed[:n]
	x.latchedS, x.latchedF = x.latchedS[:n], x.latchedF[:n]
	clear(x.run)
	clear(x.succeeded)
	clear(x.failed)
	if len(p.parallels) > 0 {
		clear(x.latchedS)
		clear(x.latchedF)
	}

	t := len(p.tests)
	if cap(x.known) < t {
		x.known, x.value = make([]uint64, t), make([]uint64, t)
	}
	x.known, x.value = x.known[:t], x.value[:t]
	clear(x.known)

	f := len(p.facts)
	if cap(x.have) < f {
		x.have, x.bools = make([]uint64, f), make([]uint64, f)
		x.floats, x.ints, x.refs = make([][64]float32, f), make([][64]int64, f), make([][64]components.Entity, f)
	}
	x.have, x.bools = x.have[:f], x.bools[:f]
	x.floats, x.ints, x.refs = x.floats[:f], x.ints[:f], x.refs[:f]
	clear(x.have)
}

// load turns the minds' cursors into the planes of what runs: a cursor names the deepest running node
// of its strand, and its ancestors follow from the tree.
func (x *Executor) load() {
	p, b := x.program, x.block
	run := x.run
	epoch := uint32(x.now >> epochShift & 0xffff)
	running := uint64(0)
	for m := b.Mask; m != 0; m &= m - 1 {
		i := lowest(m)
		bit := uint64(1) << i
		words := b.Minds[i]
		h0, h1 := words[0], words[1]
		if h1&flagStarted == 0 || h0>>16 != epoch {
			x.newEpoch(i, words, epoch)
			h1 = words[1]
		}
		if cursor := int(h1 & 0xffff); cursor < len(p.resting) && p.resting[cursor] {
			run[cursor-1] |= bit
			running |= bit
		}
	}
	if running != 0 {
		for _, n := range p.parallels {
			if run[n] != 0 {
				x.loadBranches(n)
			}
		}
		for n := len(run) - 1; n > 0; n-- {
			run[p.nodes[n].parent] |= run[n]
		}
	}
	copy(x.was, run)
}

// loadBranches reads the cursors of a running Parallel's branches.
func (x *Executor) loadBranches(n int32) {
	p := x.program
	nodes := len(p.nodes)
	for m := x.run[n]; m != 0; m &= m - 1 {
		i := lowest(m)
		bit := uint64(1) << i
		words := x.block.Minds[i]
		for _, c := range p.nodes[n].children {
			switch v := p.cursor(words, p.nodes[c].strand); {
			case p.rests(c, v):
				x.run[v-1] |= bit
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
	p, b := x.program, x.block
	var gone, held [components.Channels]uint64
	for i := range p.leaves {
		l := &p.leaves[i]
		was, is := x.was[l.node], x.run[l.node]
		if was|is == 0 {
			continue
		}
		n := &p.nodes[l.node]
		if n.op == opDo {
			gone[n.channel] |= was
			held[n.channel] |= is
			x.Starts[n.action] += int64(popcount(is &^ was))
			x.Active[n.action] += int64(popcount(is&^was) - popcount(was&^is))
			x.postOrders(n, is&^was, is&was)
		}
		if was == is {
			continue
		}
		x.writeCursors(n, l.node, is&^was)
		x.Transitions += popcount(is &^ was)
		if x.EveryLeaf || l.enter != nil || l.exit != nil {
			x.report(i, l.node, was, is)
		}
	}
	for c := range gone {
		for m := gone[c] &^ held[c]; m != 0; m &= m - 1 {
			o := &b.Intents[lowest(m)].Orders[c]
			o.Action, o.Outcome = 0, components.Pending
		}
	}
	for _, n := range p.loops {
		child := n + 1
		x.writeCursors(&p.nodes[n], n, x.run[n]&^x.run[child]&^(x.was[n]&^x.was[child]))
	}
	for _, n := range p.parallels {
		x.writeCursors(&p.nodes[n], n, x.run[n]&^x.was[n])
		x.writeBranches(n)
	}
	for m := x.was[0] &^ x.run[0]; m != 0; m &= m - 1 {
		b.Minds[lowest(m)][1] &^= 0xffff
	}
}

// writeCursors makes the cursors of n's strand name n.
func (x *Executor) writeCursors(n *node, index int32, mask uint64) {
	for ; mask != 0; mask &= mask - 1 {
		x.program.setCursor(x.block.Minds[lowest(mask)], n.strand, int(index)+1)
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
			p.setCursor(x.block.Minds[i], p.nodes[c].strand, v)
		}
	}
}

// report appends the events of a leaf.
func (x *Executor) report(leaf int, n int32, was, is uint64) {
	for m := was ^ is; m != 0; m &= m - 1 {
		i := lowest(m)
		bit := uint64(1) << i
		kind := ExitAborted
		switch {
		case is&bit != 0:
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
	for m := entered; m != 0; m &= m - 1 {
		o := &x.block.Intents[lowest(m)].Orders[n.channel]
		*o = components.Order{Action: n.action, Serial: o.Serial + 1}
	}
	for i := range x.program.posts[n.post] {
		bind := &x.program.posts[n.post][i]
		mask := entered
		if bind.facts[0] >= 0 {
			mask |= held
		}
		if mask == 0 {
			continue
		}
		a, b := x.bound(bind, mask)
		for m := mask; m != 0; m &= m - 1 {
			i := lowest(m)
			o := &x.block.Intents[i].Orders[n.channel]
			switch bind.field {
			case bindTarget:
				o.Target = x.refs[bind.facts[0]][i]
			case bindPoint:
				o.Point = components.Vec2{X: a.at(i), Y: b.at(i)}
			case bindNumber0:
				o.Numbers[0] = a.at(i)
			case bindNumber1:
				o.Numbers[1] = a.at(i)
			}
		}
	}
}

// fire posts a trigger for the lanes of a mask.
func (x *Executor) fire(n *node, mask uint64) {
	for m := mask &^ x.fired; m != 0; m &= m - 1 {
		x.fireCount[lowest(m)] = 0
	}
	x.fired |= mask
	x.Starts[n.action] += int64(popcount(mask))
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		list := &x.block.Triggers[i].List
		k := x.fireCount[i]
		x.fireCount[i]++
		list[k] = components.Trigger{Action: n.action}
		if int(k)+1 < len(list) {
			list[k+1].Action = 0
		}
	}
	for i := range x.program.posts[n.post] {
		bind := &x.program.posts[n.post][i]
		a, _ := x.bound(bind, mask)
		for m := mask; m != 0; m &= m - 1 {
			i := lowest(m)
			t := &x.block.Triggers[i].List[x.fireCount[i]-1]
			if bind.field == bindTarget {
				t.Target = x.refs[bind.facts[0]][i]
			} else {
				t.Number = a.at(i)
			}
		}
	}
}

// boundValue is a number that a binding gives: of a lane or constant.
type boundValue struct {
	lane     *[64]float32
	constant float32
}

func (v boundValue) at(lane int) float32 {
	if v.lane != nil {
		return v.lane[lane]
	}
	return v.constant
}

// bound gathers what a binding needs and returns its numbers; a target is left in refs.
func (x *Executor) bound(bind *compiledBinding, mask uint64) (a, b boundValue) {
	switch {
	case bind.field == bindTarget:
		x.gatherEntities(bind.facts[0], mask)
	case bind.facts[0] < 0:
		a.constant, b.constant = bind.values[0], bind.values[1]
	default:
		a.lane = x.gatherFloats(bind.facts[0], mask)
		if bind.facts[1] >= 0 {
			b.lane = x.gatherFloats(bind.facts[1], mask)
		}
	}
	return a, b
}
