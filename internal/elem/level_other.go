//go:build !amd64 || purego

package elem

import "github.com/flockwork-ai/flockwork/internal/cpu"

const level = cpu.Go
