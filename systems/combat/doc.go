// Package combat carries out fights: strikes and shots, damage, noise, death and respawn.
//
//   - [System] is the step of the frame that does all of it.
//   - [Shots] are the settings of ranged attacks.
//   - [Stats] counts strikes, shots, hits and claims.
//   - [RespawnQueue] holds the dead agents that will respawn, so that they can be saved with the world.
//
// # Strikes
//
// An agent strikes once with the trigger strike, or repeatedly with an order melee (shoot for ranged attacks) in the
// act channel; see [action.Seek] for their parameters. A strike by trigger lands if its target is alive, hostile and
// within [System.Reach] at that moment; otherwise it is lost. All damage of a frame is dealt at one instant, so two
// agents can kill each other. An agent that is hurt is woken. An agent that is hurt or strikes has the highest
// importance for LOD until [System.AlertTime] has passed.
//
// # Claims
//
// An order melee or shoot needs a claim on its target, and a target takes [System.MaxAttackers] claims, of both kinds
// together. Existing claims have precedence. New claims are granted in the order of the attackers' entities, and an
// order whose claim is refused fails. A claim is valid while the order is pending with the same target and both agents
// are alive; it is kept when the agent changes from one kind of attack to the other. From the frame after the grant on,
// a melee strikes whenever the target is within reach, once in [System.StrikeInterval], and a shoot fires by [Shots]
// where the map leaves a line of sight. An attack that can do neither for [System.Patience] fails. components.Attacked
// counts the claims on an agent.
//
// # Death and respawn
//
// An agent whose health reaches 0 is dead at once: it can no longer be attacked, and the functions registered with
// [System.OnDeath] are called. Melee and shoot orders whose claimed target died succeed in the next frame. The command
// queue removes the dead agent at the end of the frame. If its components.Fighter names a prefab that was set with
// [System.SetRespawn], a new agent is spawned from that prefab after [System.RespawnDelay]: at a waypoint of the dead
// agent's route, or else at a random point of the map. It is a new entity.
//
// # Memory layout
//
// The system works on columns in place. Beside them it holds one byte per entity index, the number of claims, and each
// worker's lists of claims and claim requests. A frame allocates nothing once these have grown.
//
// # Determinism
//
// Effects on other agents (wounds, noises, claim requests) go through per-worker lists that are merged in the order of
// entities. Draws are keyed by seed, entity and time. So results depend neither on the storage order nor on the number
// of workers.
//
// # Concurrency
//
// The methods of System belong to the goroutine that owns the world. Update hands ranges of agents to the pool of
// workers and returns when all of them are done. Callbacks run on the goroutine that called Update.
package combat
