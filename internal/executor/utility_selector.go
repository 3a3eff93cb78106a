package executor

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/scoring"
)

// UtilityNode is the evaluator of a UtilitySelector and the layout of its state.
type UtilityNode struct {
	Node        int32
	Name        string // of the node, or of the evaluator
	Evaluator   *scoring.Evaluator
	Facts       []int32 // the evaluator's, as indices of Program.Facts
	Conditions  []Operand
	Branches    []int32 // by action: the child
	Words       int32   // of state
	Targeted    bool
	KeepsAction bool // word 0 holds the action and the flag
	Hold        bool
	Remember    bool
	NextBest    bool
	BackOff     int64 // microseconds; 0 is none
	BackOffSlot int32 // first word of what is remembered of failures
	Out         int32 // first of its masks of pairs that are out

	Failed func(agent components.Entity, action string, target components.Entity) // hook, or nil
}

// targetOffset returns the offset of the target in the state.
func (u *UtilityNode) targetOffset() int32 { return int32(bitmask.Of(u.KeepsAction)) }

// deadlineOffset returns the offset of the commitment's deadline.
func (u *UtilityNode) deadlineOffset() int32 {
	return u.targetOffset() + targetWords*int32(bitmask.Of(u.Targeted))
}

// MemoryOffset returns the offset of the evaluator's memory.
func (u *UtilityNode) MemoryOffset() int32 {
	return u.deadlineOffset() + int32(bitmask.Of(u.Evaluator.Commitment > 0))
}

// The state of a UtilitySelector, from its slot on: a word with the action plus one and a flag, when it keeps the
// action; the target's two words, when any action has targets; the commitment's deadline, when there is one; the
// evaluator's memory. The action in force is the one that runs; the word's action is a remembered choice. The deadline
// counts while the node runs and the flag is set. The first tick at or after the deadline clears the flag.
const (
	choiceAction    = 0xff
	choiceCommitted = 1 << 8
	targetWords     = 2
)

// utility scores the lanes that choose in this tick, resets the branches that they leave and ticks the branches that
// they have chosen.
func (x *Executor) utility(n *Node, index int32, mask uint64) (success, running uint64) {
	u := &x.program.UtilityNodes[n.UtilityNode]
	resumed := mask & x.run[index]
	x.loadChoices(u, n.Slot, mask, resumed)
	ranOut := x.loadCommitments(u, n.Slot, resumed)
	if u.excludes() {
		ranOut |= x.endBackOffs(u, mask)
		clear(x.outOf(u))
	}
	kept := uint64(0)
	if u.Hold {
		kept = resumed
	}
	if mask != kept {
		x.beginScoring(u)
		kept |= x.unchanged(u, n.Slot, resumed&^kept&^ranOut)
	}
	var chosen choices
	d := &x.decision
	held, choose := kept, mask&^kept
	if choose != 0 {
		x.loadBackOffs(u, choose)
		x.choose(u, n, index, choose, resumed, 0)
		held |= d.Held & choose
	}
	for m := held; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		chosen[d.Action[i]] |= 1 << i
	}
	success, running = x.tickChosen(u, &chosen)
	if failed := held &^ success &^ running; failed != 0 {
		x.countFailures(u, &chosen, failed, 0)
		if u.excludes() {
			s, r := x.nextBest(u, n, index, &chosen, failed, choose)
			success |= s
			running |= r
		}
	}
	return success, running
}

// tickChosen ticks the branches that lanes have chosen. The branches may contain other UtilitySelectors, which
// overwrite the decision.
func (x *Executor) tickChosen(u *UtilityNode, chosen *choices) (success, running uint64) {
	for action, c := range u.Branches {
		if lanes := chosen[action]; lanes != 0 {
			s, r := x.exec(c, lanes)
			success |= s
			running |= r
		}
	}
	return success, running
}

