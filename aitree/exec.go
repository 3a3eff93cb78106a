package aitree

import (
	"math/bits"

	"github.com/flockwork-ai/flockwork/components"
)

func popcount(m uint64) int { return bits.OnesCount64(m) }

// exec ticks the subtree at index for the lanes of mask, which is not 0, and returns the lanes in
// which it succeeded and those in which it runs; in the rest it failed. On return run[index] tells where
// it runs, and every lane that completed has its instant.
//
// Lanes outside the mask are not touched: where the subtree runs in one of them, whoever did not tick it resets it.
func (x *Executor) exec(index int32, mask uint64) (success, running uint64) {
	n := &x.program.nodes[index]
	switch n.op {
	case opSequence:
		success, running = x.sequence(n, index, mask)
	case opSelector:
		success, running = x.selector(n, index, mask)
	case opReactiveSequence:
		act := mask
		for c := index + 1; c < n.end; c = x.program.nodes[c].end {
			x.resetRunning(c, mask&^act)
			if act != 0 {
				s, r := x.exec(c, act)
				running |= r
				act = s
			}
		}
		success = act
	case opReactiveSelector:
		act := mask
		for _, c := range n.children {
			x.resetRunning(c, mask&^act) // an earlier child took them
			if act != 0 {
				s, r := x.exec(c, act)
				success |= s
				running |= r
				act &^= s | r
			}
		}
	case opParallel:
		success, running = x.parallel(n, index, mask)
	case opRandomSequence, opRandomSelector:
		success, running = x.random(n, index, mask)
	case opUtilitySelector:
		success, running = x.utility(n, index, mask)
	case opWeightedChoice:
		success, running = x.weightedChoice(n, index, mask)
	case opInverter:
		s, r := x.exec(index+1, mask)
		success, running = mask&^s&^r, r
	case opForceSuccess:
		_, r := x.exec(index+1, mask)
		success, running = mask&^r, r
	case opForceFailure:
		_, running = x.exec(index+1, mask)
	case opRepeat:
		s, r := x.exec(index+1, mask)
		again := x.rounds(n, index, mask, s, r)
		success, running = s&^again, r|again
	case opRetry:
		s, r := x.exec(index+1, mask)
		again := x.rounds(n, index, mask, mask&^s&^r, r)
		success, running = s, r|again
	case opUntilSuccess:
		s, r := x.exec(index+1, mask)
		x.clearCooldowns(index+1, mask&^s&^r)
		success, running = s, mask&^s
	case opUntilFailure:
		s, r := x.exec(index+1, mask)
		x.clearCooldowns(index+1, s)
		success, running = mask&^s&^r, s|r
	case opCooldown:
		success, running = x.cooldown(n, index, mask)
	case opTimeout:
		success, running = x.timeout(n, index, mask)
	case opGuard:
		pass := x.holds(n, mask)
		x.resetRunning(index+1, mask&^pass)
		if pass != 0 {
			success, running = x.exec(index+1, pass)
		}
	case opCheck:
		return x.holds(n, mask), 0 // never runs
	case opFire:
		x.fire(n, mask)
		return mask, 0
	case opWait:
		success, running = x.wait(n, index, mask)
	case opDo:
		success, running = x.do(n, index, mask)
	case opLeaf:
		success, running = x.custom(n, index, mask)
	}
	x.run[index] = x.run[index]&^mask | running
	return success, running
}

// sequence has memory: lanes that were running wait until their child comes.
func (x *Executor) sequence(n *node, index int32, mask uint64) (success, running uint64) {
	wait := x.run[index] & mask
	act := mask &^ wait
	for _, c := range n.children {
		join := wait & x.run[c]
		act |= join
		wait &^= join
		if act != 0 {
			s, r := x.exec(c, act)
			running |= r
			act = s
		}
		if act|wait == 0 {
			break
		}
	}
	return act, running
}

func (x *Executor) selector(n *node, index int32, mask uint64) (success, running uint64) {
	wait := x.run[index] & mask
	act := mask &^ wait
	for _, c := range n.children {
		join := wait & x.run[c]
		act |= join
		wait &^= join
		if act != 0 {
			s, r := x.exec(c, act)
			success |= s
			running |= r
			act &^= s | r
		}
		if act|wait == 0 {
			break
		}
	}
	return success, running
}

// parallel ticks every child; a latched child that has a result is left alone.
func (x *Executor) parallel(n *node, index int32, mask uint64) (success, running uint64) {
	flow := x.fork(mask)
	var ok, bad tally
	for c := index + 1; c < n.end; c = x.program.nodes[c].end {
		tick := mask &^ (x.latchedS[c] | x.latchedF[c])
		s, f := x.latchedS[c]&mask, x.latchedF[c]&mask
		if tick != 0 {
			x.flow(&flow, tick)
			ts, tr := x.exec(c, tick)
			tf := tick &^ ts &^ tr
			x.meet(&flow, ts|tf)
			running |= tr
			s, f = s|ts, f|tf
			if n.latched {
				x.latchedS[c] |= ts
				x.latchedF[c] |= tf
			}
		}
		ok.add(s)
		bad.add(f)
	}
	failed := bad.atLeast(n.failure) & mask
	success = ok.atLeast(n.success) & mask &^ failed
	done := failed | success | mask&^running // all children done, neither policy met: failure
	x.join(&flow, done)
	for c := index + 1; c < n.end; c = x.program.nodes[c].end {
		x.resetRunning(c, done)
	}
	return success, mask &^ done
}

