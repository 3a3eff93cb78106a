//go:build !amd64 || purego

package utility

import "github.com/flockwork-ai/flockwork/internal/cpu"

const level = cpu.Go
