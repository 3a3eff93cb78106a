//go:build !amd64 || purego

package elem

import (
	"testing"

	"github.com/flockwork-ai/flockwork/internal/cpu"
)

// use has but one kernel to put in force.
func use(testing.TB, cpu.Kernel) {}
