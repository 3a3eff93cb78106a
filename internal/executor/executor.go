package executor

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/factcache"
	"github.com/flockwork-ai/flockwork/internal/scoring"
)

// Executor ticks blocks. It holds scratch memory only, so one executor serves any program and block, one goroutine at a
// time. After its first tick of the largest program it allocates nothing. Make it with [NewExecutor].
type Executor struct {
	// EveryLeaf asks for the events of all leaves; without it only those with hooks report.
	EveryLeaf bool

	// Results of the last tick.
	Succeeded, Failed, Running uint64  // by the root's status
	Mismatched                 uint64  // lanes whose minds name another program; see Block.Number
	Events                     []Event // failures of choices as they happened; then exits and enters by leaf, then lane
	Fired                      []Fired // triggers; those of a lane in the order of posting
	Transitions                int     // leaves entered and still running

	// Prompt are the lanes that are to be ticked again in the next frame, so that a slow tier loses no time between two
	// actions: the root completed after it had been running, or a loop that had been running rests between two rounds.
	// A tree that begins and completes within one tick is not among them, or it would be ticked in every frame.
	Prompt uint64

	// Switches counts how often a UtilitySelector replaced a running choice, and Failures how often the branch of a
	// choice failed. A caller may clear them.
	Switches, Failures int64

	// Counts by action, indexed by handle. A caller may clear them.
	Starts []int64 // orders posted and triggers fired
	Active []int64 // orders posted minus orders that ended

	program *Program
	block   *Block
	mask    uint64 // of the block, without the mismatched lanes
	now     int64  // microseconds

	run, was       []uint64 // by node: the lanes in which it runs, now and before the tick
	planes         []uint64 // was, preceded by the lanes in which nothing ran
	succeeded      []uint64 // by node: the lanes in which a leaf completed in this tick
	failed         []uint64
	latchedSuccess []uint64 // by node: the results that a latched Parallel keeps of its children
	latchedFailure []uint64

	past    uint64    // lanes whose instant is before now; see instants.go
	instant [64]int64 // of these lanes, microseconds
	stale   uint64    // lanes whose last tick was in an earlier epoch
	base    [64]int64 // of the stale lanes: the start of that epoch

	// Where the agents are stored, if they are successive rows of one chunk.
	dense   bool
	stride  int
	minds   []uint32
	intents []components.Intent

	outcomes [components.Channels]outcomes

	entities     [64]components.Entity // of agents in columns, for custom leaves
	haveEntities bool

	known  []uint64 // by test: the lanes in which it has been evaluated
	value  []uint64 // and its value there
	facts  factcache.Cache
	ctx    blackboard.Context
	reader reader

	// Of UtilitySelectors.
	scorer    *scoring.Scorer
	decision  scoring.Decision
	memory    [64][]uint32
	chosen    [64]components.Entity // scratch of chosenTargets
	before    [64]components.Entity // scratch of choose: the targets in force
	out       []uint64              // by node and pair: the lanes in which it is out
	restarted []restart

	considered considered

	// While one agent is ticked by Rehearse.
	trace    []NodeState // by node
	ops      []Opcode    // of the program, by node
	failures []Event     // of choices
}

// restart is a branch of a UtilitySelector that ran before the tick, and was ticked or reset in it and then ticked
// again, because its target changed or as the next best.
type restart struct {
	first, end int32 // its nodes
	lanes      uint64
}

// outcomes are the lanes in which the outcome of the order of one channel has been read.
type outcomes struct{ known, succeeded, failed uint64 }

// NewExecutor returns an executor.
func NewExecutor() *Executor {
	return &Executor{
		Events: make([]Event, 0, 512), Fired: make([]Fired, 0, 512), scorer: new(scoring.Scorer),
		restarted: make([]restart, 0, 64),
	}
}

// Prepare allocates what a program and its evaluators need, so that the first tick allocates nothing.
func (x *Executor) Prepare(p *Program) {
	x.begin(p, &Block{})
	for i := range p.UtilityNodes {
		x.scorer.Begin(p.UtilityNodes[i].Evaluator, scoring.Host{})
	}
	x.Clear()
}

// Clear drops the references to the last block and its columns, so that the executor does not keep them alive.
func (x *Executor) Clear() {
	x.block, x.minds, x.intents, x.ctx = nil, nil, nil, blackboard.Context{}
	x.facts.Clear()
	x.scorer.Clear()
	clear(x.memory[:])
}

// Tick ticks the agents of a block once. Unless the block has a Number, the caller guarantees that all of them run p.
func (x *Executor) Tick(p *Program, b *Block) {
	x.begin(p, b)
	if x.mask == 0 {
		return
	}
	x.require()
	x.load()
	if x.mask == 0 {
		return
	}
	s, r := x.exec(0, x.mask)
	x.Succeeded, x.Running = s, r
	x.Failed = x.mask &^ s &^ r
	x.finish()
}

