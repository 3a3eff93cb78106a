package executor

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/scoring"
)

// What a UtilitySelector does about a branch that failed is in this file: with next best it chooses again in the same
// tick, with back off it does not choose the same again for a time.
//
// A back off is a deadline with the pair of an action and a target that is out until then. A node remembers a fixed
// number of them in its own words of the mind, which are shared with no other node, since they count while the node is
// idle: a word with the action of each plus one, a byte each and 0 where there is none; the deadlines, stored as in
// timers.go; and the targets, if any action has targets.

// MaxBackOffs is how many pairs that are out a node remembers for an agent.
const MaxBackOffs = 4

// BackOffWords returns the size of what the node remembers of failures, in words.
func (u *UtilityNode) BackOffWords() int32 {
	if u.BackOff == 0 {
		return 0
	}
	per := 1 + targetWords*int32(bitmask.Of(u.Targeted))
	return 1 + u.backOffs()*per
}

// backOffs returns how many pairs the node remembers.
func (u *UtilityNode) backOffs() int32 {
	if u.Targeted {
		return MaxBackOffs
	}
	return min(MaxBackOffs, int32(len(u.Branches)))
}

// deadlineSlot returns the word of the deadline of back off k.
func (u *UtilityNode) deadlineSlot(k int32) int32 { return u.BackOffSlot + 1 + k }

// targetSlot returns the first word of the target of back off k.
func (u *UtilityNode) targetSlot(k int32) int32 {
	return u.BackOffSlot + 1 + u.backOffs() + k*targetWords
}

// excludes reports whether a pair that failed can be out for the node.
func (u *UtilityNode) excludes() bool { return u.NextBest || u.BackOff > 0 }

// backOffAction returns the action of back off k of a lane, or -1 when there is none.
func (x *Executor) backOffAction(u *UtilityNode, lane int, k int32) int {
	a := int(*x.word(lane, u.BackOffSlot)>>(8*k)&0xff) - 1
	if a >= len(u.Branches) {
		return -1 // the program cannot have written it
	}
	return a
}

// setBackOffAction writes the action of back off k of a lane, or -1 for none.
func (x *Executor) setBackOffAction(u *UtilityNode, lane int, k int32, action int) {
	w := x.word(lane, u.BackOffSlot)
	*w = *w&^(0xff<<(8*k)) | uint32(action+1)<<(8*k)
}

// backOffTarget returns the target of back off k of a lane.
func (x *Executor) backOffTarget(u *UtilityNode, lane int, k int32) components.Entity {
	if !u.Targeted {
		return components.Entity{}
	}
	at := u.targetSlot(k)
	return components.Entity{Index: *x.word(lane, at), Generation: *x.word(lane, at+1)}
}

// backOffDeadline returns the deadline of back off k of a lane.
func (x *Executor) backOffDeadline(u *UtilityNode, lane int, k int32) int64 {
	return fullDeadline(*x.word(lane, u.deadlineSlot(k)), x.epochStart())
}

// endBackOffs forgets the back offs that are over, in the lanes of a mask. It returns the lanes that had one.
func (x *Executor) endBackOffs(u *UtilityNode, mask uint64) (ended uint64) {
	if u.BackOff == 0 {
		return 0
	}
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		if *x.word(i, u.BackOffSlot) == 0 {
			continue
		}
		for k := range u.backOffs() {
			if x.backOffAction(u, i, k) >= 0 && x.backOffDeadline(u, i, k) <= x.now {
				x.setBackOffAction(u, i, k, -1)
				ended |= 1 << i
			}
		}
	}
	return ended
}

// loadBackOffs marks the pairs that are out in the lanes of a mask. The scorer must have been prepared.
func (x *Executor) loadBackOffs(u *UtilityNode, mask uint64) {
	if u.BackOff == 0 {
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		if *x.word(i, u.BackOffSlot) == 0 {
			continue
		}
		for k := range u.backOffs() {
			if a := x.backOffAction(u, i, k); a >= 0 {
				x.chosen[i] = x.backOffTarget(u, i, k)
				x.scorer.Exclude(x.outOf(u), a, 1<<i, &x.chosen)
			}
		}
	}
}

