// Package draws makes the random draws of benchmarks: counter-based ones of package internal/random, so that a draw
// depends on its keys alone and the crowds of all contestants go through the same events.
//
// [Stream] draws what happens to an agent in a frame. [Waits] draws the lengths of a tree's random waits, as package
// aitree does.
package draws
