//go:build !amd64 || purego

package rows

import "github.com/flockwork-ai/flockwork/internal/cpu"

const level = cpu.Go
