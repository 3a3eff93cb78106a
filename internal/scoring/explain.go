package scoring

import (
	"fmt"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/utility/explain"
)

// Explain explains what the agent in a lane of a block would choose now. It changes nothing; unlike a decision it
// allocates.
//
// It panics when the lane is not in the block's mask.
func (s *Scorer) Explain(e *Evaluator, b *Block, lane int) *explain.Choice {
	if uint(lane) > 63 || b.Mask>>lane&1 == 0 {
		panic(fmt.Sprintf("utility: Explain of lane %d, which is not in the block's mask", lane))
	}
	b.checkColumn()
	one := *b
	one.Mask = 1 << lane
	choice := components.Choice{} // a copy, because load clears a commitment that has run out
	if c := b.choice(lane); c != nil {
		choice = *c
	}
	one.Column, one.Choices[lane] = nil, &choice
	s.beginBlock(e, &one)
	var d Decision
	d.Mask = one.Mask
	ranOut := s.load(&d, &one)
	s.draws(&d, &one)
	unchanged := uint64(0)
	if e.Rescores {
		unchanged = d.Held &^ ranOut & s.withMemory(&one)
		unchanged &^= s.Changed(unchanged, &one.Memory)
	}
	return s.ExplainDecision(&d, unchanged != 0)
}

// ExplainDecision explains the decision of the one lane of its mask and leaves it as it was. unscored is set if the
// choice in force is not to be scored again. [Scorer.Begin] must have been called for the block.
func (s *Scorer) ExplainDecision(d *Decision, unscored bool) *explain.Choice {
	lane := bitmask.Lowest(d.Mask)
	after, needed := s.trial(d, unscored)
	x, pairs := s.options(d, after, needed)
	s.settle(x, d, unscored)
	s.probabilities(x, pairs, lane)
	if unscored && x.Chosen < 0 { // it is kept until done, and its target is not listed any more
		a := &s.e.Actions[d.Action[lane]]
		x.Chosen, x.Current = len(x.Options), len(x.Options)
		x.Options = append(x.Options, explain.Option{
			Action: a.Name, Target: d.Target[lane], Rank: int(a.Rank), Probability: 1, Skipped: true,
		})
	}
	return x
}

// trial makes the decision on a copy. It returns the copy and, by term, whether the decision needed it.
func (s *Scorer) trial(d *Decision, unscored bool) (after *Decision, needed []bool) {
	scored := s.Scored
	answer := *d
	s.Decide(&answer)
	s.Scored = scored
	needed = make([]bool, len(s.e.Terms))
	for t := range needed {
		needed[t] = s.known[t]&d.Mask != 0 && !unscored
	}
	if unscored {
		answer = *d
	}
	return &answer, needed
}

// options scores all pairs of actions and targets of the one lane of a decision. It returns the explanation without how
// the choice came about, and the number of each option's pair.
func (s *Scorer) options(d, after *Decision, needed []bool) (x *explain.Choice, pairs []int) {
	e, lane := s.e, bitmask.Lowest(d.Mask)
	x = &explain.Choice{Evaluator: e.Name, Chosen: -1, RunnerUp: -1, Current: -1}
	for i := range e.Actions {
		a := &e.Actions[i]
		before := len(x.Options)
		for k := range e.elements(a) {
			if a.List >= 0 && s.targets(a.List, k, d.Mask) == 0 {
				continue
			}
			o := s.option(a, k, lane, needed)
			o.Failed = d.open(a.pairs+int32(k), d.Mask) == 0
			if x.Current < 0 && s.isChoice(a, i, k, lane, d) {
				x.Current = len(x.Options)
			}
			if x.Chosen < 0 && s.isChoice(a, i, k, lane, after) {
				x.Chosen = len(x.Options)
			}
			pairs = append(pairs, int(a.pairs)+k)
			x.Options = append(x.Options, o)
		}
		if len(x.Options) == before {
			x.NoTarget = append(x.NoTarget, a.Name)
		}
	}
	return x, pairs
}

// isChoice reports whether a pair is a lane's choice.
func (s *Scorer) isChoice(a *Action, index, k, lane int, d *Decision) bool {
	if d.Held>>lane&1 == 0 || int(d.Action[lane]) != index {
		return false
	}
	return a.List < 0 || s.entities(a.List, k, 1<<lane)[lane] == d.Target[lane]
}

