package executor

import "github.com/flockwork-ai/flockwork/internal/bitmask"

// recovery ticks its first child. Where that fails, it ticks the second in the same tick, unless that has succeeded as
// often as it may. Where the second succeeds, the first begins again on the next tick.
func (x *Executor) recovery(n *Node, index int32, mask uint64) (success, running uint64) {
	if n.Count > 0 {
		for m := mask &^ x.run[index]; m != 0; m &= m - 1 {
			*x.word(bitmask.Lowest(m), n.Slot) = 0
		}
	}
	recovering := mask & x.run[n.Children[1]]
	if first := mask &^ recovering; first != 0 {
		success, running = x.exec(n.Children[0], first)
		failed := first &^ success &^ running
		if n.Count > 0 {
			for m := failed; m != 0; m &= m - 1 {
				i := bitmask.Lowest(m)
				failed &^= bitmask.Of(*x.word(i, n.Slot) >= uint32(n.Count)) << i
			}
		}
		recovering |= failed
	}
	if recovering == 0 {
		return success, running
	}
	recovered, r := x.exec(n.Children[1], recovering)
	if n.Count > 0 {
		for m := recovered; m != 0; m &= m - 1 {
			*x.word(bitmask.Lowest(m), n.Slot)++
		}
	}
	x.clearCooldowns(index, recovered)
	return success, running | r | recovered
}
