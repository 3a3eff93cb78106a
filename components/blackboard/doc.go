// Package blackboard names the data that trees and utility evaluators read. The data are fields of components; there is
// no map of keys to values.
//
// To name fields of a component:
//
//   - [Fact] is a handle of one field, made with [FloatFact], [IntFact], [BoolFact], [AgeFact] or [EntityFact]. [Kind]
//     is what it is read as.
//   - [List] is a handle of an array of possible targets, made with [ListOf]. [MaxListed] is its greatest length.
//
// To keep keys that are known at run time only:
//
//   - [Board] is a component of numbered slots.
//   - [BoardSchema] gives the slots names and defaults, and reads and writes boards by name and as JSON.
//
// To write custom code, a leaf, a predicate or an input of an evaluator:
//
//   - [Context] is what custom code sees of a block of up to 64 agents.
//   - [Reader], a part of it, reads the facts that the custom code declared.
//
// To run trees and evaluators without a world, or over other storage:
//
//   - [Lanes] holds the facts of 64 agents in memory. Tests use it too.
//   - [Source] is the interface that trees and evaluators read facts through. [Lanes] implements it, and so does
//     internal/gather, over the columns of a world.
//   - [Fact.Field] says where a fact's value is stored, [Row] where an agent is in columns.
//
// # Determinism and concurrency
//
// Facts, lists and contexts are plain values; goroutines may share facts and lists. A [BoardSchema] may be shared once
// all names are given. [Lanes] belong to one goroutine at a time.
package blackboard