// loadChoices puts the choices in force into the decision: the running action, and for lanes in which none runs, the
// remembered one.
func (x *Executor) loadChoices(u *UtilityNode, slot int32, mask, resumed uint64) {
	d := &x.decision
	d.Held = resumed
	for action, c := range u.Branches {
		for m := x.run[c] & resumed; m != 0; m &= m - 1 {
			d.Action[bitmask.Lowest(m)] = uint8(action)
		}
	}
	if u.Remember {
		for m := mask &^ resumed; m != 0; m &= m - 1 {
			i := bitmask.Lowest(m)
			if a := *x.word(i, slot) & choiceAction; a > 0 && int(a) <= len(u.Branches) {
				d.Action[i] = uint8(a - 1)
				d.Held |= 1 << i
			}
		}
	}
	if u.Targeted {
		for m := d.Held; m != 0; m &= m - 1 {
			i := bitmask.Lowest(m)
			d.Target[i] = x.chosenTarget(u, slot, i)
		}
	}
}

// chosenTarget reads the target of a lane.
func (x *Executor) chosenTarget(u *UtilityNode, slot int32, lane int) components.Entity {
	at := slot + u.targetOffset()
	return components.Entity{Index: *x.word(lane, at), Generation: *x.word(lane, at+1)}
}

// chosenTargets reads the targets of the lanes of a mask.
func (x *Executor) chosenTargets(u *UtilityNode, mask uint64) *[64]components.Entity {
	slot := x.program.Nodes[u.Node].Slot
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		x.chosen[i] = x.chosenTarget(u, slot, i)
	}
	return &x.chosen
}

// loadCommitments finds the lanes that are committed to their running choice. It returns the lanes whose commitment has
// ended since the last tick.
func (x *Executor) loadCommitments(u *UtilityNode, slot int32, resumed uint64) (ranOut uint64) {
	d := &x.decision
	d.Committed = 0
	if u.Evaluator.Commitment == 0 {
		return 0
	}
	for m := resumed; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		w := x.word(i, slot)
		switch {
		case *w&choiceCommitted == 0:
		case x.deadline(i, slot+u.deadlineOffset()) > x.now:
			d.Committed |= 1 << i
		default:
			*w &^= choiceCommitted
			ranOut |= 1 << i
		}
	}
	return ranOut
}

// beginScoring prepares the scorer for the block.
func (x *Executor) beginScoring(u *UtilityNode) {
	b := x.block
	h := scoring.Host{
		Facts: &x.facts, Index: u.Facts, Mask: x.mask, Entities: &b.Entities, Now: b.Now,
		Worker: b.Worker, User: b.User,
	}
	if b.Columns != nil && u.Evaluator.Custom() {
		h.Entities = x.entityLane()
	}
	if len(u.Conditions) > 0 {
		x.considered = considered{x, u.Conditions}
		h.Conditions = &x.considered
	}
	x.scorer.Begin(u.Evaluator, h)
}

// considered are the conditions that an evaluator considers. It implements [scoring.Conditions].
type considered struct {
	x          *Executor
	conditions []Operand
}

// Holds returns the lanes of a mask in which a condition holds.
func (c *considered) Holds(i int32, mask uint64) uint64 { return c.x.holds(c.conditions[i], mask) }

// unchanged returns the lanes of a mask in which no fact has changed since the last scoring.
func (x *Executor) unchanged(u *UtilityNode, slot int32, mask uint64) uint64 {
	if mask == 0 || !u.Evaluator.Rescores {
		return 0
	}
	x.loadMemory(u, slot, mask)
	mask &^= x.scorer.Changed(mask, &x.memory)
	x.scorer.Skipped += int64(bitmask.Count(mask))
	return mask
}

// loadMemory finds the evaluator's memory in the minds of the lanes of a mask. An evaluator that reads nothing has
// none.
func (x *Executor) loadMemory(u *UtilityNode, slot int32, mask uint64) {
	if u.Evaluator.MemoryWords == 0 {
		return
	}
	at := slot + u.MemoryOffset()
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		x.memory[i] = x.mind(i)[at : slot+u.Words]
	}
}

