// Package benchmarks measures what a herd costs per frame, and compares.
//
// [Compare] puts side by side five ways to decide the guard's tree of package sim, over the same components of an arche
// world: a loop written by hand for this very tree, trees of node objects with a struct and with a dictionary as
// blackboard, an interpreter of the flat program that goes agent by agent, and the block executor as systems.AI runs it.
// Each has a world of its own, and the worlds live through the same: a tenth of the guards see their facts change between
// ticks, and outcomes of actions follow from the guard, the serial of its order and the frame. So ways that decide
// alike stay alike to the bit, which a test asserts and a comparison checks in the end. The command guardtree prints a
// comparison, the Go benchmarks time the same contestants.
//
// What the others leave out is in their favour: of all but the block executor none reports enters and exits, and of all
// but it and the interpreter none counts what it does or minds floats that are not finite.
package benchmarks
