// Package explain has the data that explains a choice by utility: what an agent would choose now, what the alternatives
// score, and why. Tools read it, and [Choice.String] prints it as a table.
//
//   - [Choice] is the explanation of one agent's choice by one evaluator.
//   - [Option] is an action that it could choose, with a target if the action has targets.
//   - [Consideration] is what a consideration of an option makes of its input.
//   - [Reason] is how the choice came about.
//
// To get it, call utility.Scorer.Explain, aitree.Block.Explain or, for an agent of a world, Explain of the AI system.
package explain
