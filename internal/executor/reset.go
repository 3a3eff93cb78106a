package executor

import "github.com/flockwork-ai/flockwork/internal/bitmask"

// resetRunning resets a child in those lanes of a mask in which it runs.
func (x *Executor) resetRunning(c int32, mask uint64) {
	if m := x.run[c] & mask; m != 0 {
		x.reset(c, m)
	}
}

// reset clears the state of a subtree in the lanes of a mask, except cooldowns, which limit a rate. The function finish
// finds what ran and does not run any more. The results of a latched Parallel need no clearing: they are written back
// only where it runs, and beginAnew clears them in the one case of a node that is ticked after its reset.
func (x *Executor) reset(index int32, mask uint64) {
	for n := index; n < x.program.Nodes[index].End; n++ {
		x.run[n] &^= mask
	}
	x.clearCooldowns(index, mask)
}

// clearCooldowns ends those cooldowns of a subtree that an abort or a new round clears.
func (x *Executor) clearCooldowns(index int32, mask uint64) {
	if mask == 0 || len(x.program.Cooldowns) == 0 {
		return
	}
	for _, c := range x.program.Cooldowns {
		n := &x.program.Nodes[c]
		if !n.ClearedByAbort || c < index || c >= x.program.Nodes[index].End {
			continue
		}
		for m := mask; m != 0; m &= m - 1 {
			*x.word(bitmask.Lowest(m), n.Slot) = x.expired()
		}
	}
}
