package executor

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/utility"
)

// UtilityNode is what a UtilitySelector decides by.
type UtilityNode struct {
	Node        int32
	Name        string // of the node, or of the evaluator
	Evaluator   *utility.Evaluator
	Facts       []int32 // the evaluator's, as indices of Program.facts
	Branches    []int32 // by action: the child
	Words       int32   // of state
	Targeted    bool
	KeepsAction bool // word 0 holds the action and the flag
	Hold        bool
	Remember    bool
}

// targetOffset returns the place of the target in the state.
func (k *UtilityNode) targetOffset() int32 { return int32(bit(k.KeepsAction)) }

// deadlineOffset returns the place of the commitment's deadline.
func (k *UtilityNode) deadlineOffset() int32 {
	return k.targetOffset() + targetWords*int32(bit(k.Targeted))
}

// MemoryOffset returns the place of the evaluator's memory.
func (k *UtilityNode) MemoryOffset() int32 {
	return k.deadlineOffset() + int32(bit(k.Evaluator.Commitment() > 0))
}

// The state of a UtilitySelector, from its slot on: a word with the action plus one and a flag, when it keeps that; the
// target's two words, when any action has targets; the commitment's deadline, when there is one; the evaluator's
// memory. Which action is in force is what runs; the word's action is for a choice that is remembered. The deadline
// counts while the node runs and the flag is set, which the first tick at or after it clears.
const (
	choiceAction    = 0xff
	choiceCommitted = 1 << 8
	targetWords     = 2
)

// utility lets the lanes choose that are to, resets what they turn from and ticks what they have.
func (x *Executor) utility(n *Node, index int32, mask uint64) (success, running uint64) {
	k := &x.program.UtilityNodes[n.UtilityNode]
	resumed := mask & x.run[index]
	x.loadChoices(k, n.Slot, mask, resumed)
	ranOut := x.loadCommitments(k, n.Slot, resumed)
	stand := uint64(0)
	if k.Hold {
		stand = resumed
	}
	if mask != stand {
		x.beginScoring(k)
		stand |= x.unchanged(k, n.Slot, resumed&^stand&^ranOut)
	}
	var act [utility.MaxActions]uint64 // by action: who does it
	d := &x.decision
	held := stand
	if choose := mask &^ stand; choose != 0 {
		x.choose(k, n, index, choose, resumed)
		held |= d.Held & choose
	}
	for m := held; m != 0; m &= m - 1 {
		i := lowest(m)
		act[d.Action[i]] |= 1 << i
	}
	// The branches may hold other UtilitySelectors, so from here on the decision is not ours.
	for action, c := range k.Branches {
		if lanes := act[action]; lanes != 0 {
			s, r := x.exec(c, lanes)
			success |= s
			running |= r
		}
	}
	return success, running
}

// loadChoices puts the choices in force into the decision: what runs, and for lanes in which nothing does, what is
// remembered.
func (x *Executor) loadChoices(k *UtilityNode, slot int32, mask, resumed uint64) {
	d := &x.decision
	d.Held = resumed
	for action, c := range k.Branches {
		for m := x.run[c] & resumed; m != 0; m &= m - 1 {
			d.Action[lowest(m)] = uint8(action)
		}
	}
	if k.Remember {
		for m := mask &^ resumed; m != 0; m &= m - 1 {
			i := lowest(m)
			if a := *x.word(i, slot) & choiceAction; a > 0 && int(a) <= len(k.Branches) {
				d.Action[i] = uint8(a - 1)
				d.Held |= 1 << i
			}
		}
	}
	if k.Targeted {
		for m := d.Held; m != 0; m &= m - 1 {
			i := lowest(m)
			d.Target[i] = x.chosenTarget(k, slot, i)
		}
	}
}

// chosenTarget reads the target of a lane.
func (x *Executor) chosenTarget(k *UtilityNode, slot int32, lane int) components.Entity {
	at := slot + k.targetOffset()
	return components.Entity{Index: *x.word(lane, at), Generation: *x.word(lane, at+1)}
}

// chosenTargets reads the targets of the lanes of a mask.
func (x *Executor) chosenTargets(k *UtilityNode, mask uint64) *[64]components.Entity {
	slot := x.program.Nodes[k.Node].Slot
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		x.chosen[i] = x.chosenTarget(k, slot, i)
	}
	return &x.chosen
}

// loadCommitments finds out who of those with a running choice is committed to it, and returns the lanes whose
// commitment has run out since the last tick.
func (x *Executor) loadCommitments(k *UtilityNode, slot int32, resumed uint64) (ranOut uint64) {
	d := &x.decision
	d.Committed = 0
	if k.Evaluator.Commitment() == 0 {
		return 0
	}
	for m := resumed; m != 0; m &= m - 1 {
		i := lowest(m)
		w := x.word(i, slot)
		switch {
		case *w&choiceCommitted == 0:
		case x.deadline(i, slot+k.deadlineOffset()) > x.now:
			d.Committed |= 1 << i
		default:
			*w &^= choiceCommitted
			ranOut |= 1 << i
		}
	}
	return ranOut
}

