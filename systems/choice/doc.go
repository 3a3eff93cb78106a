// Package choice lets agents choose an action by an evaluator alone, without a behaviour tree.
//
// A [System] scores the actions of one [utility.Evaluator] for the agents that are due and writes what each has chosen
// into
// its [components.Choice]: the action's number plus one, its target, and since when. A system of the host reads the
// choice
// and acts on it. An agent is an entity with a Choice; with a [components.LOD] it decides when it is due, without one
// in
// every frame. Facts are read from the agent's components, as they are for trees.
//
// Agents with different evaluators are told apart by their components: make a system for each evaluator and name, in
// Terms, components that its agents have or lack.
//
//	herd.After(systems.AIStage, &choice.System{Evaluator: wolf, Terms: []ecs.Term{ecs.Need[Wolf]()}})
//
// To choose inside a tree, use a UtilitySelector of package aitree instead; to choose without a world, utility.Scorer.
//
// # Determinism and concurrency
//
// The agents of a chunk are scored in blocks of 64 rows, spread over the workers. An agent's choice depends on its own
// facts, the clock and the seed alone, so neither the number of workers nor the storage order can change it. The
// methods
// belong to the goroutine that owns the world. Update allocates nothing once it has run with as many agents.
package choice
