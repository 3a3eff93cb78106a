// Package explain holds the explanation of a choice that was made by utility: what an agent would choose now, what the
// alternatives score and why. The engine writes it, tools read it, and String prints it as a table.
//
//   - [Choice] is the explanation of one agent's choice by one evaluator.
//   - [Option] is an action that it could choose, with a target if the action has targets.
//   - [Consideration] is what a consideration of an option makes of its input.
//   - [Reason] is how the choice came about.
//
// Ask for it with utility.Scorer.Explain, or for an agent that runs a tree, with its executor or the AI system.
package explain
