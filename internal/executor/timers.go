package executor

import (
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/elementary"
)

// epochShift sets the length of an epoch: 2^30 microseconds, 18 minutes.
//
// All lanes of a tick share the clock's now. A deadline is stored as its low 32 bits, in microseconds. Every deadline
// that is in a mind after a tick is later than that tick's now, so it is not before the epoch in which the mind was
// last ticked. A duration and an epoch together are less than 2^32 microseconds. So the whole deadline follows from the
// epoch, however long the mind was not ticked.
//
// The mind keeps 16 bits of the epoch's number, which repeats every 2^46 microseconds, 2.2 years. A mind that was not
// ticked for less than that minus an epoch (814 days) reads its timers exactly. After a longer time it does so except
// within a few hours of each multiple, where it counts only the remainder.
const epochShift = 30

// epochStart returns the start of the present epoch, in microseconds.
func (x *Executor) epochStart() int64 { return x.now >> epochShift << epochShift }

// expired returns the stored form of a cooldown that is over.
func (x *Executor) expired() uint32 { return uint32(x.epochStart()) }

// newEpoch prepares a mind that has not been ticked in this epoch, or never. Cooldowns that are over move to the
// epoch's start. Running timers keep their deadlines, which this tick reads from the old epoch.
func (x *Executor) newEpoch(lane int, words []uint32, epoch uint32) {
	p := x.program
	if words[1]&flagStarted == 0 {
		clear(words[1:])
		words[1] = flagStarted
		for _, c := range p.Cooldowns {
			words[p.Nodes[c].Slot] = x.expired()
		}
	} else {
		ago := int64(uint16(epoch) - uint16(words[0]>>16))
		old := x.epochStart() - ago<<epochShift
		x.stale |= 1 << lane
		x.base[lane] = old
		for _, c := range p.Cooldowns {
			slot := &words[p.Nodes[c].Slot]
			if fullDeadline(*slot, old) <= x.now {
				*slot = x.expired()
			}
		}
		for _, k := range p.BackingOff {
			u := &p.UtilityNodes[k]
			for i := range u.backOffs() {
				slot := &words[u.deadlineSlot(i)]
				if fullDeadline(*slot, old) <= x.now {
					*slot = x.expired()
				}
			}
		}
	}
	words[0] = words[0]&0xffff | epoch<<16
}

// fullDeadline returns the first deadline that is not before base and has the given low 32 bits.
func fullDeadline(low uint32, base int64) int64 { return base + int64(low-uint32(base)) }

// deadline reads a running timer of a lane.
func (x *Executor) deadline(lane int, slot int32) int64 {
	base := x.epochStart()
	if x.stale>>lane&1 != 0 {
		base = x.base[lane]
	}
	return fullDeadline(*x.word(lane, slot), base)
}

// due returns the lanes of a mask whose running timer has reached its deadline.
func (x *Executor) due(slot int32, mask uint64) (lanes uint64) {
	if x.dense && x.stale == 0 {
		return dueRows(x.minds, x.stride, int(slot), uint32(x.now), mask)
	}
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		lanes |= bitmask.Of(x.deadline(i, slot) <= x.now) << i
	}
	return lanes
}

// dueRows is due for successive minds that were ticked in this epoch: the time to or since a deadline is less than 2^31
// microseconds.
//
//go:noinline
func dueRows(minds []uint32, stride, slot int, now uint32, mask uint64) (lanes uint64) {
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		lanes |= bitmask.Of(int32(minds[i*stride+slot]-now) <= 0) << i
	}
	return lanes
}

// wait succeeds at its deadline.
func (x *Executor) wait(n *Node, index int32, mask uint64) (success, running uint64) {
	success = x.elapsed(n, index, mask)
	x.succeeded[index] = x.succeeded[index]&^mask | success
	return success, mask &^ success
}

// elapsed returns the lanes of a mask in which the duration of a leaf is over, which begins at the instant of entry.
// The deadline becomes the instant of these lanes. Lanes that enter the leaf before their deadline store it.
func (x *Executor) elapsed(n *Node, index int32, mask uint64) (over uint64) {
	resumed := mask & x.run[index]
	over = x.due(n.Slot, resumed)
	for m := over; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		x.setInstant(i, x.deadline(i, n.Slot))
	}
	entering := mask &^ resumed
	if entering == 0 {
		return over
	}
	seconds := x.bound(n.Fact, entering)
	for m := entering; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		d := x.instantOf(i) + n.Micros
		if n.Span > 0 {
			d += x.between(n.Span, i, index)
		}
		if seconds != nil {
			d += microsOf(seconds[i])
		}
		if d <= x.now {
			over |= 1 << i
			x.setInstant(i, d)
		} else {
			*x.word(i, n.Slot) = uint32(d)
		}
	}
	return over
}

// microsOf converts the value of a fact to a duration. What is negative or not finite is 0, and what is too long the
// longest duration.
func microsOf(seconds float32) int64 {
	if !elementary.IsFinite(seconds) || seconds <= 0 {
		return 0
	}
	return int64(min(float64(seconds)*1e6, MaxMicros))
}
