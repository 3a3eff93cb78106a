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
//     [Report.WriteText] writes it as text; its JSON form is for programs. [Counts], [FrameNS], [StageNS], [PerFrame], [Utility] and
//     [Action] are sections of every report; scenarios fill [Village], [Skirmish] and [Attacks].
//   - [EventNames] lists the events that reports count.
//
// Writing a scenario: [Scenario.SetUp] adds agents to [Simulation.World], systems by [Simulation.AddSystem] and its
// part of the report by [Simulation.OnReport]. [Post] and [PostSystem] guide patrolling agents back to their routes.
//
// # The frame
//
// Each frame has the stages [StageLOD], [StagePerception], [StageAI], [StageActions] and [StageCommands], in this
// order. Every scenario has the systems for LOD, the grid, AI, movement and the command queue. Perception, needs and
// combat are added by the scenarios that have a use for them.
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
