// Package space has the terrain of a world: which tiles can be walked on and seen through, and the queries of
// perception and movement.
//
// Maps and routes:
//
//   - [Map] is a grid of tiles of one metre. Make one with [NewMap] and [Map.Set], or read a file in the MovingAI
//     octile format with [LoadMap] or [ParseMap]; [WriteMap] writes one.
//   - [Tile] is the kind of a tile: [Ground], [Wall] or [Water].
//   - [Routes] are the patrol routes of a world.
//
// Lines:
//
//   - [Map.Sees] tells whether there is a line of sight between two points.
//   - [Viewshed] tells which tiles are certainly out of sight of a viewer.
//   - [Walkable] tells whether a body can walk straight from one point to another, [LinePassable] whether a point can.
//
// Bodies, for a custom movement system:
//
//   - [Walk] moves a body for a frame; it slides along walls and never enters one.
//   - [Footing] is the tile that a body stands in and its neighbours; [Clearance] is how far a body keeps from walls.
//   - [NearestStandable] finds the nearest point outside a wall.
//   - [Wayfinder] finds a path round an obstacle.
//
// # Coordinates
//
// Tile (x, y) is the square from (x, y) to (x+1, y+1), in metres. Row 0 is the first row of a map file. Everything
// outside the map is a wall. In functions that take a map, nil is open country without walls where their comment says
// so.
//
// # Memory layout
//
// A map has two bits per tile, passable and opaque, in rows of whole words. A Wayfinder is about 210 KB and a Viewshed
// half a kilobyte; a worker has one of each. Queries allocate nothing.
//
// # Determinism
//
// Results are functions of the map and the arguments. Lines of sight are computed in whole numbers; everything else
// rounds each product, so all platforms agree to the bit.
//
// # Concurrency
//
// Any number of goroutines can read a Map and Routes. [Map.Set], [Map.Fill] and [Routes.Add] are for between frames. A
// Wayfinder and a Viewshed belong to one goroutine at a time.
package space
