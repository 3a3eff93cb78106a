package draws

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Waits makes the draws of the tree's random waits.
type Waits struct{ seed, program uint64 }

func NewWaits(seed uint64, tree string) Waits { return Waits{seed: seed, program: random.String(tree)} }

// Between draws 0…span microseconds for a wait of a guard that begins at a reading of the clock in microseconds, as
// package aitree does.
func (d Waits) Between(span uint32, e components.Entity, now int64, node int) int64 {
	h := random.Mix(d.seed, uint64(e.Generation)<<32|uint64(e.Index))
	h = random.Mix(h, uint64(uint32(now)))
	h = random.Mix(h, d.program)
	h = random.Mix(h, uint64(node)<<32)
	return int64(random.Below(h, span+1))
}
