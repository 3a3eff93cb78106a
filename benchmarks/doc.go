// Package benchmarks measures what a herd costs per frame, and compares.
//
// [CompareGuards] puts side by side five ways to decide the guard's tree of package sim, over the same components of an
// arche world: a loop written by hand for this very tree, trees of node objects with a struct and with a dictionary as
// blackboard, an interpreter of the flat program that goes agent by agent, and the block executor as systems.AI runs
// it. [CompareVillagers] does so with ways to choose between a villager's actions by their utility: objects with
// closures, with a struct and with a dictionary as blackboard, a loop written by hand, and the batch scorer of package
// utility. [ComparePeer] takes in the composites of another library. [CompareSieges] compares whole frames: the siege
// of package sim with one in which everyone thinks in every frame by such trees, and senses by a plain query of a grid.
// [MeasureHerd] and [CompareSizes] measure the scenarios as they are.
//
// Each contestant has a world of its own, and the worlds live through the same: facts change between ticks, and
// outcomes of actions follow from the guard, the serial of its order and the frame. So ways that decide alike stay
// alike to the bit, which a test asserts and a comparison checks in the end. The naive siege equals the library's
// without LOD agent by agent and frame by frame, which a test asserts. The command herd prints all of this, the Go
// benchmarks time the same contestants.
//
// What the others leave out is in their favour. Of all that decide the guard's tree none but the block executor reports
// enters and exits, and none but it and the interpreter counts what it does or minds floats that are not finite. Of
// all that choose for villagers none but the batch scorer minds those, or gives the same result on every platform: the
// others take the exponential of package math. The naive siege calls no hooks and counts nothing for reports.
package benchmarks
