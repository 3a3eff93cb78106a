// Package guards compares ways to decide the guard's tree of package scenario, over the same components of an arche
// world:
//
//   - a loop written by hand for this tree (handwritten.go),
//   - an interpreter of the flat program that ticks agent by agent (interpreter.go),
//   - trees of node objects with a struct or with a dictionary as blackboard (pointers.go),
//   - the block executor of package aitree as the AI system runs it, with one and with two workers (block.go),
//   - iteration alone, which decides nothing and is the lower bound (contestants.go),
//   - the composites of another library (peer.go; the module peers has the tree).
//
// [Compare] measures all but the last, [CompareWithHandwritten] the loop and the block executor, [ComparePeer] another
// library. Each contestant has its own crowd in its own world (crowd.go). The crowds go through the same events:
// outcomes of actions follow from the guard, the serial of its order and the frame. So contestants that decide equally
// stay equal to the bit; tests and every comparison check this.
//
// What contestants leave out is in their favour: only the block executor reports enters and exits of leaves, and only
// the block executor and the interpreter count decisions and handle floats that are not finite. Apart from the block
// executor, they are independent of package aitree on purpose.
package guards
