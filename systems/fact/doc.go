// Package fact has ready-made facts: handles of the components that the standard systems write. Trees and evaluators
// take them as they are. Facts of custom components are made with package components/blackboard.
//
// # Outline
//
//   - what an agent sees, remembers and hears: [Target], [Visible], [Distance], [SeenAge], [Belief], [LastKnownX],
//     [LastKnownY], [NoiseAge], [NoiseX], [NoiseY], [Hostiles], [Allies]
//   - its health and ammunition: [Health], [MaxHealth], [HurtAge], [HurtBy], [Ammo], [AmmoShare]
//   - the targets to choose from: [Candidates], [Nearest], and of each [CandidateDistance], [CandidateHealth],
//     [CandidateAttackers], [CandidateVisible]
//   - its needs: [Hunger], [Fatigue], [Loneliness], [Food], [Friends], [Friend], [Day]
//   - its home: [Bed], [Store], [Work], [Square]
//
// An agent without the component of a fact reads the default of the fact: 0, false, no entity, or
// [components.NoDistance] for distances. Conditions compare ages with a time.Duration, considerations read
// them in seconds. The age of an event that never happened is greater than any other.
//
// # Memory layout, determinism, concurrency
//
// A fact is a name, a component type and the offset of a field in it. Facts are immutable, so any number of goroutines
// may use them.
package fact
