package benchmarks

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// draws makes the draws of the tree's random waits.
type draws struct{ seed, program uint64 }

func newDraws(seed uint64, tree string) draws { return draws{seed: seed, program: random.String(tree)} }

// between draws 0…span microseconds for a wait of a guard that begins at a reading of the clock in microseconds, as
// package aitree does.
func (d draws) between(span uint32, e components.Entity, now int64, node int) int64 {
	h := random.Mix(d.seed, uint64(e.Generation)<<32|uint64(e.Index))
	h = random.Mix(h, uint64(uint32(now)))
	h = random.Mix(h, d.program)
	h = random.Mix(h, uint64(node)<<32)
	return int64(random.Below(h, span+1))
}
