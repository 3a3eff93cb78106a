package executor

import "github.com/flockwork-ai/flockwork/internal/bitmask"

// cooldown ticks its child, and fails while less than its duration has passed since the child succeeded or, where the
// node is StartedByCompletion, completed. The time is measured from the clock of the tick and not from the instant
// within it (see instants.go), so two effects are never closer than the duration. The deadline is stored as in
// timers.go; aborts keep it, and clearCooldowns in reset.go clears it where the node is ClearedByAbort.
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
	started := success
	if n.StartedByCompletion {
		started = mask &^ cooling &^ running
	}
	if n.Micros > 0 {
		for m := started; m != 0; m &= m - 1 {
			*x.word(bitmask.Lowest(m), n.Slot) = uint32(x.now + n.Micros)
		}
	}
	return success, running
}
