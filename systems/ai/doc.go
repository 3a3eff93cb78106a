// Package ai ticks the trees of the agents that are due, in blocks of 64, and calls their hooks.
//
//   - [System] is the step of the frame; [Stats] are its counts; [System.Explain] says what an agent's tree
//     would do, and why.
//   - [Trees] is the registry of a world's trees, which numbers them; a [Tree] is such a number.
//   - [System.Reset] makes an agent's mind as new.
//
// # Agents
//
// An agent is an entity with a mind: one of [components.Mind64], Mind128 and Mind256. It has a [components.Intent] if
// its tree has Do leaves. With a [components.LOD] it is ticked when it
// is due, without one in every frame. Herd.Prefab and Herd.Adopt of package systems add what a tree needs.
//
// What Fire leaves post goes to [frame.Triggers], which the systems of the actions take from.
//
// Custom leaves and predicates find the worker's [ecs.Queue] in the User of their context.
//
// # Prompt
//
// An agent whose running tree completed, or one of whose running loops rests between two rounds, is woken: it is due in
// the next frame, in addition to the quota of its tier. So an agent of a slow tier goes on to the next action after one
// frame and not after a whole period. A tree that begins and completes within one tick is not ticked again before the
// tier's period has passed. A loop whose rounds begin and complete within one tick, such as one that polls a condition,
// is ticked in every frame; a Wait in the loop sets another pace.
//
// # Hooks
//
// Hooks run in Update after all agents have been ticked: by entity, for one agent the failures of choices,
// then exits, then enters, each in tree order.
// They also run in [ecs.Commands.Apply], before an agent is removed or its mind is replaced, while its components can
// still be read. When an agent was removed without the command queue, the next Update notices it and calls the exits of
// the leaves that it left running, before all other hooks. Each enter of a leaf has one exit. A hook may queue commands
// and call [System.Reset].
//
// Noticing such agents costs, in every frame, a look at the mind for each running leaf with an exit hook. Agents that
// run no such leaf cost nothing.
//
// # Files
//
// system.go is the system, size_class.go the columns of the three sizes of minds, tick.go the blocks of a frame,
// hooks.go and open_leaves.go the hooks, trees.go the registry, explain.go and stats.go what tools ask.
//
// # Determinism and concurrency
//
// A worker scans spans of rows and ticks full blocks of one tree; the remainders of all spans are made into blocks
// after that. So the agents of a block, and all results, do not depend on the number of workers. The methods belong to
// the goroutine that owns the world.
package ai
