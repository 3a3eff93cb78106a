package executor

import "github.com/flockwork-ai/flockwork/internal/bitmask"

// rounds counts a round for the lanes in which it ended in a way that may begin another, and returns the lanes that
// begin another.
func (x *Executor) rounds(n *Node, index int32, mask, ended, childRuns uint64) (again uint64) {
	again = ended
	if n.Count > 0 {
		entering := mask &^ x.run[index]
		for m := entering & childRuns; m != 0; m &= m - 1 {
			*x.word(bitmask.Lowest(m), n.Slot) = 0
		}
		for m := ended; m != 0; m &= m - 1 {
			i := bitmask.Lowest(m)
			count := x.word(i, n.Slot)
			if entering>>i&1 != 0 {
				*count = 0
			}
			*count++
			if *count >= uint32(n.Count) {
				again &^= 1 << i
			}
		}
	}
	x.clearCooldowns(index+1, again)
	return again
}
