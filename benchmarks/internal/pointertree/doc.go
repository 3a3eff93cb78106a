// Package pointertree has behaviour trees of node objects, the way they are commonly written for games: a [Node] has
// Tick and Reset, composites hold their children by pointer, leaves read and write a [Blackboard], and each agent has
// its own [Tree]. The contestants of guards and siege share it.
//
//   - Composites: [Sequence], [Selector], [ReactiveSelector], [Parallel].
//   - Decorators: [Guard], [ForceSuccess], [Repeat], [Cooldown], [Timeout].
//   - Leaves: [Check], [Wait], [WaitBetween], [Do], [Order], [Fire].
//   - Utility: [UtilitySelector] with an [Evaluator] of actions and considerations.
//
// The package was written for these comparisons and shares no code with package aitree on purpose. Its timing follows
// aitree, so that both decide the same to the bit: times are microseconds of the clock, and a branch that has waited
// continues at its deadline.
package pointertree