// storeBackOff remembers that a pair of a lane is out until a deadline. The one that ends first makes room for it.
func (x *Executor) storeBackOff(u *UtilityNode, lane, action int, target components.Entity, deadline int64) {
	at, first := int32(0), int64(0)
	for k := range u.backOffs() {
		ends := int64(-1) // a free place
		if x.backOffAction(u, lane, k) >= 0 {
			ends = x.backOffDeadline(u, lane, k)
		}
		if k == 0 || ends < first {
			at, first = k, ends
		}
	}
	x.setBackOffAction(u, lane, at, action)
	*x.word(lane, u.deadlineSlot(at)) = uint32(deadline)
	if u.Targeted {
		slot := u.targetSlot(at)
		*x.word(lane, slot), *x.word(lane, slot+1) = target.Index, target.Generation
	}
}

// outOf returns the masks of the pairs that are out, for a node that can have any.
func (x *Executor) outOf(u *UtilityNode) []uint64 {
	return x.out[u.Out : int(u.Out)+u.Evaluator.Pairs()]
}

// choices are, by action, the lanes that have chosen it.
type choices [scoring.MaxActions]uint64

// nextBest does what follows when the branches of some lanes have failed in this tick. known are the lanes whose pairs
// that were out before are marked already. It returns the lanes that ended otherwise than by failure.
func (x *Executor) nextBest(u *UtilityNode, n *Node, index int32, chosen *choices, failed, known uint64) (
	success, running uint64) {
	for try := 1; failed != 0; try++ {
		if !u.NextBest {
			x.backOff(u, n.Slot, chosen, failed)
			return success, running
		}
		x.beginScoring(u) // a UtilitySelector below may have used the scorer, and only these lanes are scored
		if fresh := failed &^ known; fresh != 0 {
			x.loadBackOffs(u, fresh) // before a new one takes the place of one that is out in this tick
			known |= fresh
		}
		x.backOff(u, n.Slot, chosen, failed)
		for action := range u.Branches {
			if lanes := chosen[action] & failed; lanes != 0 {
				var targets *[64]components.Entity
				if u.Targeted {
					targets = x.chosenTargets(u, lanes)
				}
				x.scorer.Exclude(x.outOf(u), action, lanes, targets)
			}
		}
		d := &x.decision
		d.Held, d.Committed = 0, 0
		x.choose(u, n, index, failed, 0, try)
		*chosen = choices{}
		for m := d.Held & failed; m != 0; m &= m - 1 {
			i := bitmask.Lowest(m)
			chosen[d.Action[i]] |= 1 << i
		}
		failed &= d.Held
		for action, c := range u.Branches {
			if lanes := chosen[action]; lanes != 0 {
				x.beginAnew(c, lanes)
			}
		}
		s, r := x.tickChosen(u, chosen)
		success |= s
		running |= r
		failed &^= s | r
		x.countFailures(u, chosen, failed, try)
	}
	return success, running
}

// backOff remembers the pairs that have failed in the lanes of a mask. They are out from the instant of the failure on.
func (x *Executor) backOff(u *UtilityNode, slot int32, chosen *choices, failed uint64) {
	if u.BackOff == 0 {
		return
	}
	for action := range u.Branches {
		for m := chosen[action] & failed; m != 0; m &= m - 1 {
			i := bitmask.Lowest(m)
			deadline := x.instantOf(i) + u.BackOff
			if deadline <= x.now {
				continue
			}
			target := components.Entity{}
			if u.Targeted {
				target = x.chosenTarget(u, slot, i)
			}
			x.storeBackOff(u, i, action, target, deadline)
		}
	}
}
