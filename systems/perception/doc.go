// Package perception gives agents senses: sight with a cone and walls, memory, hearing, and counts of the agents near.
//
// # Outline
//
//   - run: [System], a step of the frame, with [System.Stats]
//   - read: the system writes [components.Percept] and [components.Candidates]; package fact has facts for their fields
//   - configure an agent: [components.Senses] has the radii, the cone and the duration of its memory
//   - an agent without a target has the distance [components.NoDistance]
//
// # Order of tests
//
// Four tests decide whether an agent sees an entity, cheapest first:
//
//  1. faction: only entities of hostile factions are tested, since the grid keeps factions apart
//  2. distance: within the sight radius; up to the lose radius for the target that is in sight already
//  3. cone: within the angle around the heading; skipped for the target that is in sight already
//  4. ray: no wall of the map between the two
//
// When 16 rays of a search have met a wall, a [space.Viewshed] tells which hostiles are certainly out of sight. When 64
// have, it is drawn in each frame which of the others get a ray: the n-th with a chance of 64 in n. So a crowd behind a
// wall costs little, and whoever comes out of it is seen after some more frames.
//
// # Choice of the target
//
//   - The current target is tested before all others, with one ray. It is kept while it is in sight.
//   - Without a target in sight, the nearest hostile in sight becomes the target.
//   - A hostile that hurt the agent in the last two seconds (HurtBy and HurtAt of [components.Health]) is a candidate
//     too, wherever the agent looks, up to its lose radius and if no wall is between. It takes the place of a target in
//     sight if it is nearer by more than [System.Stickiness].
//   - A target that is out of sight is remembered, with a belief that decreases from 1 to 0, and then forgotten.
//
// The search for the nearest is left out while the target is in sight and the agent keeps no candidates.
//
// # Memory layout
//
// Positions are read from the grid of the frame, in which the entities of one faction in a row of cells are contiguous.
// Distance and cone are tested without branches, 64 entities at a time. Scratch memory is per worker and is kept: in a
// steady state a frame allocates nothing.
//
// # Determinism
//
// All agents see the positions at the start of the frame. An agent writes its own percept only, and ties are resolved
// by the order of entities. No ray is cached between frames. So results depend neither on the number of workers nor on
// the storage order.
//
// # Concurrency
//
// [System.Update] runs on the goroutine that owns the world and splits its work over the workers of the world.
package perception