// tally counts, for each lane, how many masks it was in: binary digits across words.
type tally struct {
	digits [16]uint64
	used   int
}

func (t *tally) add(m uint64) {
	for i := 0; m != 0; i++ {
		t.digits[i], m = t.digits[i]^m, t.digits[i]&m
		t.used = max(t.used, i+1)
	}
}

// atLeast returns the lanes that have counted to k or more; k is at least 1.
func (t *tally) atLeast(k int32) uint64 {
	greater, equal := uint64(0), ^uint64(0)
	if k>>t.used != 0 {
		return 0
	}
	for i := t.used - 1; i >= 0; i-- {
		d := t.digits[i]
		if k>>i&1 == 0 {
			greater |= equal & d
			equal &^= d
		} else {
			equal &= d
		}
	}
	return greater | equal
}

// rounds counts a round for the lanes in which it ended in a way that may begin another, and
// returns those that go on.
func (x *Executor) rounds(n *node, index int32, mask, ended, childRuns uint64) (again uint64) {
	again = ended
	if n.count > 0 {
		entering := mask &^ x.run[index]
		for m := entering & childRuns; m != 0; m &= m - 1 {
			*x.word(lowest(m), n.slot) = 0
		}
		for m := ended; m != 0; m &= m - 1 {
			i := lowest(m)
			count := x.word(i, n.slot)
			if entering>>i&1 != 0 {
				*count = 0
			}
			*count++
			if *count >= uint32(n.count) {
				again &^= 1 << i
			}
		}
	}
	x.clearCooldowns(index+1, again)
	return again
}

// do waits for the outcome of the order it posted. Whether it was posted before this tick is what run
// says: an outcome can only belong to the posting that stands.
func (x *Executor) do(n *node, index int32, mask uint64) (success, running uint64) {
	until := uint64(0)
	if n.test >= 0 {
		until = x.holds(n, mask)
	}
	success, running = until, mask&^until
	failed := uint64(0)
	if resumed := running & x.run[index]; resumed != 0 {
		o := &x.reported[n.channel]
		if missing := resumed &^ o.known; missing != 0 {
			x.readOutcomes(o, missing, n.channel)
		}
		success |= o.succeeded & resumed
		failed = o.failed & resumed
	}
	running &^= success | failed
	x.succeeded[index] |= success
	x.failed[index] |= failed
	return success, running
}

// readOutcomes finds out in which lanes of a mask the order of a channel has succeeded or failed.
func (x *Executor) readOutcomes(o *outcomes, mask uint64, channel components.Channel) {
	if x.dense {
		o.succeeded, o.failed = outcomeRows(x.intents, channel)
		o.known = x.mask
		return
	}
	o.known |= mask
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		pair := outcomeBits(x.order(i, channel).Outcome)
		o.succeeded |= pair & 1 << i
		o.failed |= pair >> 1 << i
	}
}

// outcomeBits returns 0 for pending, 1 for succeeded and 2 for anything else: a byte that is no outcome has failed.
// Of 64 bits, since min of bytes would be compiled to a branch.
func outcomeBits(o components.Outcome) uint64 { return min(uint64(o), uint64(components.Failed)) }

// outcomeRows does so for 1 to 64 intents that follow one another. It reads them all, without a branch: intents come
// from memory, which is quick only in order and if many loads are under way at once.
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

// resetRunning resets a child in those lanes of a mask in which it runs.
func (x *Executor) resetRunning(c int32, mask uint64) {
	if m := x.run[c] & mask; m != 0 {
		x.reset(c, m)
	}
}

// reset makes a subtree as just built in the lanes of a mask, cooldowns excepted that limit a rate. What
// ran and does not any more is found by finish. The results that a latched Parallel keeps need no clearing: they are
// written back only where it runs, and no node is ticked after its reset.
func (x *Executor) reset(index int32, mask uint64) {
	for n := index; n < x.program.nodes[index].end; n++ {
		x.run[n] &^= mask
	}
	x.clearCooldowns(index, mask)
}

// clearCooldowns ends the cooldowns of a subtree that an abort or a new round clears.
func (x *Executor) clearCooldowns(index int32, mask uint64) {
	if mask == 0 || len(x.program.cooldowns) == 0 {
		return
	}
	for _, c := range x.program.cooldowns {
		n := &x.program.nodes[c]
		if !n.clearedByAbort || c < index || c >= x.program.nodes[index].end {
			continue
		}
		for m := mask; m != 0; m &= m - 1 {
			*x.word(lowest(m), n.slot) = x.expired()
		}
	}
}
