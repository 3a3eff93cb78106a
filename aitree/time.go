package aitree

// Time in a tree. All lanes of a tick share the clock's now. Within the tick of a lane there is an instant, up to
// which its branch has come in simulated time: now at the root, and behind a wait or a timeout that ended, its
// deadline. The instant is now for every lane that is not in moved, so what does not wait does not touch it.
//
// A deadline is kept as its low 32 bits, in microseconds. Every deadline that a mind holds after a tick lies after
// that tick's now, and so not before the epoch in which the mind was ticked last; a duration and
// an epoch together are less than 2^32 microseconds. So the whole deadline follows from the epoch, however long the
// mind has lain still since.
//
// The mind keeps 16 bits of the epoch's number, which therefore repeats every 2^46 microseconds, 2.2 years. Left alone
// for less than that by an epoch (814 days), a mind reads its timers exactly. Beyond, it does so but for the few hours
// around each multiple, where it takes itself to have been left alone for the remainder only.

// epochStart returns where the present epoch began, in microseconds.
func (x *Executor) epochStart() int64 { return x.now >> epochShift << epochShift }

// expired returns what a cooldown that is over is kept as.
func (x *Executor) expired() uint32 { return uint32(x.epochStart()) }

// newEpoch readies a mind that has not been ticked in this epoch, or never. Cooldowns that are over are moved up to
// the epoch's start; running timers keep their deadlines, which this tick reads from the old epoch.
func (x *Executor) newEpoch(lane int, words []uint32, epoch uint32) {
	p := x.program
	if words[1]&flagStarted == 0 {
		clear(words[1:])
		words[1] = flagStarted
		for _, c := range p.cooldowns {
			words[p.nodes[c].slot] = x.expired()
		}
	} else {
		ago := int64(uint16(epoch) - uint16(words[0]>>16))
		old := x.epochStart() - ago<<epochShift
		x.stale |= 1 << lane
		x.base[lane] = old
		for _, c := range p.cooldowns {
			slot := &words[p.nodes[c].slot]
			if whole(*slot, old) <= x.now {
				*slot = x.expired()
			}
		}
	}
	words[0] = words[0]&0xffff | epoch<<16
}

// whole returns the deadline whose low 32 bits are kept, the first that is not before base.
func whole(kept uint32, base int64) int64 { return base + int64(kept-uint32(base)) }

// deadline reads a running timer of a lane.
func (x *Executor) deadline(lane int, slot int32) int64 {
	base := x.epochStart()
	if x.stale>>lane&1 != 0 {
		base = x.base[lane]
	}
	return whole(*x.word(lane, slot), base)
}

// due returns the lanes of a mask whose running timer has reached its deadline.
func (x *Executor) due(slot int32, mask uint64) (lanes uint64) {
	if x.dense && x.stale == 0 {
		return dueRows(x.minds, x.stride, int(slot), uint32(x.now), mask)
	}
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		lanes |= bit(x.deadline(i, slot) <= x.now) << i
	}
	return lanes
}

// dueRows does so for minds that follow one another and were ticked in this epoch: what is left of their timers, or
// past, is less than 2^31 microseconds.
//
//go:noinline
func dueRows(minds []uint32, stride, slot int, now uint32, mask uint64) (lanes uint64) {
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		lanes |= bit(int32(minds[i*stride+slot]-now) <= 0) << i
	}
	return lanes
}

// at returns a lane's instant.
func (x *Executor) at(lane int) int64 {
	if x.moved>>lane&1 != 0 {
		return x.instant[lane]
	}
	return x.now
}

// goOnAt sets a lane's instant.
func (x *Executor) goOnAt(lane int, t int64) {
	if t == x.now {
		x.moved &^= 1 << lane
		return
	}
	x.moved |= 1 << lane
	x.instant[lane] = t
}

func (x *Executor) wait(n *node, index int32, mask uint64) (success, running uint64) {
	resumed := mask & x.run[index]
	success = x.due(n.slot, resumed)
	for m := success; m != 0; m &= m - 1 {
		i := lowest(m)
		x.goOnAt(i, x.deadline(i, n.slot))
	}
	for m := mask &^ resumed; m != 0; m &= m - 1 {
		i := lowest(m)
		d := x.at(i) + n.micros
		if n.span > 0 {
			d += x.between(n.span, i, index)
		}
		if d <= x.now {
			success |= 1 << i
			x.goOnAt(i, d)
		} else {
			*x.word(i, n.slot) = uint32(d)
		}
	}
	x.succeeded[index] |= success
	return success, mask &^ success
}

