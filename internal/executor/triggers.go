package executor

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
)

// fire posts a trigger in the lanes of a mask.
func (x *Executor) fire(n *Node, mask uint64) {
	p := &x.program.Postings[n.Posting]
	targets := x.targets(p, mask)
	numbers := x.bound(p.Numbers[0], mask)
	x.Starts[n.Action] += int64(bitmask.Count(mask))
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		k := uint8(0) // the number that the lane has posted
		if x.fired>>i&1 != 0 {
			k = x.fireCount[i]
		}
		x.fireCount[i] = k + 1
		t := components.Trigger{Action: n.Action, Number: p.Order.Numbers[0]}
		if targets != nil {
			t.Target = targets[i]
		}
		if numbers != nil {
			t.Number = numbers[i]
		}
		list := &x.triggersOf(i).List
		list[k] = t
		if int(k)+1 < len(list) {
			list[k+1].Action = 0
		}
	}
	x.fired |= mask
}

// triggersOf returns the triggers of a lane.
func (x *Executor) triggersOf(lane int) *components.Triggers {
	if x.dense {
		return &x.triggers[lane]
	}
	c := x.block.Columns
	if c == nil {
		return x.block.Triggers[lane]
	}
	r := x.block.Rows[lane]
	return &c.Chunks[r.Chunk].Triggers[r.Row]
}
