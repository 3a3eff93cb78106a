package executor

import "github.com/flockwork-ai/flockwork/internal/bitmask"

// The state of an Every: the deadline from which on its child may begin again, stored as that of a Cooldown, and the
// child's last result. Nothing but a reset of the agent clears them.
const (
	everySucceeded = 1
	everyFailed    = 2
)

// every ticks a running child. A child that is not running begins only when the duration has passed since the instant
// at which it last began; until then its last result stands. A child that has never completed has none, and begins.
func (x *Executor) every(n *Node, index int32, mask uint64) (success, running uint64) {
	standing := uint64(0)
	for m := mask &^ x.run[index]; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		deadline, result := x.word(i, n.Slot), *x.word(i, n.Slot+1)
		if fullDeadline(*deadline, x.epochStart()) > x.now && (result == everySucceeded || result == everyFailed) {
			standing |= 1 << i
			success |= bitmask.Of(result == everySucceeded) << i
			continue
		}
		*deadline = x.expired()
		if d := x.instantOf(i) + n.Micros; d > x.now {
			*deadline = uint32(d)
		}
	}
	if mask == standing {
		return success, 0
	}
	s, r := x.exec(index+1, mask&^standing)
	for m := mask &^ standing &^ r; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		*x.word(i, n.Slot+1) = everyFailed - uint32(s>>i&1)
	}
	return success | s, r
}
