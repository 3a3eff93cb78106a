// Package ecs connects the project to an [arche] world. It is the only package that knows arche's internals and, apart
// from the kernels, the only one that uses unsafe. One of the kernels, internal/gather, reads the facts of blocks of
// agents at the addresses that [Columns.Memory] gives.
//
// To iterate over many entities:
//
//   - [Columns] are the columns of archetypes as slices, chosen by terms ([Term]). Open, they are one [Chunk] per
//     archetype; [Column] returns a component of its rows, and a [Span] is a range of them.
//
// To read single entities:
//
//   - [Get] and a [Lookup] read a component of an entity, and [Alive] tells whether the entity exists. They accept any
//     handle, never panic and never change the world.
//   - [Table] keeps values per entity beside the world.
//   - [Resource] and [FindResource] return a resource of the world.
//   - [FromArche] and [ToArche] convert entities.
//
// To make and change entities:
//
//   - [Prefab] is a list of component values that entities are made with.
//   - [Commands] are structural changes that are queued during a frame and applied once. A worker queues them in its
//     [Queue], with its methods and with [Assign], [Drop] and [Relate]. [LeaveReason] tells a callback why an agent
//     leaves. Listeners of the arche world are notified when an entity or a component has its values.
//
// To run a frame:
//
//   - [System] is one step of a frame, [SystemFunc] makes one of a function, and a [Schedule] is a list of systems.
//
// To check a run:
//
//   - [Hash] hashes a world.
//
// # Memory layout
//
// Arche keeps each component of an archetype in one array, in the order in which entities joined. When an entity
// leaves, the last one takes its row. A [Chunk] is one archetype. [Column] is that array itself, cut to the archetype's
// length, so row i of every column and of [Chunk.Entities] is the same agent. Nothing is copied. Arrays move when an
// archetype grows and rows move when an entity leaves, so no pointer outlives [Columns.Close] or the next structural
// change. Columns have the alignment of their type, no more.
//
// Arche's API gives neither an archetype's length nor the address of its entities, nor whether a type is registered.
// These are read at offsets that reflection finds when the program starts, after a check of each field's name and type.
// Where a check fails, arche's public API is used instead: slower, with the same results.
//
// # Component types
//
// A component is a struct without Go pointers. The bytes of components are copied without the garbage collector's
// knowledge, so a type that holds a pointer would corrupt the heap. The functions of this package register the
// component types that they are given in the world. They panic:
//
//   - when a type holds a Go pointer, naming the field;
//   - when a type would be the 241st of the world, more than arche can hold;
//   - when a type is new to the world and the world is locked.
//
// # Determinism
//
// Chunks come in the order of a query, rows in the order of Query.Next. That is storage order, which depends on the
// world's history. Code that must not depend on it breaks ties in the order of [components.Entity.Less]. Commands are
// merged by issuing entity and order of issue, so neither the number of workers nor the worker that served an agent can
// change a result.
//
// # Concurrency
//
// A world belongs to one goroutine. That goroutine makes columns, opens and closes them, and applies commands. While
// columns are open the world is locked against structural changes. Any goroutine may then read chunks, write rows that
// no other goroutine uses, call [Get], [Lookup.Get] and [Alive], and queue commands on the [Queue] of its worker.
//
// # Allocation
//
// Once warm, opening and closing columns, queueing and applying commands and running a schedule allocate nothing. An
// archetype that outgrows its arrays doubles them. Arche itself allocates for a change that names the target of a
// relation. [Prefab.SpawnNow] makes any number of entities with one allocation
// per column.
//
// [arche]: https://github.com/mlange-42/arche
package ecs
