package scoring

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/lane"
)

// Decide chooses for the lanes of the decision's mask.
func (s *Scorer) Decide(d *Decision) {
	e := s.e
	s.Scored += int64(bitmask.Count(d.Mask))
	if s.exhaustive {
		s.evaluateAll(d.Mask)
	}
	s.findInForce(d)
	kept := s.committed(d)
	if e.Mode == Argmax {
		clear(s.best[:])
	}
	rest, decided := d.Mask, uint64(0)
	for _, rank := range e.ranks {
		rest &^= kept & s.inForceOf(rank)
		if rest == 0 {
			break
		}
		won := uint64(0)
		if e.Mode == Argmax {
			won = s.bestOf(rank, rest, d)
		} else {
			won = s.drawFrom(rank, rest, d)
		}
		decided |= won
		rest &^= won
	}
	if e.Mode == Argmax && len(e.Lists) == 0 && cpu.Vectors() {
		s.writeActions(d, decided)
	} else {
		s.writePairs(d, decided)
	}
	d.Held = d.Held&^d.Mask | decided | kept
	for m := d.Mask &^ d.Held; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		d.Action[i], d.Target[i] = 0, components.Entity{}
	}
}

// writeActions writes what the lanes of a mask have decided, by vectors: the best score decides, and no action has
// targets.
func (s *Scorer) writeActions(d *Decision, decided uint64) {
	before := d.Action
	const shift = 4 // a pair is the action times blackboard.MaxListed, plus the target
	lane.Indices(&d.Action, &s.best, shift)
	for m := ^decided; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		d.Action[i] = before[i]
	}
	if s.targeted {
		for m := decided; m != 0; m &= m - 1 {
			d.Target[bitmask.Lowest(m)] = components.Entity{}
		}
	}
}

// writePairs writes what the lanes of a mask have decided, lane by lane.
func (s *Scorer) writePairs(d *Decision, decided uint64) {
	e := s.e
	for m := decided; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		pair := ^uint32(s.best[i])
		if e.Mode != Argmax {
			pair = s.chosen[i]
		}
		a := pair / blackboard.MaxListed
		d.Action[i], d.Target[i] = uint8(a), components.Entity{}
		if l := e.Actions[a].List; l >= 0 {
			d.Target[i] = s.entities(l, int(pair%blackboard.MaxListed), 1<<i)[i]
		}
	}
}

// evaluateAll evaluates every term that the evaluator could need.
func (s *Scorer) evaluateAll(mask uint64) {
	for i := range s.e.Actions {
		a := &s.e.Actions[i]
		for k := range s.e.elements(a) {
			m := mask
			if a.List >= 0 {
				m = s.targets(a.List, k, mask)
			}
			for j := range s.e.Considerations[a.First : a.First+a.Count] {
				if m != 0 {
					s.output(&s.e.Considerations[int(a.First)+j], k, m)
				}
			}
		}
	}
}

// findInForce finds the lanes of each action in force, if inertia or a commitment needs them.
func (s *Scorer) findInForce(d *Decision) {
	clear(s.inForce[:len(s.e.Actions)])
	if s.e.Inertia == 0 && d.Committed == 0 {
		return
	}
	held := d.Mask & d.Held
	if held == 0 {
		return
	}
	if cpu.Vectors() && len(s.e.Actions) <= fewActions {
		for a := range s.e.Actions {
			s.inForce[a] = held & lane.ByteEqual(&d.Action, uint8(a))
		}
		return
	}
	for m := held; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		s.inForce[d.Action[i]] |= 1 << i
	}
}

// fewActions is the number of actions up to which it is cheaper to compare all lanes with each action, in vectors, than
// to visit the lanes one by one.
const fewActions = 8

// inForceOf returns the lanes whose choice is an action of a rank.
func (s *Scorer) inForceOf(rank []int32) (lanes uint64) {
	for _, a := range rank {
		lanes |= s.inForce[a]
	}
	return lanes
}

// committed returns the lanes that keep their choice because of a commitment, unless a higher rank wins.
func (s *Scorer) committed(d *Decision) (lanes uint64) {
	committed := d.Mask & d.Held & d.Committed
	if committed == 0 {
		return 0
	}
	for i := range s.e.Actions {
		a := &s.e.Actions[i]
		mask := s.inForce[i] & committed
		if mask == 0 {
			continue
		}
		if a.List < 0 {
			if mask = d.open(a.pairs, mask); mask != 0 {
				lanes |= s.choosable(s.score(a, 0, mask))
			}
			continue
		}
		for k := range s.e.elements(a) {
			if m := d.open(a.pairs+int32(k), s.targets(a.List, k, mask)); m != 0 {
				if m &= s.same(a.List, k, m, d); m != 0 {
					lanes |= s.choosable(s.score(a, k, m))
				}
			}
		}
	}
	return lanes
}

// choosable returns the lanes of a mask in which the score just computed is above 0 and not below the minimum.
func (s *Scorer) choosable(mask uint64) uint64 {
	if mask == 0 {
		return 0
	}
	return mask &^ lane.FloatLessEqual(&s.sum, 0) &^ lane.FloatLess(&s.sum, s.e.Minimum)
}

// bestOf finds the best of the actions of one rank and returns the lanes that have one. A lane whose best score is
// above the weight of the next action is done: that action and all after it weigh less and cannot reach the score.
func (s *Scorer) bestOf(rank []int32, mask uint64, d *Decision) (won uint64) {
	e := s.e
	live := mask
	for i, index := range rank {
		// Above the threshold a lane is done; after the last action, it has a choice.
		threshold := float32(0)
		if last := i+1 == len(rank); !last {
			threshold = e.Actions[rank[i+1]].Weight + e.Inertia
		}
		above := s.offer(index, live, threshold, d)
		if i+1 == len(rank) {
			return mask & above
		}
		if !s.exhaustive {
			if live &^= above; live == 0 {
				break
			}
		}
	}
	return mask
}

// offer scores an action, with all its targets, for the lanes of a mask and raises their best scores. It returns the
// lanes whose best score is above a threshold then.
func (s *Scorer) offer(index int32, live uint64, threshold float32, d *Decision) (above uint64) {
	e := s.e
	a := &e.Actions[index]
	pair := uint32(index) * blackboard.MaxListed
	if a.List < 0 {
		m := d.open(a.pairs, live)
		if m != 0 {
			m = s.veto(a, 0, m)
		}
		if m != 0 && e.Combination == Compensated && a.Count > 1 {
			first, last := s.factors(a, 0, m)
			return lane.BetterProduct(&s.best, &s.sum, first, last, s.count, m, s.inForce[index],
				a.Compensation, a.Weight, e.Inertia, e.Minimum, pair, threshold)
		}
		if m != 0 {
			s.combine(a, 0, m)
			lane.Better(&s.best, &s.sum, s.count, m, s.inForce[index], e.Inertia, e.Minimum, pair)
		}
		return lane.BestAbove(&s.best, threshold)
	}
	for k := range e.elements(a) {
		m := d.open(a.pairs+int32(k), s.targets(a.List, k, live))
		if m == 0 {
			continue
		}
		favoured := s.inForce[index] & m
		if favoured != 0 {
			favoured = s.same(a.List, k, favoured, d)
		}
		if m = s.score(a, k, m); m != 0 {
			lane.Better(&s.best, &s.sum, s.count, m, favoured, e.Inertia, e.Minimum, pair+uint32(k))
		}
	}
	return lane.BestAbove(&s.best, threshold)
}
