package executor

import "github.com/flockwork-ai/flockwork/internal/bitmask"

// timeout ticks its child first, so that the result of the tick that reaches the deadline counts.
func (x *Executor) timeout(n *Node, index int32, mask uint64) (success, running uint64) {
	entering := mask &^ x.run[index]
	if entering&x.past != 0 {
		return x.timeoutFromPast(n, index, mask, entering)
	}
	success, running = x.exec(index+1, mask)
	over := x.due(n.Slot, running&^entering)
	for m := over; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		x.setInstant(i, x.deadline(i, n.Slot))
	}
	if n.Micros > 0 {
		for m := running & entering; m != 0; m &= m - 1 {
			*x.word(bitmask.Lowest(m), n.Slot) = uint32(x.now + n.Micros)
		}
	} else {
		over |= running & entering // at the instant of entry, which is now
	}
	x.resetRunning(index+1, over)
	return success, running &^ over
}

// timeoutFromPast is timeout for a block in which some lanes enter it at an instant before now.
func (x *Executor) timeoutFromPast(n *Node, index int32, mask, entering uint64) (success, running uint64) {
	var entered [64]int64
	for m := entering; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		entered[i] = x.instantOf(i)
	}
	success, running = x.exec(index+1, mask)
	over := uint64(0)
	for m := running; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		d := entered[i] + n.Micros
		if entering>>i&1 == 0 {
			d = x.deadline(i, n.Slot)
		}
		if d <= x.now {
			over |= 1 << i
			x.setInstant(i, d)
		} else if entering>>i&1 != 0 {
			*x.word(i, n.Slot) = uint32(d)
		}
	}
	x.resetRunning(index+1, over)
	return success, running &^ over
}
