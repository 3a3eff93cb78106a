//go:build !purego

package elem

import (
	"testing"

	"github.com/flockwork-ai/flockwork/internal/cpu"
)

// use puts a kernel in force until the test ends.
func use(t testing.TB, k cpu.Kernel) {
	if level != k {
		before := level
		level = k
		t.Cleanup(func() { level = before })
	}
}
