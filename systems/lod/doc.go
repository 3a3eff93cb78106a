// Package lod decides how often each agent decides: often near an observer, seldom far away.
//
// # Outline
//
//   - configure: [Config] with its [Tier] list, [DefaultConfig]
//   - run: [System], a step of the frame, and [Observers], a resource with the positions of cameras and players
//   - ask: [System.Stats], [System.TierNames]; wake an agent: Events.Wake of package systems/frame
//
// An agent has a [components.LOD]. Its distance to the nearest observer gives its distance tier, with a hysteresis at
// each radius. Its tier is the distance tier or, if that is nearer, the tier of its importance. Where the tier has a
// cap, the agents that do not fit move to the next tier. The tier sets the decision rate. In each frame the System
// marks the agents that decide; the systems after it ask [components.LOD.Due] and [components.LOD.Elapsed].
//
// # Memory layout
//
// The state of an agent is in its LOD component, 16 bytes without pointers. The System makes two passes over that
// column in each frame, one that counts waits and one that marks due agents. Every Config.Every frames it makes one
// more, which reads positions and updates tiers. Scratch memory is kept: in a steady state a frame allocates nothing.
//
// # Determinism
//
// Distances are compared as integers, and ties are resolved by the order of entities. The agents that are due depend on
// the configuration and on the history of frames, not on storage order or archetypes.
//
// # Concurrency
//
// The System runs on the goroutine that owns the world. Other systems may read LOD
// components from any number of goroutines after it.
package lod
