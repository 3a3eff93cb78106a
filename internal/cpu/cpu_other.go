//go:build !amd64 || purego

package cpu

// Level is the kernel in force.
const Level = Go

var _ = chosen(Level) // ends the program for another kernel

// Force puts a kernel in force until a test ends; there is only one.
func Force(TB, Kernel) {}

// reason is why a kernel is not available.
const reason = "this build has no assembly"

func best() Kernel { return Go }
