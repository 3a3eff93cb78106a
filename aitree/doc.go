// Package aitree compiles behaviour trees to flat programs and ticks them for 64 agents at a time.
//
// A tree is described with constructors ([Sequence], [Guard], [Do] …) and compiled once by [Build] to a
// [executor.Program], which all agents share. An [executor.Executor] ticks a [executor.Block] of up to 64 agents: every node gets the
// agents that tick it as a bit mask and answers with two, success and running. A composite is a handful of
// word operations for the whole block, a condition one comparison of a lane.
//
// Decisions are pure. A tree reads facts ([blackboard.Fact]) and its own state, and leaves an intent;
// what the intent does to the world is an action system's. The package needs no world: a caller hands
// it minds, intents and a [Source] of facts, for one agent or for 64.
//
// # Memory layout
//
// A program is an array of nodes in pre-order, so a subtree is a contiguous range. All that a tree
// remembers of one agent is in its mind, of 64, 128 or 256 bytes ([components.Mind64] and its siblings):
// a cursor for each strand (the root, and each branch of a Parallel) that names the deepest running
// node, timers as deadlines, and counters. What cannot be active together shares words.
//
// # Time
//
// The clock is simulated, in nanoseconds; trees reckon in microseconds. Chained waits last exactly
// their sum at any cadence: what follows a wait goes on at its deadline, not at the tick that noticed
// it. A cooldown counts from the tick, because its effects happen at ticks. Timers are exact for an agent that is
// ticked at least once in 814 days; one duration is at most 35 minutes.
//
// # Determinism and concurrency
//
// A tick is a function of the program, the facts, the mind and (seed, entity, clock): which block an agent
// is in, which lane, and who shares it make no difference. There is no global state. A program may be
// used by any number of goroutines; an executor and a block by one at a time.
package aitree
