//go:build !purego

package rows

import (
	"testing"

	"github.com/flockwork-ai/flockwork/internal/cpu"
)

// force puts a kernel in force until the test ends.
func force(t testing.TB, k cpu.Kernel) {
	if level != k {
		before := level
		level = k
		t.Cleanup(func() { level = before })
	}
}