// timeout ticks its child first, so a late result counts.
func (x *Executor) timeout(n *node, index int32, mask uint64) (success, running uint64) {
	entering := mask &^ x.run[index]
	if entering&x.moved != 0 {
		return x.timeoutMoved(n, index, mask, entering)
	}
	success, running = x.exec(index+1, mask)
	over := x.due(n.slot, running&^entering)
	for m := over; m != 0; m &= m - 1 {
		i := lowest(m)
		x.goOnAt(i, x.deadline(i, n.slot))
	}
	if n.micros > 0 {
		for m := running & entering; m != 0; m &= m - 1 {
			*x.word(lowest(m), n.slot) = uint32(x.now + n.micros)
		}
	} else {
		for m := running & entering; m != 0; m &= m - 1 {
			x.goOnAt(lowest(m), x.now)
		}
		over |= running & entering
	}
	x.resetRunning(index+1, over)
	return success, running &^ over
}

// timeoutMoved does so where some lanes are entered at another instant than now.
func (x *Executor) timeoutMoved(n *node, index int32, mask, entering uint64) (success, running uint64) {
	var entered [64]int64
	for m := entering; m != 0; m &= m - 1 {
		i := lowest(m)
		entered[i] = x.at(i)
	}
	success, running = x.exec(index+1, mask)
	over := uint64(0)
	for m := running; m != 0; m &= m - 1 {
		i := lowest(m)
		d := entered[i] + n.micros
		if entering>>i&1 == 0 {
			d = x.deadline(i, n.slot)
		}
		if d <= x.now {
			over |= 1 << i
			x.goOnAt(i, d)
		} else if entering>>i&1 != 0 {
			*x.word(i, n.slot) = uint32(d)
		}
	}
	x.resetRunning(index+1, over)
	return success, running &^ over
}

// cooldown counts from now, not from the instant: its effects happen at ticks, so they are never closer than its time.
func (x *Executor) cooldown(n *node, index int32, mask uint64) (success, running uint64) {
	cooling := uint64(0)
	for m := mask &^ x.run[index]; m != 0; m &= m - 1 {
		i := lowest(m)
		if whole(*x.word(i, n.slot), x.epochStart()) > x.now {
			cooling |= 1 << i
		}
	}
	if mask == cooling {
		return 0, 0
	}
	success, running = x.exec(index+1, mask&^cooling)
	if n.micros > 0 {
		for m := success; m != 0; m &= m - 1 {
			*x.word(lowest(m), n.slot) = uint32(x.now + n.micros)
		}
	}
	return success, running
}

// forked is the flow of time through the branches of a Parallel: each begins at the instant the Parallel
// got, and the Parallel goes on at the latest instant of those that completed in this tick.
type forked struct {
	moved   uint64 // lanes that came in at another instant than now
	instant [64]int64
	atNow   uint64 // lanes in which a branch completed at now, which nothing is later than
	earlier uint64 // lanes in which branches completed, all before now
	latest  [64]int64
}

// fork notes the instants of the lanes of a mask.
func (x *Executor) fork(mask uint64) (f forked) {
	f.moved = x.moved & mask
	for m := f.moved; m != 0; m &= m - 1 {
		i := lowest(m)
		f.instant[i] = x.instant[i]
	}
	return f
}

// flow gives the lanes of a mask the instant they came in with.
func (x *Executor) flow(f *forked, mask uint64) {
	x.moved = x.moved&^mask | f.moved&mask
	for m := f.moved & mask; m != 0; m &= m - 1 {
		i := lowest(m)
		x.instant[i] = f.instant[i]
	}
}

// meet notes the instants of lanes in which a branch completed.
func (x *Executor) meet(f *forked, done uint64) {
	f.atNow |= done &^ x.moved
	for m := done & x.moved; m != 0; m &= m - 1 {
		i := lowest(m)
		if f.earlier>>i&1 == 0 || x.instant[i] > f.latest[i] {
			f.latest[i] = x.instant[i]
		}
		f.earlier |= 1 << i
	}
}

// join lets the lanes of a mask go on.
func (x *Executor) join(f *forked, mask uint64) {
	x.flow(f, mask)
	x.moved &^= f.atNow & mask
	for m := mask & f.earlier &^ f.atNow; m != 0; m &= m - 1 {
		i := lowest(m)
		x.goOnAt(i, f.latest[i])
	}
}
