// Package executor runs compiled behaviour trees for blocks of up to 64 agents. Package aitree builds the programs; the
// AI system, the benchmarks and aitree.Block run them.
//
//   - a compiled tree: [Program], with [Node], [Opcode], [Leaf], [Test], [Operand], [Posting], [UtilityNode]
//   - agents: [Block], [Columns], [Chunk]
//   - a tick: [Executor], [Executor.Tick], [Executor.Reset]
//   - what happened: [Event], [EventKind], [Program.CallHook], [Program.RunningLeaves]
//   - why: [Executor.Explain], [Explanation]
//
// # Execution
//
// Every node gets the agents that tick it as a bit mask and returns two masks, success and running. A composite takes a
// few word operations for the whole block, a condition one comparison of a lane of values. The tick ends with a
// comparison of the leaves that ran before and those that run now, from which the orders, the events and the cursors
// follow.
//
// # Memory layout
//
// A program is an array of nodes in pre-order, so a subtree is a contiguous range. The state of a tree for one agent is
// in its mind, of 64, 128 or 256 bytes ([components.Mind64] and its siblings): a cursor for each strand (the root, and
// each branch of a Parallel) that names the deepest running node, timers as deadlines, and counters. State that cannot
// be active together shares words. During a tick the cursors are unpacked to planes: one mask per node.
//
// Agents are given one by one, as pointers, or as rows of columns. Successive rows of one chunk are the fast case.
//
// # Time
//
// The clock is simulated, in nanoseconds; the executor computes in microseconds. A node after a wait or a timeout
// continues at the deadline, not at the tick that noticed it, so chained waits last exactly their sum at any tick rate.
// A cooldown counts from the tick. Timers are exact for an agent that is ticked at least once in 814 days.
//
// # Determinism
//
// A tick is a function of the program, the facts, the mind and (seed, entity, clock). The block and the lane of an
// agent, and the other agents of the block, have no influence. A cursor that the program cannot have written counts as
// idle, so any bytes are a valid mind.
//
// # Concurrency
//
// There is no global state. A program is immutable and may be used by any number of goroutines; an executor and a block
// by one at a time.
package executor
