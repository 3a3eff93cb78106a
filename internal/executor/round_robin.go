package executor

import "github.com/flockwork-ai/flockwork/internal/bitmask"

// roundRobin ticks the children in order from the one after the child that succeeded last, and goes on with the first
// after the last. It has memory, as selector has. The state is the number of the child to begin with. It changes only
// when a child succeeds, which completes the node, so a running lane still knows where it began.
//
// The children are passed twice. A place is the number of a child in the first pass, and that plus the number of
// children in the second. A lane tries the places from its first child on, as many as there are children.
func (x *Executor) roundRobin(n *Node, index int32, mask uint64) (success, running uint64) {
	count := len(n.Children)
	var first [MaxChoices]uint64     // by child: the lanes that began or begin with it
	var begin [2 * MaxChoices]uint64 // by place: the lanes that begin or resume there
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		k := *x.word(i, n.Slot)
		if int64(k) >= int64(count) {
			k = 0
		}
		first[k] |= 1 << i
	}
	for k, c := range n.Children {
		begin[k] |= first[k] &^ x.run[index]
		resumed := mask & x.run[c]
		for f := 0; f < count && resumed != 0; f++ {
			if f <= k {
				begin[k] |= resumed & first[f]
			} else {
				begin[k+count] |= resumed & first[f]
			}
		}
	}
	active := uint64(0)
	for place := range 2*count - 1 {
		k := place
		if place >= count {
			k -= count
			active &^= first[k] // they have tried every child
		}
		if active |= begin[place]; active == 0 {
			continue
		}
		s, r := x.exec(n.Children[k], active)
		for m := s; m != 0; m &= m - 1 {
			*x.word(bitmask.Lowest(m), n.Slot) = uint32((k + 1) % count)
		}
		success |= s
		running |= r
		active &^= s | r
	}
	return success, running
}
