// Package gather reads facts, which are fields of components, and minds by address from the columns of a world, in
// blocks of 64 agents, for what ticks trees and scores evaluators.
//
//   - [FactColumns] are columns in which a [Gather] finds facts. A Gather is a [blackboard.Source].
//   - [MindWords] returns a column of minds as words.
//
// A gather reads 64 rows of a component as words by a kernel of internal/rows where facts lie close together, and field
// by field otherwise. Which way is taken does not change what is read. Each worker has a Gather of its own; none
// allocates after [Gather.Prepare].
package gather
