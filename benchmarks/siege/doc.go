// Package siege compares whole frames of the siege of package scenario.
//
// [Compare] measures the library with LOD, with two workers and without LOD, and two naive sieges: in these every agent
// senses and decides in every frame, by a query of a grid for each agent and by trees of node objects, whose
// blackboards are structs or dictionaries. Everything else is the library's. The naive sieges equal the library's siege
// without LOD, agent by agent and frame by frame, to the bit.
//
// [CompareSizes] measures the cost per agent at two sizes, and [MeanBytes] the memory of an agent.
//
// The naive perception and AI share no code with the library on purpose: they are the plain way to do the same work.
// They call no hooks and count nothing for reports.
package siege
