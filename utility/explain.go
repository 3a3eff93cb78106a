package utility

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/flockwork-ai/flockwork/components"
)

// Explanation says why one agent decides as it does: what an evaluator would choose for it now. Ask for it with
// [Scorer.Explain]; for an agent that runs a tree, its executor does.
type Explanation struct {
	Evaluator string
	Options   []Option // by action, then target; last a choice that is held though its target is listed no more
	Chosen    int      // index of Options, or -1: no choice
	RunnerUp  int      // what of the same rank would be next, or -1
	Current   int      // the choice in force, or -1
	How       Reason   // how the choice came about
	NoTarget  []string // actions that are scored against targets, of which there are none
}

// Option is an action, with a target if it is scored for any.
type Option struct {
	Action         string
	Target         components.Entity
	Considerations []Factor // in the order of the description
	Combined       float32  // the combination of the considerations, before the weight
	Score          float32  // 0 when it is vetoed
	Bonus          float32  // the inertia that it has as the choice in force
	Probability    float32  // of being drawn, or 1 for what is chosen otherwise
	Rank           int
	Vetoed         bool // a gate is 0
	BelowMinimum   bool
	Outranked      bool // an action of a higher rank can be chosen
	Dropped        bool // the decision did not need its score
}

// Factor is what one consideration makes of its input.
type Factor struct {
	Name       string
	Raw        float32 // the input
	Normalised float32 // by the range; the input where there is none
	Output     float32
	Weight     float32
	Gate       bool
	Dropped    bool // the decision did not need it
}

// Reason is how a choice came about.
type Reason uint8

// The reasons.
const (
	NoneAboveZero      Reason = iota // nothing to choose
	Best                             // the best score
	Drawn                            // by lot
	HeldByInertia                    // the choice in force, by its bonus only
	HeldByCommitment                 // the choice in force, whatever the others score
	HeldWithoutScoring               // the choice in force, not scored again: nothing moved, or held until done
)

// String returns the reason in words.
func (r Reason) String() string {
	names := [...]string{
		"nothing scores above 0", "best score", "drawn", "held by inertia", "held by commitment",
		"held without scoring",
	}
	if int(r) < len(names) {
		return names[r]
	}
	return "unknown reason"
}

// Explain explains what a block's agent would decide now. Nothing is changed; unlike a decision it allocates.
//
// Panics when the lane is not in the block's mask.
func (s *Scorer) Explain(e *Evaluator, b *Block, lane int) *Explanation {
	if uint(lane) > 63 || b.Mask>>lane&1 == 0 {
		panic(fmt.Sprintf("utility: Explain of lane %d, which is not in the block's mask", lane))
	}
	one := *b
	one.Mask = 1 << lane
	choice := components.Choice{}
	if c := b.Choices[lane]; c != nil {
		choice = *c
	}
	one.Choices[lane] = &choice
	s.hostBlock(e, &one)
	var d Decision
	d.Mask = one.Mask
	ranOut := s.load(&d, &one)
	s.draws(&d, &one)
	stands := uint64(0)
	if e.rescores {
		stands = d.Held &^ ranOut & s.rememberers(&one)
		stands &^= s.Moved(stands, &one.Memory)
	}
	return s.Account(&d, stands != 0)
}

// Account explains the decision of the one lane of its mask, which is left as it was; stands is set when it is not to
// be scored again. It is for package aitree; [Scorer.Begin] comes before.
func (s *Scorer) Account(d *Decision, stands bool) *Explanation {
	e := s.e
	lane := bits.TrailingZeros64(d.Mask) & 63
	bit := uint64(1) << lane
	scored := s.Scored
	after := *d
	s.Decide(&after)
	s.Scored = scored
	needed := make([]bool, len(e.terms))
	for t := range needed {
		needed[t] = s.known[t]&bit != 0 && !stands
	}
	if stands {
		after = *d
	}

	x := &Explanation{Evaluator: e.name, Chosen: -1, RunnerUp: -1, Current: -1}
	var pairs []int
	for i := range e.actions {
		a := &e.actions[i]
		before := len(x.Options)
		for k := range e.elements(a) {
			if a.list >= 0 && s.targets(a.list, k, bit) == 0 {
				continue
			}
			o := s.option(a, k, lane, needed)
			if x.Current < 0 && s.isChoice(a, i, k, lane, d) {
				x.Current = len(x.Options)
			}
			if x.Chosen < 0 && s.isChoice(a, i, k, lane, &after) {
				x.Chosen = len(x.Options)
			}
			pairs = append(pairs, int(a.pairs)+k)
			x.Options = append(x.Options, o)
		}
		if len(x.Options) == before {
			x.NoTarget = append(x.NoTarget, a.name)
		}
	}
	s.settle(x, d, stands)
	s.probabilities(x, pairs, lane)
	if stands && x.Chosen < 0 { // it is held until done, and its target is listed no more
		a := &e.actions[d.Action[lane]]
		x.Chosen, x.Current = len(x.Options), len(x.Options)
		x.Options = append(x.Options, Option{
			Action: a.name, Target: d.Target[lane], Rank: int(a.rank), Probability: 1, Dropped: true,
		})
	}
	return x
}

