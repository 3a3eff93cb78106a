package draws

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Waits draws the lengths of a tree's random waits. The draws are those of package aitree.
type Waits struct{ seed, program uint64 }

// NewWaits returns the waits of a tree, by the seed of the world and the name of the tree.
func NewWaits(seed uint64, tree string) Waits { return Waits{seed: seed, program: random.String(tree)} }

// UpTo draws 0..span microseconds for a wait of an agent. now is the clock in microseconds when the wait begins; node
// is the index of the waiting node in pre-order.
func (d Waits) UpTo(span uint32, e components.Entity, now int64, node int) int64 {
	h := random.Mix(d.seed, uint64(e.Generation)<<32|uint64(e.Index))
	h = random.Mix(h, uint64(uint32(now)))
	h = random.Mix(h, d.program)
	h = random.Mix(h, uint64(node)<<32)
	return int64(random.Below(h, span+1))
}
