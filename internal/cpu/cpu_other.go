//go:build !amd64 || purego

package cpu

import "os"

// Level is the kernel in force.
const Level = Go

var _ = choose(os.Getenv(variable), Level) // complains of another

// Force puts a kernel in force until a test ends; there is but one.
func Force(TB, Kernel) {}

// reason is why a kernel is not available.
const reason = "this build has no assembly"

func best() Kernel { return Go }
