// Package villagers compares ways to choose a villager's action by utility: objects with closures, with a struct or
// with a dictionary as blackboard (closures.go), a loop written by hand (handwritten.go), the batch scorer of package
// utility (scorer.go), and iteration alone, which chooses nothing and is the lower bound. [Compare] measures all of
// them. The formula that all compute is in villager.go.
//
// Each contestant has its own crowd in its own world (crowd.go). The crowds go through the same events, so the choices
// of all contestants are equal to the bit; tests and every comparison check this.
//
// What contestants leave out is in their favour: only the batch scorer handles floats that are not finite and gives the
// same result on every platform. The others take the exponential of package math. Apart from the batch scorer, they are
// independent of package utility on purpose.
package villagers
