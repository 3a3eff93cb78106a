// Package scenario has the scenarios that the command runs: worlds of guards, soldiers and villagers.
//
//   - [All] lists the scenarios, [Names] their names, and [Named] returns one by its name.
//   - [Guards], [Skirmish], [Siege] and [Villagers] return one each, for [sim.DefaultConfig].
//
// Their trees:
//
//   - [GuardTree] is a plain behaviour tree with priorities, cooldowns and hooks ([GuardHooks]).
//   - The tree of a soldier chooses its attack and its target by utility, with a bound on the attackers of one target
//     (soldier_tree.go).
//   - The tree of a villager chooses all its activities by utility (villager_tree.go).
//
// The constants of these trees are exported for programs that implement the same agents in another way, such as the
// benchmarks.
//
// # Determinism
//
// All draws of a set-up are keyed by the seed of the configuration: the same configuration makes the same world.
package scenario
