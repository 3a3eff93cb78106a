// Package systems is the front door: it installs Flockwork in an arche world and runs its frame.
//
// # A program
//
//   - [Install] puts the resources into a world and returns the handle, a [Herd].
//   - [Herd.AddTree] builds and registers a behaviour tree; [Herd.Swap] exchanges an agent's tree, and
//     [Herd.QueueSwap] does so from a custom leaf.
//   - [Herd.Prefab] makes agents, [Herd.Adopt] gives a tree to entities that are there already. [Walker], [Fighter] and
//     [Perceiver] are bundles of the components that a kind of agent needs.
//   - [Herd.Before] and [Herd.After] insert systems into the frame, [Herd.Replace] exchanges them. A step whose field
//     of
//     the Herd is set to nil is left out.
//   - [Herd.Step] and [Herd.StepTo] run a frame. [Herd.Observe] measures its stages.
//   - [Herd.SetObservers] places cameras or players, [Herd.Parallel] runs a host's own work on the workers.
//   - [Herd.Close] ends it.
//
// # The frame
//
// Each step is a package, whose system can also run alone, in any schedule of [ecs.System]:
//
//  1. frame.ClockSystem ([frame.Clock]) moves simulated time. The Herd moves the clock itself.
//  2. [LODStage]: [lod.System] decides which agents decide in this frame.
//  3. [PerceptionStage]: [perception.System] writes what those agents perceive; [needs.System] writes their needs, and
//     carries out eating, sleeping, company, work and rest.
//  4. [AIStage]: [ai.System] ticks their trees, posts intents and calls hooks.
//  5. [ActionStage]: [movement.System] and [combat.System] carry intents out and report outcomes.
//  6. [CommandStage]: [frame.CommandSystem] applies the structural changes that were queued.
//
// Package action has the names of the standard actions, package fact the ready-made facts, package space the map.
//
// # Determinism
//
// A run follows from the world, the seed and the instants of the clock. What agents do to each other goes through
// lists that each worker appends to alone and that are merged in the order of entities; sums are integers. So neither
// the number of workers nor the order in which they finish can change a result. No system reads the wall clock, a
// global random source or the order of a map.
//
// # Concurrency
//
// A Herd and its systems belong to the goroutine that owns the world. A system hands ranges of rows to the workers,
// each row to one task, and waits for them before the next system runs. A component has one writer in a stage.
//
// # Allocation
//
// A frame allocates nothing once its buffers have grown to the size of the crowd.
package systems
