//go:build !purego

package utility

import "github.com/flockwork-ai/flockwork/internal/cpu"

// level is the kernel in force. Tests set it.
var level = cpu.Chosen
