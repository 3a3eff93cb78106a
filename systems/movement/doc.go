// Package movement moves agents: it carries out their move orders, walks them round obstacles and keeps their bodies
// apart.
//
//   - [System] is the step of the frame that moves all agents.
//   - [Stats] counts faults: values that are not finite, agents inside a wall.
//
// # Orders
//
// An agent's order is the entry components.Move of its [components.Intent]. The actions are seek, arrive, flee, patrol,
// wander and stand; [action.Seek] has a table of their parameters and of when they succeed and fail. An order is
// durative: its outcome is Pending until the system sets it to Succeeded or Failed, and the agent stands afterwards.
// Orders with other actions are ignored. An agent without an Intent keeps its velocity.
//
// An order with a target follows that target. When the target dies or is removed, seek, arrive and flee fail in the
// next frame.
//
// A point where the body cannot stand, in a wall or too near to one, is brought to the nearest place where it can (see
// [space.NearestStandable]). Reaching that place is success when the point is within the wanted distance or the radius
// of the body, and failure when it is not.
//
// On a patrol that is posted again an agent goes on to the next waypoint. If it was led off its route, so that it
// cannot walk straight there, it goes to the nearest waypoint in its straight way instead. A waypoint that was skipped
// is not skipped again before the agent has visited it.
//
// # Obstacles
//
// An agent walks straight to its goal where the straight way is open. Otherwise [space.Wayfinder] searches the tiles
// around, and the agent heads for one tile of the path after another. If no path was found it heads for the nearest
// reachable tile and searches again there. Bodies slide along walls and never enter one, whatever their speed.
//
// # Progress
//
// No order with a goal stays pending without progress, unless its target walks away. An agent that makes no progress
// for [System.BlockedAfter] fails its order. An agent that follows a path has patience for a walk of 1.25 times the
// length of the path and 16 metres more, and for what its goal moves meanwhile; when it is used up without that the
// agent has come nearer to its goal than it ever was, it counts as without progress. So an agent does not walk to and
// fro for ever between two ways that each look better from the other end. An agent that flees has patience for 32
// metres without getting farther away; then it is cornered.
//
// # Separation
//
// Agents whose bodies overlap are moved apart by half of the overlap each, as far as the walls allow. An agent that
// walks into another one loses that part of its velocity and steps aside, always to the same side, so two agents pass
// each other. Only agents with a [components.Faction] that are alive take part. Overlapping bodies are found with a
// grid of sub-cells that fits in the processor's cache.
//
// # Memory layout
//
// The system reads and writes columns of [components.Transform], [components.Body], [components.Intent],
// [components.Steering] and [components.Route] in place. Beside them it holds the next position of each agent and, by
// entity index, 16 bytes for the separation. Each worker has a [space.Wayfinder] and the sub-cells of its part of the
// grid. A frame allocates nothing once these have grown.
//
// # Determinism
//
// Every agent reads the positions at the start of the frame; new positions are written after all agents have moved.
// Sums over neighbours are taken in the order of the grid, and random draws are keyed by seed, entity and time. So
// results depend neither on the storage order nor on the number of workers.
//
// # Concurrency
//
// The methods of System belong to the goroutine that owns the world. Update hands ranges of agents to the pool of
// workers and returns when all of them are done.
package movement
