//go:build !amd64 || purego

package cpu

import "os"

// Level is the kernel in force.
const Level = Go

var _ = choose(os.Getenv(variable), Level) // panics for another kernel

// Force puts a kernel in force until a test ends; there is only one.
func Force(TB, Kernel) {}

// reason is why a kernel is not available.
const reason = "this build has no assembly"

func best() Kernel { return Go }
