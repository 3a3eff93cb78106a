// Package frame holds what the steps of a frame share.
//
//   - [Clock] is simulated time. systems.Herd moves it; [ClockSystem] does in a schedule made by hand.
//   - [Seed] is the root of all random draws.
//   - [Events] is what agents do to each other in a frame: damage, noises, wake-ups. It also counts events for
//     reports.
//   - [Relations] say which faction is hostile to which.
//   - [CommandSystem] applies the structural changes at the end of a frame.
//
// They are resources of the world, which systems.Install puts there.
//
// # Determinism and concurrency
//
// Workers append to lists of their own; the system that consumes a kind of event merges its lists in entity order, so
// the outcome depends neither on the number of workers nor on the worker that served an agent. The other resources
// change between frames only.
package frame
