package executor

import "github.com/flockwork-ai/flockwork/internal/bitmask"

// cooldown counts from now, not from the instant. Its effects happen at ticks, so two of them are never closer than its
// duration.
func (x *Executor) cooldown(n *Node, index int32, mask uint64) (success, running uint64) {
	cooling := uint64(0)
	for m := mask &^ x.run[index]; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		if fullDeadline(*x.word(i, n.Slot), x.epochStart()) > x.now {
			cooling |= 1 << i
		}
	}
	if mask == cooling {
		return 0, 0
	}
	success, running = x.exec(index+1, mask&^cooling)
	if n.Micros > 0 {
		for m := success; m != 0; m &= m - 1 {
			*x.word(bitmask.Lowest(m), n.Slot) = uint32(x.now + n.Micros)
		}
	}
	return success, running
}
