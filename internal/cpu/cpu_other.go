//go:build !amd64 || purego

package cpu

// reason is why a kernel is not available.
const reason = "this build has no assembly"

func best() Kernel { return Go }
