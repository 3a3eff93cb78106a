//go:build !amd64 || purego

package rows

import (
	"testing"

	"github.com/flockwork-ai/flockwork/internal/cpu"
)

// force has but one kernel to put in force.
func force(testing.TB, cpu.Kernel) {}
