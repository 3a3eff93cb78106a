// Package aitree describes behaviour trees and compiles them to programs that are ticked for 64 agents at a time.
//
// A tree is described with constructors and compiled once by [Build] to a [Program], which all agents share. A tree
// reads facts ([blackboard.Fact]) and its own state, and posts orders and triggers, which action systems carry out. The
// package needs no world: package systems ticks programs for the agents of a world, and [Block] ticks them without one.
//
// # Build a tree
//
//   - composites, in order: [Sequence], [Selector], [ReactiveSequence], [ReactiveSelector], [RoundRobin], [Recovery]
//   - all children at once: [Parallel] with a [Policy], [Node.Latched]
//   - by chance: [RandomSequence], [RandomSelector], [WeightedChoice] of [Choice] made with [Weight]
//   - by utility: [UtilitySelector] of [Branch] made with [On], [Node.HoldUntilDone], [Node.RememberChoice]
//   - results: [Inverter], [ForceSuccess], [ForceFailure]; [Succeed], [Fail], [Run]
//   - loops: [Repeat], [Retry], [UntilSuccess], [UntilFailure]
//   - time: [Wait], [WaitBetween], [WaitFact], [Timeout], [Every], [Cooldown], [Node.StartedByCompletion],
//     [Node.ClearedByAbort]
//   - shared subtrees: [Define], [Definition], [Subtree]; names: [Node.Named]
//   - the compiled tree: [Build], [Program], [LeafInfo]
//
// # Conditions
//
// [Check] tests a [Condition] once, [Guard] on every tick. Conditions are [True], [Alive], [Less], [LessEqual],
// [Greater], [GreaterEqual], [Equal], [NotEqual] for a constant ([Numeric]), [LessFact], [LessEqualFact], [EqualFact]
// for two facts, [AllOf], [AnyOf] and [Not] of conditions, [Chance], and [Predicate] for a custom test.
// A Check, a Guard, an Until and, by utility.ConsiderCondition, an evaluator take any of them.
//
// # Actions and orders
//
// [Actions] registers names. [Do] posts a durative action and waits for its outcome, for a condition ([Node.Until])
// or for a time ([Node.For]).
// [Fire] posts a trigger. A [Binding] fills their fields: [Target], [ChosenTarget], [Point], [PointAt], [Number],
// [NumberOf]. [Node.OnEnter] and [Node.OnExit] call a function when a leaf is entered and exited ([Exit]), and
// [Node.OnBranchFailed] when the chosen branch of a UtilitySelector fails.
//
// # Custom leaves
//
// [Leaf] takes a [LeafFunc], which ticks a block of agents at once; [AgentLeaf] takes a function that ticks one [Agent]
// and returns a [Status]. Both declare what they need with [Node.Reads] and [Node.Keeps].
//
// # Tick without a world
//
// [NewBlock] makes a [Block] of 1 to 64 agents: set facts, [Block.Tick], read [Block.Order] and [Block.Triggers], and
// [Block.Report] outcomes.
//
// # Explain
//
// [Program.String] is the tree as text. [Block.Explain] returns an [Explanation] of what the tree would do for an
// agent: the path of the tick, the values of conditions, and how each UtilitySelector would choose.
//
// # Time
//
// The clock is simulated, in nanoseconds; trees compute in microseconds. Chained waits last exactly their sum at any
// tick rate: a node after a wait continues at the wait's deadline, not at the tick that noticed it. A cooldown counts
// from the tick, because its effects happen at ticks. Timers are exact for an agent that is ticked at least once in 814
// days; one duration is at most 35 minutes.
//
// # Determinism and concurrency
//
// A tick is a function of the program, the facts, the agent's mind and (seed, entity, clock). The block and the lane of
// an agent, and the other agents of the block, have no influence. There is no global state. A program may be used by
// any number of goroutines; a block by one at a time.
package aitree
