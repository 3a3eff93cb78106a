// Package ecs connects the project to an [arche] world. It is the only package that knows arche's insides and,
// beside the kernels, the only one that uses unsafe.
//
//   - [Columns] walks archetypes and exposes their components as slices, whole columns at a time.
//   - [Get] and [Lookup] read one entity's component, [Alive] asks after an entity; none of them panics on a
//     stale handle or changes the world.
//   - [Commands] queues structural changes all frame long and applies them once, [Prefab] is what it spawns.
//   - [System] and [Schedule] are the frame. The interface is that of arche-model.
//   - [FromArche] and [ToArche] convert entities between package components and arche.
//
// # Memory layout
//
// arche keeps each component of an archetype in one array, in the order in which entities joined, holes
// filled from the end. A [Chunk] is one archetype; [Column] is that array itself, cut to the archetype's
// length, so row i of every column and of [Chunk.Entities] is the same agent. Nothing is copied. Arrays move when an
// archetype grows and rows move when an entity leaves, so no pointer outlives [Columns.Close] or the
// next structural change. Columns are aligned as their type asks, no more.
//
// Component bytes are moved raw, without the garbage collector's knowledge, so a component type that holds a
// Go pointer is refused where it is first named ([Register]). A world holds 240 component types: the
// next is refused too.
//
// arche's API tells neither an archetype's length nor the address of its entities, nor whether a type is
// registered. Those are read at offsets that reflection finds when the program starts, after a check of each
// field's name and type. Where a check fails, arche's public API serves instead: slower, with the same results.
//
// # Determinism
//
// Chunks come in the order of a query, rows in the order of Query.Next. That is storage order, which
// depends on the world's history; what must not depend on it ends ties in the order of
// [components.Entity.Less]. Commands are merged by issuing entity and order of issue, so neither the number of
// workers nor the worker that served an agent can change a result.
//
// # Concurrency
//
// A world belongs to one goroutine. That goroutine makes columns, opens and closes them, and applies commands.
// While columns are open the world is locked against structural changes, and any goroutine may read
// chunks, write rows that no other touches, call [Get], [Lookup.Get] and [Alive], and queue commands on
// a [Queue] of its own.
//
// # Allocation
//
// Once warm, opening and closing columns, queueing and applying commands and running a schedule allocate nothing;
// an archetype that outgrows its arrays does, by doubling them. [Prefab.SpawnNow] makes any number of
// entities with one allocation per column.
//
// [arche]: https://github.com/mlange-42/arche
package ecs
