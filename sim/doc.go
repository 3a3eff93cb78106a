// Package sim runs scenarios, which are worlds with agents, and reports what happened and what the frames cost.
//
// Configuration:
//
//   - [Scenario] fills a world with agents; package [github.com/flockwork-ai/flockwork/sim/scenario] has those of the
//     command.
//   - [Config] is a scenario with its size, length, seed and map; [DefaultConfig] returns one.
//
// Runs:
//
//   - [Run] runs a configuration to its end and returns a [Report].
//   - [Simulation] is the same run frame by frame: [NewSimulation], [Simulation.Step], [Simulation.Close].
//     [Simulation.Observe] measures its systems, and [NewSimulationWith] replaces some of them.
//
// Results:
//
//   - [Report] has the activities of the agents, the cost of the frames, and the hash of the world at the end.
//     [Report.WriteText] writes it as text; its JSON form is for programs. [Counts], [FrameNS], [StageNS], [PerFrame],
//     [Utility] and [Action] are sections of every report; scenarios fill [Village], [Skirmish] and [Attacks].
//   - [EventNames] lists the events that reports count.
//
// To write a scenario, use the methods of the embedded herd in the SetUp function: it adds trees, prefabs, agents and
// systems, sets unused steps to nil, and adds a section to the report with [Simulation.OnReport]. [Post] and
// [PostSystem] guide patrolling agents back to their routes.
//
// # The frame
//
// A frame is that of [systems.Herd], with one more system that moves the camera, which is the observer. A scenario sets
// the steps that it does not use (perception, needs, combat) to nil.
//
// # Determinism
//
// A report depends on its configuration only, except for times, memory and allocations. The number of workers changes
// nothing else.
//
// # Concurrency
//
// A simulation belongs to one goroutine. Its systems use the workers of the world. Hooks of trees run on the
// simulation's goroutine.
package sim
