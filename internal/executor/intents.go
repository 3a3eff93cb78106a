package executor

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
)

// Posting is what a Do or a Fire posts: constants, and the bound facts as indices of Program.Facts or -1. The constants
// of a trigger are stored in Order as well. A Do does not post when it is ticked: finish, in executor.go, calls
// postOrders for the lanes in which it was entered.
type Posting struct {
	Order   components.Order
	Target  int32
	Chosen  int32 // index of Program.UtilityNodes: the target is the one that it has chosen; or -1
	X, Y    int32
	Numbers [2]int32
}

// do waits for the outcome of the order that it posted, and for no longer than it may run. An outcome can only belong
// to the order that is posted now, so run says whether it was posted before this tick.
func (x *Executor) do(n *Node, index int32, mask uint64) (success, running uint64) {
	until := uint64(0)
	if n.Condition.Test >= 0 {
		until = x.holds(n.Condition, mask)
	}
	success, running = until, mask&^until
	failed := uint64(0)
	if resumed := running & x.run[index]; resumed != 0 {
		o := &x.outcomes[n.Channel]
		if missing := resumed &^ o.known; missing != 0 {
			x.readOutcomes(o, missing, n.Channel)
		}
		success |= o.succeeded & resumed
		failed = o.failed & resumed
	}
	running &^= success | failed
	if n.Limited && running != 0 {
		over := x.elapsed(n, index, running)
		success |= over
		running &^= over
	}
	x.succeeded[index] = x.succeeded[index]&^mask | success
	x.failed[index] = x.failed[index]&^mask | failed
	return success, running
}

// postOrders writes the orders of a Do: the whole order in the lanes that entered it, and only the bound facts in the
// lanes in which it was running already.
func (x *Executor) postOrders(n *Node, entered, held uint64) {
	if !n.FollowsFacts {
		held = 0
	}
	p := &x.program.Postings[n.Posting]
	mask := entered | held
	targets := x.targets(p, mask)
	xs, ys := x.bound(p.X, mask), x.bound(p.Y, mask)
	first, second := x.bound(p.Numbers[0], mask), x.bound(p.Numbers[1], mask)
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		o := x.order(i, n.Channel)
		if entered>>i&1 != 0 {
			serial := o.Serial + 1
			*o = p.Order
			o.Serial = serial
		}
		if targets != nil {
			o.Target = targets[i]
		}
		if xs != nil {
			o.Point = components.Vec2{X: xs[i], Y: ys[i]}
		}
		if first != nil {
			o.Numbers[0] = first[i]
		}
		if second != nil {
			o.Numbers[1] = second[i]
		}
	}
}

// targets returns the targets that a posting is bound to, or nil when it is bound to none.
func (x *Executor) targets(p *Posting, mask uint64) *[64]components.Entity {
	switch {
	case p.Chosen >= 0:
		return x.chosenTargets(&x.program.UtilityNodes[p.Chosen], mask)
	case p.Target >= 0:
		return x.facts.Entities(p.Target, mask)
	}
	return nil
}

// bound gathers a bound fact; it returns nil for -1.
func (x *Executor) bound(fact int32, mask uint64) *[64]float32 {
	if fact < 0 {
		return nil
	}
	return x.facts.Floats(fact, mask)
}

// readOutcomes finds the lanes of a mask in which the order of a channel has succeeded or failed.
func (x *Executor) readOutcomes(o *outcomes, mask uint64, channel components.Channel) {
	if x.dense {
		o.succeeded, o.failed = outcomeRows(x.intents, channel)
		o.known = x.mask
		return
	}
	o.known |= mask
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		pair := outcomeBits(x.order(i, channel).Outcome)
		o.succeeded |= pair & 1 << i
		o.failed |= pair >> 1 << i
	}
}

// outcomeBits returns 0 for pending, 1 for succeeded and 2 for anything else: a byte that is no outcome counts as
// failed. The result has 64 bits because the compiler makes a branch of the minimum of bytes.
func outcomeBits(o components.Outcome) uint64 { return min(uint64(o), uint64(components.Failed)) }

// outcomeRows returns the outcomes of 1 to 64 successive intents. It reads all of them, without a branch: reads of
// intents from memory are fast only in order and with many loads in flight.
//
//go:noinline
func outcomeRows(intents []components.Intent, channel components.Channel) (succeeded, failed uint64) {
	for i := 0; i < len(intents); i += 32 {
		part := intents[i:min(i+32, len(intents))]
		pairs := uint64(0)
		if channel == components.Move {
			pairs = outcomePairs(part, components.Move)
		} else {
			pairs = outcomePairs(part, components.Act)
		}
		if pairs == 0 {
			continue
		}
		succeeded |= evenBits(pairs) << (i & 63)
		failed |= evenBits(pairs>>1) << (i & 63)
	}
	return succeeded, failed
}

// outcomePairs packs the outcomes of 1 to 32 intents. It is inlined, so the channel is a constant.
func outcomePairs(part []components.Intent, channel components.Channel) (pairs uint64) {
	shift := uint(64-2*len(part)) & 63
	for ; len(part) >= 4; part = part[4:] {
		four := outcomeBits(part[0].Orders[channel].Outcome) | outcomeBits(part[1].Orders[channel].Outcome)<<2 |
			outcomeBits(part[2].Orders[channel].Outcome)<<4 | outcomeBits(part[3].Orders[channel].Outcome)<<6
		pairs = pairs>>8 | four<<56
	}
	for k := range part {
		pairs = pairs>>2 | outcomeBits(part[k].Orders[channel].Outcome)<<62
	}
	return pairs >> shift
}

// evenBits moves bit 2i to bit i.
//
//go:noinline
func evenBits(v uint64) uint64 {
	v &= 0x5555555555555555
	v = (v | v>>1) & 0x3333333333333333
	v = (v | v>>2) & 0x0f0f0f0f0f0f0f0f
	v = (v | v>>4) & 0x00ff00ff00ff00ff
	v = (v | v>>8) & 0x0000ffff0000ffff
	return (v | v>>16) & 0xffffffff
}
