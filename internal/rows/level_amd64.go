//go:build !purego

package rows

import "github.com/flockwork-ai/flockwork/internal/cpu"

// level is the kernel in force. Tests set it.
var level = cpu.Chosen
