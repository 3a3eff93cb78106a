// Package town generates maps, patrol routes and villages from a seed:
//
//   - [Generate] makes a map of streets, houses, halls and parks, and [Size] says how large a map has to be for a
//     number of agents.
//   - [Routes] makes loops for patrols.
//   - [PlanVillage] finds the squares, stores, workplaces and beds of a village, one [Neighbourhood] after the other.
//   - [ZOrder] sorts positions so that neighbours in the order are neighbours on the map.
//
// Maps are those of package space: a tile is a metre, x grows to the east and y to the south. Maps from files serve
// as well as generated ones.
//
// # Determinism
//
// The results depend on the arguments alone and are the same on every platform.
//
// # Concurrency
//
// The functions may be called by several goroutines at once as long as none of them changes the map.
package town
