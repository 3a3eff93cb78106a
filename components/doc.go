// Package components has the structs of an agent: plain data without pointers, slices, strings, maps or functions, so
// that their bytes can be moved and stored raw. They are components of an entity-component system; an agent has those
// that its systems need. A custom component is any other struct of the same kind, see [CheckPointerFree].
//
// Where an agent is, and how it moves:
//
//   - [Transform], [Body], [Steering], [Route], [Vec2]
//
// What it perceives:
//
//   - [Faction], [Senses], [Percept], [Candidates]
//
// How it decides, and how often:
//
//   - [Mind64], [Mind128] or [Mind256] is the state of a tree; [Choice] is that of a utility evaluator without a tree.
//   - [LOD] is the level of detail: how often the agent decides.
//
// What it has decided:
//
//   - [Intent] holds an [Order] per [Channel]: lasting actions, with their [Outcome].
//   - [Triggers] are instant actions. An [Action] is the number of either.
//
// How it fights:
//
//   - [Health], [Attack], [Attacked], [Ammo], [Fighter]
//
// How it lives in a village:
//
//   - [Needs], [Engagement], [Activity], [Home]; [Place] and [PlaceKind] are what it uses.
//
// What the fields are made of:
//
//   - [Entity] refers to an entity, [Timestamp] is a reading of the clock.
//
// Trees and evaluators read fields through facts, which are in package [blackboard].
//
// # Memory layout
//
// Sizes are fixed, and a test asserts them. An agent that perceives, decides and moves needs a [Transform] (16 bytes),
// [Body] (16), [Percept] (56), [LOD] (16), [Intent] (64) and a mind (64, 128 or 256). One with needs also has [Needs]
// (48), [Engagement] (24) and [Home] (32). Numbers are float32 in metres and seconds unless a field says otherwise.
//
// # Determinism and concurrency
//
// Nothing here behaves differently between runs. Each component has one writer, named in its comment. Anyone may read
// it in another stage of the frame.
//
// This package imports no other of the project and knows nothing of arche.
//
// [blackboard]: https://pkg.go.dev/github.com/flockwork-ai/flockwork/components/blackboard
package components