// isChoice reports whether a pair is a lane's choice.
func (s *Scorer) isChoice(a *action, index, k, lane int, d *Decision) bool {
	if d.Held>>lane&1 == 0 || int(d.Action[lane]) != index {
		return false
	}
	return a.list < 0 || s.entities(a.list, k, 1<<lane)[lane] == d.Target[lane]
}

// option scores one pair with nothing dropped.
func (s *Scorer) option(a *action, k, lane int, needed []bool) Option {
	e, bit := s.e, uint64(1)<<lane
	o := Option{Action: a.name, Rank: int(a.rank)}
	if a.list >= 0 {
		o.Target = s.entities(a.list, k, bit)[lane]
	}
	for i := range e.uses[a.first : a.first+a.count] {
		u := &e.uses[int(a.first)+i]
		t := u.term
		if u.list >= 0 {
			t += int32(k)
		}
		f := Factor{
			Name: u.name, Weight: u.weight, Gate: u.gate, Dropped: !needed[t], Output: s.output(u, k, bit)[lane],
		}
		f.Raw = s.input(e.terms[t].input, bit)[lane]
		f.Normalised = f.Raw
		if e.terms[t].ranged {
			l := [64]float32{f.Raw}
			e.terms[t].normalise(&l, &l, 1)
			f.Normalised = l[0]
		}
		o.Vetoed = o.Vetoed || u.gate && f.Output == 0
		o.Dropped = o.Dropped || f.Dropped
		o.Considerations = append(o.Considerations, f)
	}
	if s.score(a, k, bit) != 0 {
		o.Score = s.sum[lane]
		unweighted := *a
		unweighted.weight = 1
		s.score(&unweighted, k, bit)
		o.Combined = s.sum[lane]
	}
	o.BelowMinimum = o.Score < e.minimum
	return o
}

// choosable reports whether an option could be chosen.
func (o *Option) choosable() bool { return !o.Vetoed && !o.BelowMinimum && o.Score > 0 }

// settle works out ranks, the reason and the runner-up.
func (s *Scorer) settle(x *Explanation, d *Decision, stands bool) {
	top, any := 0, false
	for i := range x.Options {
		if o := &x.Options[i]; o.choosable() && (!any || o.Rank > top) {
			top, any = o.Rank, true
		}
	}
	best := -1 // without inertia
	for i := range x.Options {
		o := &x.Options[i]
		o.Outranked = any && o.Rank < top
		if !o.choosable() || o.Outranked {
			continue
		}
		if i == x.Current {
			o.Bonus = s.e.inertia
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
	switch {
	case stands:
		x.How = HeldWithoutScoring
	case x.Chosen < 0:
		x.How = NoneAboveZero
	case d.Committed&d.Mask != 0 && x.Chosen == x.Current && x.Options[x.Chosen].choosable():
		x.How = HeldByCommitment
	case s.e.mode != argmax:
		x.How = Drawn
	case x.Chosen == x.Current && x.Chosen != best:
		x.How = HeldByInertia
	default:
		x.How = Best
	}
}

// probabilities fills in how likely each option was.
func (s *Scorer) probabilities(x *Explanation, pairs []int, lane int) {
	if x.Chosen < 0 {
		return
	}
	if x.How != Drawn {
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

// String lays the explanation out as a table, the options as they were described.
func (x *Explanation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %v", x.Evaluator, x.How)
	if x.Chosen >= 0 {
		fmt.Fprintf(&b, ": %s", x.Options[x.Chosen].title())
	}
	b.WriteByte('\n')
	for i := range x.Options {
		o := &x.Options[i]
		mark := "  "
		switch i {
		case x.Chosen:
			mark = "> "
		case x.RunnerUp:
			mark = "2 "
		}
		fmt.Fprintf(&b, "%s%-24s score %.4f", mark, o.title(), o.Score)
		if o.Bonus > 0 {
			fmt.Fprintf(&b, " + %.4f", o.Bonus)
		}
		for _, n := range []struct {
			on   bool
			text string
		}{
			{o.Vetoed, "vetoed"}, {o.BelowMinimum, "below the minimum"}, {o.Outranked, "outranked"},
			{o.Dropped, "not needed"}, {i == x.Current, "in force"},
		} {
			if n.on {
				fmt.Fprintf(&b, ", %s", n.text)
			}
		}
		if o.Probability > 0 && o.Probability < 1 {
			fmt.Fprintf(&b, ", probability %.3f", o.Probability)
		}
		b.WriteByte('\n')
		for _, f := range o.Considerations {
			fmt.Fprintf(&b, "      %-24s %12.4f -> %.4f -> %.4f", f.Name, f.Raw, f.Normalised, f.Output)
			if f.Gate {
				b.WriteString(" gate")
			}
			if f.Dropped {
				b.WriteString(" not needed")
			}
			b.WriteByte('\n')
		}
	}
	for _, name := range x.NoTarget {
		fmt.Fprintf(&b, "  %-24s no targets\n", name)
	}
	return b.String()
}

func (o *Option) title() string {
	if o.Target.IsZero() {
		return o.Action
	}
	return fmt.Sprintf("%s %v", o.Action, o.Target)
}
