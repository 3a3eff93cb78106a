// Package components has the components of agents: structs without pointers, slices, strings, maps or functions, so
// that their bytes can be copied and stored as they are. An agent has those components that its systems need. A custom
// component is any other struct without pointers, see [CheckPointerFree].
//
// Movement:
//
//   - [Transform], [Body], [Steering], [Route], [Vec2]
//
// Perception:
//
//   - [Faction], [Senses], [Percept], [Candidates]
//
// Decisions:
//
//   - [Mind64], [Mind128] or [Mind256] is the state of a tree; [Choice] is that of a utility evaluator without a tree.
//   - [LOD] is the level of detail: how often the agent decides.
//   - [Paused] stops an agent.
//
// Actions:
//
//   - [Intent] holds an [Order] per [Channel]: durative actions, with their [Outcome].
//   - A [Trigger] is an instant action. An [Action] is the number of either.
//
// Combat:
//
//   - [Health], [Attack], [Attacked], [Ammo], [Fighter]
//
// Needs:
//
//   - [Needs], [Engagement], [Activity], [Home]; [Place] and [PlaceKind] are the places that it uses.
//
// Types of fields:
//
//   - [Entity] refers to an entity, [Timestamp] is a reading of the clock.
//
// Trees and evaluators read fields through facts, which are in package blackboard.
//
// # Memory layout
//
// Sizes are fixed, and a test asserts them. An agent that perceives, decides and moves needs a [Transform] (16 bytes),
// [Body] (16), [Percept] (56), [LOD] (16), [Intent] (64) and a mind (64, 128 or 256). One with needs also has [Needs]
// (48), [Engagement] (24) and [Home] (32). Numbers are float32 in metres and seconds unless a field says otherwise.
//
// # Determinism and concurrency
//
// The methods are deterministic. Each component has one writer, which its comment names. Other systems may read it in
// other stages of the frame.
//
// This package imports no other package of the project, nor arche.
package components
