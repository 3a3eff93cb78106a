// Package components holds the data of an agent and the names of that data.
//
// The structs are plain components for an entity-component system: no pointers, slices, strings, maps
// or functions, so that their bytes may be moved and stored raw. A [blackboard.Fact] is a handle that names one
// field of one component, a user's or one of these; trees and utility evaluators read facts, never
// components.
//
// # Memory layout
//
// Sizes are fixed and asserted by a test: an agent that perceives, decides and moves needs a
// [Transform] (16 bytes), [Body] (16), [Percept] (56), [LOD] (16), [Intent] (64) and a mind (64, 128
// or 256); one with needs [Needs] (56), [Engagement] (16) and [Home] (32) besides. Numbers are float32
// in metres and seconds, clock readings are [Timestamp].
//
// # Determinism and concurrency
//
// Nothing here has behaviour that could differ between runs. Each component has one writer, named in
// its comment; anyone may read it in another stage of the frame.
//
// This package imports no other of the project and knows nothing of arche.
package components
