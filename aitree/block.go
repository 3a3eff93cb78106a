package aitree

import (
	"fmt"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// Block is 1 to 64 agents that run one program without a world: for tests of a tree, for tools, and for programs that
// store agents in their own way. Bit i of a mask belongs to the agent in lane i. A block is used by one goroutine at a
// time. Make it with [NewBlock].
//
// A caller sets the agents' facts, calls [Block.Tick], reads the orders and triggers, carries them out, and reports the
// outcome of orders with [Block.Report]. Methods that take a lane panic when the block has no such lane.
type Block struct {
	Facts *blackboard.Lanes // the agents' facts, those of [Program.Facts]; they start with their defaults
	Seed  uint64            // a key of every random draw
	User  any               // handed to custom leaves and predicates as [blackboard.Context.User]

	program  *Program
	agents   int
	block    executor.Block
	executor *executor.Executor
	minds    []uint32
	intents  [64]components.Intent
	fired    []components.Trigger // of the last tick, by lane
	first    [65]int32            // by lane: where its triggers begin in fired
	ticked   uint64               // lanes that were ticked since they were reset

	succeeded, failed, running uint64
}

// NewBlock returns a block of agents, 1 to 64, that have never been ticked. The agent in lane i is the entity of index
// i + 1 and generation 0.
//
// Panics when the program is nil or the number of agents is out of range.
func NewBlock(program *Program, agents int) *Block {
	if program == nil {
		panic("aitree: NewBlock of a nil program; make one with Build")
	}
	if program.compiled == nil {
		panic("aitree: NewBlock of a program that was not built; make one with Build")
	}
	if agents < 1 || agents > 64 {
		panic(fmt.Sprintf("aitree: NewBlock of %d agents; a block has 1 to 64", agents))
	}
	words := program.compiled.MindBytes() / 4
	b := &Block{
		Facts: blackboard.NewLanes(program.Facts()), program: program, agents: agents,
		executor: executor.NewExecutor(), minds: make([]uint32, agents*words),
	}
	b.block.Mask = ^uint64(0) >> (64 - agents)
	for i := range agents {
		b.block.Entities[i] = components.Entity{Index: uint32(i + 1)}
		b.block.Minds[i] = b.minds[i*words : (i+1)*words]
		b.block.Intents[i] = &b.intents[i]
	}
	b.executor.Prepare(program.compiled)
	return b
}

// Tick ticks the agents once and calls the hooks of the choices that failed and of the leaves that were exited and
// entered, in this order. A hook must
// not tick or reset the block. The clock is in nanoseconds of simulated time and must not go back. The triggers of the
// previous tick are discarded.
//
// In custom leaves, [blackboard.Context.Since] is the time since the previous tick; it is 0 on the first tick of an
// agent.
//
// Panics when the block was not made by [NewBlock], or its Facts are nil.
func (b *Block) Tick(now components.Timestamp) {
	b.requireMade()
	for i := range b.agents {
		b.block.Since[i] = 0
		if b.ticked>>i&1 != 0 {
			b.block.Since[i] = int64(now - b.block.Now)
		}
	}
	b.ticked = b.block.Mask
	b.block.Now = now
	b.configure()
	x := b.executor
	x.Tick(b.program.compiled, &b.block)
	b.succeeded, b.failed, b.running = x.Succeeded, x.Failed, x.Running
	b.sortTriggers()
	b.callHooks()
}

// Reset aborts what runs in the agent of a lane and clears its mind, cooldowns included. Its orders are withdrawn, and
// the exit hooks of its running leaves are called. The next tick starts at the root.
func (b *Block) Reset(lane int) {
	b.check(lane)
	all := b.block.Mask
	bit := uint64(1) << lane
	b.block.Mask = bit
	b.configure()
	b.executor.Reset(b.program.compiled, &b.block)
	b.block.Mask = all
	b.ticked &^= bit
	b.succeeded, b.failed, b.running = b.succeeded&^bit, b.failed&^bit, b.running&^bit
	b.callHooks()
}

// configure copies the fields that the caller may have changed.
func (b *Block) configure() {
	if b.Facts == nil {
		panic("aitree: a Block whose Facts are nil; keep those of NewBlock, or set a blackboard.NewLanes")
	}
	b.block.Facts, b.block.Seed, b.block.User = b.Facts, b.Seed, b.User
}

// callHooks calls the hooks of the last tick's or reset's events.
func (b *Block) callHooks() {
	slices.SortStableFunc(b.executor.Events, executor.Event.Compare)
	for _, e := range b.executor.Events {
		b.program.compiled.CallHook(e, b.block.Entities[e.Lane])
	}
}

// Succeeded returns the lanes whose root succeeded in the last tick.
func (b *Block) Succeeded() uint64 { return b.succeeded }

// Failed returns the lanes whose root failed in the last tick.
func (b *Block) Failed() uint64 { return b.failed }

// Running returns the lanes whose root still ran at the end of the last tick.
func (b *Block) Running() uint64 { return b.running }

// Entity returns the entity of a lane.
func (b *Block) Entity(lane int) components.Entity {
	b.check(lane)
	return b.block.Entities[lane]
}

// SetEntity gives a lane another entity. It is a key of the agent's random draws, and custom leaves and hooks get it.
func (b *Block) SetEntity(lane int, e components.Entity) {
	b.check(lane)
	b.block.Entities[lane] = e
}

// Order returns the order that an agent has posted on a channel. Its Action is 0 when there is none.
//
// Panics when there is no such channel.
func (b *Block) Order(lane int, channel components.Channel) components.Order {
	b.check(lane)
	checkChannel("Order", channel)
	return b.intents[lane].Orders[channel]
}

// Triggers returns the triggers that an agent posted in the last tick, in order. The next tick overwrites them.
func (b *Block) Triggers(lane int) []components.Trigger {
	b.check(lane)
	return b.fired[b.first[lane]:b.first[lane+1]]
}

// sortTriggers sorts the triggers of the last tick by lane.
func (b *Block) sortTriggers() {
	fired := b.executor.Fired
	clear(b.first[:])
	for i := range fired {
		b.first[fired[i].Lane+1]++
	}
	for lane := range b.agents {
		b.first[lane+1] += b.first[lane]
	}
	b.fired = slices.Grow(b.fired[:0], len(fired))[:len(fired)]
	next := b.first
	for i := range fired {
		at := &next[fired[i].Lane]
		b.fired[*at] = fired[i].Trigger
		*at++
	}
}

// Report reports how the order of a channel ended. The [Do] that posted it reads the outcome on the next tick.
//
// Panics when the agent has posted no order on the channel, and when there is no such channel or outcome.
func (b *Block) Report(lane int, channel components.Channel, outcome components.Outcome) {
	b.check(lane)
	checkChannel("Report", channel)
	if outcome > components.Failed {
		panic(fmt.Sprintf("aitree: Block.Report of outcome %d; use Pending, Succeeded or Failed", outcome))
	}
	o := &b.intents[lane].Orders[channel]
	if o.Action == 0 {
		panic(fmt.Sprintf("aitree: Report for lane %d, which has no order on channel %v", lane, channel))
	}
	o.Outcome = outcome
}

// Explain says what the tree would do for the agent of a lane if it were ticked at the time of the last tick with the
// present facts. It changes nothing. Unlike a tick it allocates.
func (b *Block) Explain(lane int) *Explanation {
	b.check(lane)
	b.configure()
	return b.program.Explain(&b.block, lane)
}

func checkChannel(method string, channel components.Channel) {
	if channel >= components.Channels {
		panic(fmt.Sprintf("aitree: Block.%s of channel %d; use components.Move or components.Act", method, channel))
	}
}

// requireMade panics when NewBlock did not make the block.
func (b *Block) requireMade() {
	if b == nil || b.program == nil {
		panic("aitree: a Block that was not made; make one with NewBlock")
	}
}

// check panics when the block has no such lane.
func (b *Block) check(lane int) {
	b.requireMade()
	if lane < 0 || lane >= b.agents {
		panic(fmt.Sprintf("aitree: lane %d of a block of %d agents", lane, b.agents))
	}
}
