// Package utility chooses between actions by their utility.
//
// To describe a choice:
//
//   - [Choose] starts a [Definition], with its actions; its methods set inertia, a minimum, a commitment, or a draw.
//   - [NewAction] describes an [Action]: a name, considerations, weight and rank. [Action.For] scores it for each
//     target of a list, so that the choice is an action and a target.
//   - [Consider] describes a [Consideration]: a fact, mapped to 0..1 by a range and a response [Curve].
//   - [Linear], [Quadratic], [Polynomial], [Exponential], [Logistic], [Logit], [Bell], [Sine], [Smoothstep], [Step],
//     [Piecewise] and others make a [Curve]; its methods scale, shift and invert it.
//   - [Combination] says how the considerations of an action become its score.
//   - [NewInput] describes an [Input], a custom function that computes a number from facts; [ConsiderInput] uses it.
//   - [ConsiderCondition] uses a [Condition] of a tree.
//
// To use it:
//
//   - [Build] compiles the definition to an [Evaluator], or says what is wrong with it.
//   - [NewScorer] returns a [Scorer], which decides for up to 64 agents without a world and without a tree.
//   - The node UtilitySelector of package aitree decides in a behaviour tree.
//   - [Scorer.Explain] says why, as data of package explain.
//
// # How a choice is made
//
// In this order: vetoes (a gate that is 0), the minimum score, the rank, the commitment, and then the best score or a
// draw. The choice in force has its inertia added; of equal scores the first action and the first target win. A score
// of 0 is never chosen, except that Softmax gives it a share if another score is above 0. The choice in force is an
// action and a target: another target is another choice.
//
// # Cost
//
// Facts become lanes of 64 numbers, a curve is one pass over a lane, and equal considerations are evaluated once,
// however many actions share them. An agent whose choice cannot change any more, because of a veto, a higher rank or a
// score that no other weight reaches, is skipped from then on; this changes no result. Nothing is allocated after the
// first decision.
//
// # Determinism
//
// A decision is a function of the evaluator, the facts, the choice in force and (seed, entity, clock). The lane of an
// agent and the other agents of its block make no difference. All arithmetic is single float32 operations in a fixed
// order, with elementary functions of this module, so it is the same on every platform.
package utility
