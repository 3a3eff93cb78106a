// Package spatial has a grid for queries of the entities near a point. It is rebuilt once a frame and shared by
// perception, movement, combat and needs.
//
// # Outline
//
//   - [Grid]: the entities by cell, with their positions, radii and factions; [NewGrid]
//   - [GridSystem], [AttachGrid], [Grid.Refresh]: rebuild it in the frame of a world
//   - [Grid.Near], [Grid.NearFaction], [Grid.Find]: queries by point and by entity
//   - [Grid.RowSlots], [Grid.CountCells], [Grid.SlotsOfRows], [Grid.Col], [Grid.Row]: queries by cell
//
// # Memory layout
//
// The slots are in columns (positions, radii, factions, entities), ordered by row of cells, then faction, then column
// of cells, then entity. So a query for one faction reads one contiguous range per row of cells. A build is a counting
// sort: count, prefix sums, scatter into bands of rows, then sort each band while it is in the cache. Memory is kept
// from frame to frame.
//
// # Determinism
//
// The order of slots depends on the positions and entities only, not on storage order or workers.
//
// # Concurrency
//
// A build splits its work over the workers of the world and is called by one goroutine. Between builds any number of
// goroutines may read.
package spatial