// choose scores the lanes of a mask and resets the branches that they leave. A branch that continues with another
// target is reset and begins again in this tick. try counts the choices that these lanes have made in this tick before.
func (x *Executor) choose(u *UtilityNode, n *Node, index int32, mask, resumed uint64, try int) {
	d, e := &x.decision, u.Evaluator
	before := d.Action
	if u.Targeted {
		x.before = d.Target
	}
	d.Mask, d.Out = mask, nil
	if u.excludes() {
		d.Out = x.outOf(u)
	}
	if e.Draws() {
		for m := mask; m != 0; m &= m - 1 {
			i := bitmask.Lowest(m)
			d.Draws[i] = x.draw(i, uint32(x.now), index, try)
		}
	}
	if e.Rescores {
		x.loadMemory(u, n.Slot, mask)
		x.scorer.Remember(mask, &x.memory)
	}
	x.scorer.Decide(d)
	changed, retargeted := uint64(0), uint64(0)
	for m := mask & resumed; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		switch {
		case d.Held>>i&1 == 0 || d.Action[i] != before[i]:
			changed |= 1 << i
		case u.Targeted && d.Target[i] != x.before[i]:
			retargeted |= 1 << i
		}
	}
	x.Switches += int64(bitmask.Count((changed | retargeted) & d.Held))
	for _, c := range u.Branches {
		x.resetRunning(c, changed)
		if m := retargeted & x.run[c]; m != 0 {
			x.reset(c, m)
			x.beginAnew(c, m)
		}
	}
	stored := d.Held & mask &^ (resumed &^ changed &^ retargeted)
	if u.Remember {
		stored |= mask &^ d.Held // the choice is gone
	}
	x.storeChoices(u, n.Slot, stored)
}

// storeChoices writes the new choices of the lanes of a mask into their minds.
func (x *Executor) storeChoices(u *UtilityNode, slot int32, mask uint64) {
	d := &x.decision
	for m := mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		held := d.Held>>i&1 != 0
		if u.KeepsAction {
			w := uint32(0)
			if held {
				w = uint32(d.Action[i]) + 1
			}
			if held && u.Evaluator.Commitment > 0 {
				w |= choiceCommitted
				*x.word(i, slot+u.deadlineOffset()) = uint32(x.now + u.Evaluator.Commitment)
			}
			*x.word(i, slot) = w
		}
		if u.Targeted {
			at := slot + u.targetOffset()
			*x.word(i, at), *x.word(i, at+1) = d.Target[i].Index, d.Target[i].Generation
		}
	}
}

// beginAnew records that a branch that was ticked or reset in this tick begins again in it, for another target or as
// the next best. It is the only case of a node that is ticked after that, so the results that a latched Parallel keeps
// below it are cleared here.
func (x *Executor) beginAnew(c int32, lanes uint64) {
	end := x.program.Nodes[c].End
	if len(x.program.Parallels) > 0 {
		for n := c; n < end; n++ {
			x.latchedSuccess[n] &^= lanes
			x.latchedFailure[n] &^= lanes
		}
	}
	if lanes &= x.was[c]; lanes == 0 {
		return // it did not run before the tick, so nothing in it can be taken for running on
	}
	for i := range x.restarted {
		if r := &x.restarted[i]; r.first == c {
			r.lanes |= lanes
			return
		}
	}
	x.restarted = append(x.restarted, restart{c, end, lanes})
}

// restartedLanes returns the lanes in which a node is in a branch that began again. A node that runs there is treated
// as entered: its order is posted and its cursor is written, since the branch may have used the words of the cursor.
func (x *Executor) restartedLanes(node int32) (lanes uint64) {
	for i := range x.restarted {
		if r := &x.restarted[i]; r.first <= node && node < r.end {
			lanes |= r.lanes
		}
	}
	return lanes
}

// Scorings returns how many choices of UtilitySelectors were scored since the executor was made, and how many were kept
// without a scoring because no fact had changed; see [utility.Definition.RescoreBeyond].
func (x *Executor) Scorings() (scored, skipped int64) { return x.scorer.Scored, x.scorer.Skipped }

// LastChoice returns the action, and its target, that a lane has in the UtilitySelector that was ticked last, or -1
// when it has none. It is for tests.
func (x *Executor) LastChoice(lane int) (action int, target components.Entity) {
	if x.decision.Held>>lane&1 == 0 {
		return -1, components.Entity{}
	}
	return int(x.decision.Action[lane]), x.decision.Target[lane]
}
