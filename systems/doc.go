// Package systems holds the steps of a frame as arche systems, and the resources they share. A system has
// Initialize, Update and Finalize ([ecs.System]), runs in any arche world that [resources.Install] was called on, alone or with
// the others, and panics in its own name when a resource is missing.
//
// The resources:
//
//   - [frame.Clock] is simulated time; [frame.ClockSystem], or the host, moves it before each frame.
//   - [frame.Seed] is the root of all random draws.
//   - [parallel.Workers] is the pool of goroutines that serve a frame.
//   - [frame.Events] is what agents do to each other: damage, noises, wake-ups, and counts for a report.
//   - [space.Map], [spatial.Grid] and [space.Routes] are the ground, who stands where, and where one patrols.
//   - [aitree.Actions] names what agents can do; see [action.Seek] for what the action systems here do.
//   - [ecs.Commands] is the queue of structural changes, which [frame.CommandSystem] applies at the end of a frame.
//
// # Determinism
//
// A run follows from the world, the seed and the instants of the clock. What agents do to each other goes through
// lists that each worker appends to alone, merged in entity order; sums are integers. So neither the number of workers
// nor the order in which they finish can change a result. No system reads the wall clock, a global random source or
// the order of a map.
//
// # Concurrency
//
// A system's methods belong to the goroutine that owns the world. It hands ranges of rows to [parallel.Workers], each row to
// one task, and waits for them before the next stage. A component has one writer in a stage.
//
// # Allocation
//
// Updates allocate nothing once their buffers have grown to the herd's size.
package systems