// option scores one pair with nothing dropped.
func (s *Scorer) option(a *Action, k, lane int, needed []bool) explain.Option {
	e, bit := s.e, uint64(1)<<lane
	o := explain.Option{Action: a.Name, Rank: int(a.Rank)}
	if a.List >= 0 {
		o.Target = s.entities(a.List, k, bit)[lane]
	}
	considerations := e.Considerations[a.First : a.First+a.Count]
	for i := range considerations {
		c := s.consideration(&considerations[i], k, lane, needed)
		o.Vetoed = o.Vetoed || c.Gate && c.Output == 0
		o.Skipped = o.Skipped || c.Skipped
		o.Considerations = append(o.Considerations, c)
	}
	if s.score(a, k, bit) != 0 {
		o.Score = s.sum[lane]
		unweighted := *a
		unweighted.Weight = 1
		s.score(&unweighted, k, bit)
		o.Combined = s.sum[lane]
	}
	o.BelowMinimum = o.Score < e.Minimum
	return o
}

// consideration explains a consideration of one lane.
func (s *Scorer) consideration(c *Consideration, k, lane int, needed []bool) explain.Consideration {
	bit := uint64(1) << lane
	t := c.Term
	if c.List >= 0 {
		t += int32(k)
	}
	term := &s.e.Terms[t]
	x := explain.Consideration{
		Name: c.Name, Weight: c.Weight, Gate: c.Gate, Skipped: !needed[t], Output: s.output(c, k, bit)[lane],
	}
	x.Raw = s.input(term.Input, bit)[lane]
	x.Normalised = x.Raw
	if term.Ranged {
		l := [64]float32{x.Raw}
		term.normalise(&l, &l, 1)
		x.Normalised = l[0]
	}
	return x
}

// choosable reports whether an option could be chosen.
func choosable(o *explain.Option) bool {
	return !o.Failed && !o.Vetoed && !o.BelowMinimum && o.Score > 0
}

// settle finds out which options are outranked, the runner-up and the reason.
func (s *Scorer) settle(x *explain.Choice, d *Decision, unscored bool) {
	best := s.runnerUp(x)
	switch {
	case unscored:
		x.Reason = explain.HeldWithoutScoring
	case x.Chosen < 0 && slices.ContainsFunc(x.Options, func(o explain.Option) bool { return o.Failed && o.Score > 0 }):
		x.Reason = explain.NoneLeft
	case x.Chosen < 0:
		x.Reason = explain.NoneAboveZero
	case d.Committed&d.Mask != 0 && x.Chosen == x.Current && choosable(&x.Options[x.Chosen]):
		x.Reason = explain.HeldByCommitment
	case s.e.Mode != Argmax:
		x.Reason = explain.Drawn
	case x.Chosen == x.Current && x.Chosen != best:
		x.Reason = explain.HeldByInertia
	default:
		x.Reason = explain.Best
	}
}

// runnerUp sets what is outranked, the bonus and the runner-up. It returns the option of the best score without
// inertia, or -1.
func (s *Scorer) runnerUp(x *explain.Choice) (best int) {
	top, any := 0, false
	for i := range x.Options {
		if o := &x.Options[i]; choosable(o) && (!any || o.Rank > top) {
			top, any = o.Rank, true
		}
	}
	best = -1
	for i := range x.Options {
		o := &x.Options[i]
		o.Outranked = any && o.Rank < top
		if !choosable(o) || o.Outranked {
			continue
		}
		if i == x.Current {
			o.Bonus = s.e.Inertia
		}
		if best < 0 || o.Score > x.Options[best].Score {
			best = i
		}
		if i == x.Chosen {
			continue
		}
		if r := x.RunnerUp; r < 0 || o.Score+o.Bonus > x.Options[r].Score+x.Options[r].Bonus {
			x.RunnerUp = i
		}
	}
	return best
}

// probabilities sets how likely each option was.
func (s *Scorer) probabilities(x *explain.Choice, pairs []int, lane int) {
	if x.Chosen < 0 {
		return
	}
	if x.Reason != explain.Drawn {
		x.Options[x.Chosen].Probability = 1
		return
	}
	sum := float64(0)
	for i, p := range pairs {
		if o := &x.Options[i]; !o.Outranked && o.Rank == x.Options[x.Chosen].Rank {
			o.Probability = s.weights[p][lane]
			sum += float64(o.Probability)
		}
	}
	for i := range x.Options {
		x.Options[i].Probability = float32(float64(x.Options[i].Probability) / sum)
	}
}