// beginScoring readies the scorer for the block.
func (x *Executor) beginScoring(k *UtilityNode) {
	b := x.block
	h := utility.Host{
		Facts: &x.facts, Index: k.Facts, Mask: x.mask, Entities: &b.Entities, Now: b.Now,
		Worker: b.Worker, User: b.User,
	}
	if b.Columns != nil && k.Evaluator.Custom() {
		h.Entities = x.entityLane()
	}
	x.scorer.Begin(k.Evaluator, h)
}

// unchanged returns the lanes of a mask in which nothing has moved since the last scoring.
func (x *Executor) unchanged(k *UtilityNode, slot int32, mask uint64) uint64 {
	if mask == 0 || !k.Evaluator.Rescores() {
		return 0
	}
	x.loadMemory(k, slot, mask)
	mask &^= x.scorer.Moved(mask, &x.memory)
	x.scorer.Spared += int64(popcount(mask))
	return mask
}

// loadMemory finds the evaluator's memory in the minds of the lanes of a mask. One that reads nothing has none.
func (x *Executor) loadMemory(k *UtilityNode, slot int32, mask uint64) {
	if k.Evaluator.Memory() == 0 {
		return
	}
	at := slot + k.MemoryOffset()
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		x.memory[i] = x.mind(i)[at : slot+k.Words]
	}
}

// choose lets the lanes of a mask choose and resets the branches they turn from. Of a branch that goes on with another
// target it notes that it begins anew.
func (x *Executor) choose(k *UtilityNode, n *Node, index int32, mask, resumed uint64) {
	d, e := &x.decision, k.Evaluator
	before, had := d.Action, d.Held
	if k.Targeted {
		x.before = d.Target
	}
	d.Mask = mask
	if e.Draws() {
		for m := mask; m != 0; m &= m - 1 {
			i := lowest(m)
			d.Draws[i] = x.draw(i, uint32(x.now), index, 0)
		}
	}
	if e.Rescores() {
		x.loadMemory(k, n.Slot, mask)
		x.scorer.Remember(mask, &x.memory)
	}
	x.scorer.Decide(d)
	turned, same := uint64(0), uint64(0)
	for m := mask & resumed; m != 0; m &= m - 1 {
		i := lowest(m)
		switch {
		case d.Held>>i&1 == 0 || d.Action[i] != before[i]:
			turned |= 1 << i
		case k.Targeted && d.Target[i] != x.before[i]:
			same |= 1 << i
		}
	}
	x.Switches += int64(popcount((turned | same) & d.Held))
	for _, c := range k.Branches {
		x.resetRunning(c, turned)
		if m := same & x.run[c]; m != 0 {
			x.reset(c, m)
			x.restartBranch(c, m)
		}
	}
	made := d.Held & mask &^ (resumed &^ turned &^ same)
	if k.Remember {
		made |= mask & had &^ d.Held // there is no choice any more
	}
	x.storeChoices(k, n.Slot, made)
}

// storeChoices writes the choices that the lanes of a mask have just made into their minds.
func (x *Executor) storeChoices(k *UtilityNode, slot int32, mask uint64) {
	d := &x.decision
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		held := d.Held>>i&1 != 0
		if k.KeepsAction {
			w := uint32(0)
			if held {
				w = uint32(d.Action[i]) + 1
			}
			if held && k.Evaluator.Commitment() > 0 {
				w |= choiceCommitted
				*x.word(i, slot+k.deadlineOffset()) = uint32(x.now + k.Evaluator.Commitment())
			}
			*x.word(i, slot) = w
		}
		if k.Targeted {
			at := slot + k.targetOffset()
			*x.word(i, at), *x.word(i, at+1) = d.Target[i].Index, d.Target[i].Generation
		}
	}
}

// restartBranch notes that a branch that ran, and was reset, begins anew in this tick. It is the one case of a node that is
// ticked after its reset, so what a latched Parallel keeps in it is forgotten here.
func (x *Executor) restartBranch(c int32, lanes uint64) {
	end := x.program.Nodes[c].End
	if len(x.program.Parallels) > 0 {
		for n := c; n < end; n++ {
			x.latchedS[n] &^= lanes
			x.latchedF[n] &^= lanes
		}
	}
	x.restarted = append(x.restarted, restart{c, end, lanes})
}

// restartedLanes returns the lanes in which a node stands in a branch that began anew. Where it runs then, it does so as if it
// had been entered: its order is posted, and its cursor written, since what the branch went through may have used its
// words.
func (x *Executor) restartedLanes(node int32) (lanes uint64) {
	for i := range x.restarted {
		if r := &x.restarted[i]; r.first <= node && node < r.end {
			lanes |= r.lanes
		}
	}
	return lanes
}

// Scorings returns how many choices of UtilitySelectors were scored since the executor was made, and how many stood
// without, because no fact had moved; see [utility.Definition.RescoreBeyond].
func (x *Executor) Scorings() (scored, spared int64) { return x.scorer.Scored, x.scorer.Spared }

// LastChoice returns the action that the UtilitySelector ticked last has in a lane and its target, or -1 when it has none.
func (x *Executor) LastChoice(lane int) (action int, target components.Entity) {
	if x.decision.Held>>lane&1 == 0 {
		return -1, components.Entity{}
	}
	return int(x.decision.Action[lane]), x.decision.Target[lane]
}
