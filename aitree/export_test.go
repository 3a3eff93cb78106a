package aitree

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Seams for the reference interpreter, which draws from the same streams.

// Draw is the k-th draw of a node, see Executor.draw.
func Draw(p *Program, seed, entity uint64, clock uint32, node, k int) uint64 {
	return drawKey(seed, entity, clock, p.hash, int32(node), k)
}

// Below maps a draw to 0…n-1.
func Below(hash uint64, n uint32) uint32 { return random.Below(hash, n) }

// LastChoice is the action that the UtilitySelector ticked last has in a lane, or -1, and its target.
func (x *Executor) LastChoice(lane int) (action int, target components.Entity) {
	if x.decision.Held>>lane&1 == 0 {
		return -1, components.Entity{}
	}
	return int(x.decision.Action[lane]), x.decision.Target[lane]
}
