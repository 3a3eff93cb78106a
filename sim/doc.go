// Package sim runs scenarios: worlds full of agents, ready to look at, to load and to measure.
//
// A [Scenario] fills a [Simulation], which has a world with all resources and the stages of a frame in
// order; [Run] steps it and returns a [Report] of what happened and what the herd cost. The command
// sim/cmd/flockwork is a thin face of this package; the programs in sim/examples show the systems in worlds
// of one's own.
//
// # Determinism
//
// All of a report but its times and its memory follows from the configuration: same scenario, agents, seed, map,
// length, frame rate and LOD, same world hash, whatever the number of workers.
//
// # Concurrency
//
// A simulation belongs to one goroutine; its stages use the workers of the world.
package sim
