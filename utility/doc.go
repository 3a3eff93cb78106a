// Package utility chooses between actions by their utility, for 64 agents at a time.
//
// A choice is described with [Choose], [NewAction] and [Consider] and compiled once by [Build] to an [Evaluator], which
// all agents share: each consideration maps a fact to 0..1 through a range and a response [Curve], an action combines
// its considerations to a score, and the best score wins, or a draw decides. An action can be scored against each
// target of a list, so that what wins is an action and a target.
//
// A [Scorer] decides for a block of agents: for itself, as here, with a [components.Choice] for each agent, or inside
// a behaviour tree, by the node UtilitySelector of package aitree.
//
// # How a choice is made
//
// In this order: vetoes (a gate that is 0), the minimum score, the rank, the commitment, and then the mode: the best
// score, the choice in force having its inertia, of equals the first action and the first target; or a draw. Scores of
// 0 are never chosen, except that softmax gives them a share when some score is above 0. The choice in force is an
// action and a target: another target is another choice.
//
// # What it costs
//
// Facts become lanes of 64 numbers, a curve is one pass over a lane, and equal considerations are evaluated once,
// however many actions share them. Agents that cannot change their choice any more, because of a veto, a higher rank or
// a score that no other weight reaches, drop out of the rest, which changes no result. Nothing is allocated after the
// first block.
//
// # Determinism
//
// A decision is a function of the evaluator, the facts, the choice in force and (seed, entity, clock): which block an
// agent is in, and who shares it, make no difference. All arithmetic is that of single float32 operations in a fixed
// order, with elementary functions of our own, so it is the same on every platform.
package utility