// Reset aborts what runs in the agents of a block and clears their minds, cooldowns included: for an agent that is
// pooled, respawned, given another tree or removed. Its orders are withdrawn. The next tick starts at the root.
func (x *Executor) Reset(p *Program, b *Block) {
	x.begin(p, b)
	if x.mask == 0 {
		return
	}
	x.load()
	clear(x.run)
	x.finish()
	x.Prompt = 0
	for m := x.mask; m != 0; m &= m - 1 {
		words := x.mind(bitmask.Lowest(m))
		words[0] &= 0xffff
		clear(words[1:])
	}
}

// begin sizes the scratch memory for the program and clears the results of the last tick.
func (x *Executor) begin(p *Program, b *Block) {
	x.program, x.block = p, b
	x.now = int64(b.Now) / 1000
	x.Succeeded, x.Failed, x.Running, x.Prompt, x.Transitions = 0, 0, 0, 0, 0
	x.Events, x.Fired, x.restarted = x.Events[:0], x.Fired[:0], x.restarted[:0]
	for len(x.Starts) < p.ActionCount {
		x.Starts, x.Active = append(x.Starts, 0), append(x.Active, 0)
	}
	x.mask, x.Mismatched = b.Mask, 0
	x.past, x.stale = 0, 0
	x.haveEntities = false
	x.outcomes = [components.Channels]outcomes{}
	x.locate()

	n := len(p.Nodes)
	if cap(x.run) < n {
		x.planes, x.run = make([]uint64, n+1), make([]uint64, n)
		x.succeeded, x.failed = make([]uint64, n), make([]uint64, n)
		x.latchedSuccess, x.latchedFailure = make([]uint64, n), make([]uint64, n)
	}
	x.planes, x.run = x.planes[:n+1], x.run[:n]
	x.was = x.planes[1:]
	x.succeeded, x.failed = x.succeeded[:n], x.failed[:n]
	x.latchedSuccess, x.latchedFailure = x.latchedSuccess[:n], x.latchedFailure[:n]
	clear(x.planes)
	if x.EveryLeaf || p.HasHook {
		clear(x.succeeded)
		clear(x.failed)
	}
	if len(p.Parallels) > 0 {
		clear(x.latchedSuccess)
		clear(x.latchedFailure)
	}

	if len(x.out) < p.OutPairs {
		x.out = make([]uint64, p.OutPairs)
	}

	t := len(p.Tests)
	if cap(x.value) < t {
		x.value = make([]uint64, t)
	}
	x.value = x.value[:t]

	if cap(x.known) < t {
		x.known = make([]uint64, t)
	}
	x.known = x.known[:t]
	clear(x.known)
	x.facts.Begin(b.Facts, len(p.Facts), b.Now)
}

// finish compares what ran before the tick with what runs now, and writes the events, the orders and the cursors that
// differ.
func (x *Executor) finish() {
	p := x.program
	var before, after [components.Channels]uint64 // the lanes that have an order
	for i := range p.LeafNodes {
		l := &p.LeafNodes[i]
		was, is := x.was[l.Node], x.run[l.Node]
		if was|is == 0 {
			continue
		}
		entered, left := is&^was, was&^is
		begun := entered
		if len(x.restarted) > 0 {
			begun |= is & x.restartedLanes(l.Node)
		}
		if l.IsDo {
			before[l.Channel] |= was
			after[l.Channel] |= is
			if begun != 0 || l.FollowsFacts {
				x.postOrders(&p.Nodes[l.Node], begun, is&was&^begun)
				x.Starts[l.Action] += int64(bitmask.Count(begun))
			}
		}
		x.writeCursors(&p.Nodes[l.Node], l.Node, begun)
		if entered|left != 0 {
			x.countTransitions(i, l, entered, left)
		}
	}
	for c := range before {
		for m := before[c] &^ after[c]; m != 0; m &= m - 1 {
			o := x.order(bitmask.Lowest(m), components.Channel(c))
			o.Action, o.Outcome = 0, components.Pending
		}
	}
	for _, n := range p.Loops {
		rests, rested := x.run[n], x.was[n]
		for c := n + 1; c < p.Nodes[n].End; c = p.Nodes[c].End {
			rests &^= x.run[c]
			rested &^= x.was[c]
		}
		restarted := x.restartedLanes(n)
		x.Prompt |= rests & x.was[n] &^ restarted
		x.writeCursors(&p.Nodes[n], n, rests&^(rested&^restarted))
	}
	for _, n := range p.Parallels {
		x.writeCursors(&p.Nodes[n], n, x.run[n]&^(x.was[n]&^x.restartedLanes(n)))
		x.writeBranches(n)
	}
	ended := x.was[0] &^ x.run[0]
	x.Prompt |= ended
	for m := ended; m != 0; m &= m - 1 {
		*x.word(bitmask.Lowest(m), 1) &^= 0xffff
	}
}
