// Package scoring decides between actions by their utility, for 64 agents at a time. It is the engine of package
// utility, which builds its evaluators; behaviour trees and systems share it.
//
//   - [Evaluator] is a compiled choice between actions: flat tables, immutable.
//   - [Scorer] holds the scratch memory. It serves any evaluator and any block.
//   - [Block] is up to 64 agents that decide by themselves: [Scorer.Tick] reads and writes their components.Choice,
//     lane by lane or in a dense column.
//   - [Host] and [Decision] are the same in parts, for a caller that keeps the choices itself, such as the executor of
//     trees: [Scorer.Begin], [Scorer.Changed], [Scorer.Remember], [Scorer.Decide].
//   - [Scorer.Explain] and [Scorer.ExplainDecision] say why, as data of package explain.
//
// # A system that scores without a tree
//
// The system keeps one Scorer and one Block per worker. For each chunk of rows it sets Column to up to 64 choices that
// follow one another, Mask to their lanes, Facts to the source of their facts, and Seed and Now; Entities are needed
// only if [Evaluator.NeedsEntities] says so, and Memory if Evaluator.MemoryWords is above 0. Then it calls
// [Scorer.Tick].
//
// # How a decision is made
//
// Facts become lanes of 64 numbers, a curve is one pass over a lane, and a term that several actions share is computed
// once. Actions are visited by falling rank, then by falling weight. A lane is skipped as soon as no later action can
// change its choice. This changes no result: the property test compares with a plain reference.
package scoring
