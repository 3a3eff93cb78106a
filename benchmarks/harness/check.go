package harness

import "fmt"

// RequirePositive panics unless the numbers that a function was called with are positive. function is its name, such as
// "guards.Compare".
func RequirePositive(function string, agents, repetitions, ticks int) {
	if agents < 1 || repetitions < 1 || ticks < 1 {
		panic(fmt.Sprintf("benchmarks: %s of %d agents, %d repetitions, %d ticks; use positive numbers",
			function, agents, repetitions, ticks))
	}
}

// Must returns v. It panics when err is not nil: what benchmarks build from constants cannot fail.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
