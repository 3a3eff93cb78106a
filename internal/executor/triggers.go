package executor

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
)

// Fired is a trigger that the agent of a lane has posted.
type Fired struct {
	Lane    int32
	Trigger components.Trigger
}

// fire posts a trigger in the lanes of a mask and returns the mask.
func (x *Executor) fire(n *Node, mask uint64) uint64 {
	p := &x.program.Postings[n.Posting]
	targets := x.targets(p, mask)
	numbers := x.bound(p.Numbers[0], mask)
	x.Starts[n.Action] += int64(bitmask.Count(mask))
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		t := components.Trigger{Agent: x.block.Entity(i), Action: n.Action, Number: p.Order.Numbers[0]}
		if targets != nil {
			t.Target = targets[i]
		}
		if numbers != nil {
			t.Number = numbers[i]
		}
		x.Fired = append(x.Fired, Fired{int32(i), t})
	}
	return mask
}
