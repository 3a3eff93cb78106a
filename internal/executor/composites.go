package executor

import "github.com/flockwork-ai/flockwork/internal/bitmask"

// sequence has memory: a running lane resumes at its running child and skips the children before it.
func (x *Executor) sequence(n *Node, index int32, mask uint64) (success, running uint64) {
	pending := x.run[index] & mask
	active := mask &^ pending
	for _, c := range n.Children {
		resumed := pending & x.run[c]
		active |= resumed
		pending &^= resumed
		if active != 0 {
			s, r := x.exec(c, active)
			running |= r
			active = s
		}
		if active|pending == 0 {
			break
		}
	}
	return active, running
}

// selector has memory, as sequence has.
func (x *Executor) selector(n *Node, index int32, mask uint64) (success, running uint64) {
	pending := x.run[index] & mask
	active := mask &^ pending
	for _, c := range n.Children {
		resumed := pending & x.run[c]
		active |= resumed
		pending &^= resumed
		if active != 0 {
			s, r := x.exec(c, active)
			success |= s
			running |= r
			active &^= s | r
		}
		if active|pending == 0 {
			break
		}
	}
	return success, running
}

// reactiveSequence starts from its first child. A running child that a lane does not reach is reset.
func (x *Executor) reactiveSequence(n *Node, index int32, mask uint64) (success, running uint64) {
	active := mask
	for c := index + 1; c < n.End; c = x.program.Nodes[c].End {
		x.resetRunning(c, mask&^active)
		if active != 0 {
			s, r := x.exec(c, active)
			running |= r
			active = s
		}
	}
	return active, running
}

// reactiveSelector starts from its first child. A running child of a lane that an earlier child took is reset.
func (x *Executor) reactiveSelector(n *Node, mask uint64) (success, running uint64) {
	active := mask
	for _, c := range n.Children {
		x.resetRunning(c, mask&^active)
		if active != 0 {
			s, r := x.exec(c, active)
			success |= s
			running |= r
			active &^= s | r
		}
	}
	return success, running
}

// parallel ticks every child, except latched children that have a result.
func (x *Executor) parallel(n *Node, index int32, mask uint64) (success, running uint64) {
	flow := x.splitInstants(mask)
	var ok, bad tally
	for c := index + 1; c < n.End; c = x.program.Nodes[c].End {
		tick := mask &^ (x.latchedSuccess[c] | x.latchedFailure[c])
		s, f := x.latchedSuccess[c]&mask, x.latchedFailure[c]&mask
		if tick != 0 {
			x.restoreInstants(&flow, tick)
			ts, tr := x.exec(c, tick)
			tf := tick &^ ts &^ tr
			x.recordCompleted(&flow, ts|tf)
			running |= tr
			s, f = s|ts, f|tf
			if n.Latched {
				x.latchedSuccess[c] |= ts
				x.latchedFailure[c] |= tf
			}
		}
		ok.add(s)
		bad.add(f)
	}
	failed := bad.atLeast(n.Failure) & mask
	success = ok.atLeast(n.Success) & mask &^ failed
	done := failed | success | mask&^running // all children done, neither policy met: failure
	x.mergeInstants(&flow, done)
	for c := index + 1; c < n.End; c = x.program.Nodes[c].End {
		x.resetRunning(c, done)
	}
	return success, mask &^ done
}

// tally counts the masks that each lane was in. The digits of the binary counters are spread across words.
type tally struct {
	digits [16]uint64
	used   int
}

// add counts one for the lanes of a mask.
func (t *tally) add(m uint64) {
	for i := 0; m != 0; i++ {
		t.digits[i], m = t.digits[i]^m, t.digits[i]&m
		t.used = max(t.used, i+1)
	}
}

// atLeast returns the lanes whose count is k or more; k is at least 1.
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

// random ticks the children of a RandomSequence or RandomSelector, each lane in its own order. In each round, every
// lane that continues ticks its next child. Lanes with the same next child tick it together.
func (x *Executor) random(n *Node, index int32, mask uint64) (success, running uint64) {
	count := len(n.Children)
	var order [64][MaxChoices]uint8
	var next [64]uint8
	resumed := mask & x.run[index]
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		kept := x.word(i, n.Slot)
		if resumed>>i&1 == 0 {
			*kept = uint32(x.now)
		}
		x.shuffle(&order[i], count, i, *kept, index)
		if resumed>>i&1 != 0 {
			for k := range count {
				if x.run[n.Children[order[i][k]]]>>i&1 != 0 {
					next[i] = uint8(k)
				}
			}
		}
	}
	active := mask
	for active != 0 {
		var ready [MaxChoices]uint64
		for m := active; m != 0; m &= m - 1 {
			i := bitmask.Lowest(m)
			ready[order[i][next[i]]] |= 1 << i
		}
		active = 0
		for k, lanes := range ready[:count] {
			if lanes == 0 {
				continue
			}
			s, r := x.exec(n.Children[k], lanes)
			running |= r
			passed := s
			if n.Op == OpRandomSelector {
				success |= s
				passed = lanes &^ s &^ r
			}
			for m := passed; m != 0; m &= m - 1 {
				i := bitmask.Lowest(m)
				next[i]++
				if int(next[i]) < count {
					active |= 1 << i
				} else if n.Op == OpRandomSequence {
					success |= 1 << i
				}
			}
		}
	}
	return success, running
}

// weightedChoice ticks the child that was drawn on entry.
func (x *Executor) weightedChoice(n *Node, index int32, mask uint64) (success, running uint64) {
	var ready [MaxChoices]uint64
	entering := mask &^ x.run[index]
	for m := entering; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		drawn := uint32(x.draw(i, uint32(x.now), index, 0) >> 32)
		ready[x.choice(n, drawn)] |= 1 << i
	}
	for k, c := range n.Children {
		lanes := ready[k] | mask&^entering&x.run[c]
		if lanes == 0 {
			continue
		}
		s, r := x.exec(c, lanes)
		success |= s
		running |= r
	}
	return success, running
}

// choice returns the child whose share contains a draw.
func (x *Executor) choice(n *Node, drawn uint32) int {
	for k, upTo := range n.Thresholds {
		if drawn < upTo {
			return k
		}
	}
	// A draw of 2^32-1 is in the share of the last choice with a weight, which ends at 2^32.
	for k, upTo := range n.Thresholds {
		if upTo == ^uint32(0) {
			return k
		}
	}
	return len(n.Thresholds) - 1
}
