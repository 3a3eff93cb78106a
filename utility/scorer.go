package utility

import (
	"math/bits"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/facts"
	"github.com/flockwork-ai/flockwork/internal/lane"
)

// Scorer decides for blocks of up to 64 agents. It holds scratch memory only, so one serves any evaluator and block,
// one goroutine at a time; after its first block of the largest evaluator it allocates nothing. Make it with
// [NewScorer].
type Scorer struct {
	// Counts since the scorer was made; a caller may clear them.
	Scored int64 // decisions for which scores were computed
	Spared int64 // decisions that stood because no fact had moved; see Definition.RescoreBeyond

	e     *Evaluator
	host  Host
	count int // one past the last lane of the block

	terms   [][64]float32 // by term: the outputs
	known   []uint64      // by term: the lanes in which it has been evaluated
	raws    [][64]float32 // by input: what is not a Float
	read    []uint64      // by input: the lanes of raws that are filled
	found   []uint64      // by list: the lanes whose targets have been looked up
	present [][blackboard.MaxListed]uint64
	inForce [MaxActions]uint64 // by action: the lanes whose choice it is

	sum, spare [64]float32   // scratch of a score and of a term
	best       [64]uint64    // of argmax: scores and pairs, see lane.Better
	greatest   [64]float32   // of the random modes: scores
	chosen     [64]uint32    // of the random modes: pairs
	weights    [][64]float32 // of the random modes, by pair
	targeted   bool          // a choice of the block has a target, or could get one
	whole      bool          // nothing is dropped early: for tests
	facts      facts.Cache   // of blocks that come without a tree
	ctx        Context
	decision   Decision
}

// NewScorer returns a scorer.
func NewScorer() *Scorer { return &Scorer{} }

// Host is where a scorer that works for a tree finds what it needs of the block. It is for package aitree.
type Host struct {
	Facts    *facts.Cache
	Index    []int32 // the evaluator's fact i is fact Index[i] of the cache; nil: the same
	Mask     uint64  // all lanes of the block
	Entities *[64]components.Entity
	Now      components.Timestamp
	Worker   int
	User     any
}

// Decision is what a scorer is asked: who decides, and what choice is in force. The answer takes the question's place.
type Decision struct {
	Mask      uint64 // who decides
	Held      uint64 // those who have a choice in force; afterwards, those who have one
	Committed uint64 // those of Held who are committed to it
	Action    [64]uint8
	Target    [64]components.Entity // zero for an action without targets
	Draws     [64]uint64            // hashes to draw from, for the random modes
}

// Begin readies the scorer for a block; it forgets the last.
func (s *Scorer) Begin(e *Evaluator, h Host) {
	s.host = h
	s.begin(e)
}

// begin is Begin, the host being known.
func (s *Scorer) begin(e *Evaluator) {
	h := &s.host
	s.e, s.targeted = e, true
	s.count = 64 - bits.LeadingZeros64(h.Mask)
	if t := len(e.terms); cap(s.known) < t {
		s.terms, s.known = make([][64]float32, t), make([]uint64, t)
	}
	s.terms, s.known = s.terms[:len(e.terms)], s.known[:len(e.terms)]
	clear(s.known)
	if n := len(e.inputs); cap(s.read) < n {
		s.raws, s.read = make([][64]float32, n), make([]uint64, n)
	}
	s.raws, s.read = s.raws[:len(e.inputs)], s.read[:len(e.inputs)]
	clear(s.read)
	if n := len(e.lists); cap(s.found) < n {
		s.found, s.present = make([]uint64, n), make([][blackboard.MaxListed]uint64, n)
	}
	s.found, s.present = s.found[:len(e.lists)], s.present[:len(e.lists)]
	clear(s.found)
	if e.mode != argmax && len(s.weights) < int(e.pairs) {
		s.weights = make([][64]float32, e.pairs)
	}
}

// Clear drops what the scorer holds of the last block.
func (s *Scorer) Clear() {
	s.host = Host{}
	s.facts.Clear()
}

// Decide chooses for the decision's agents.
func (s *Scorer) Decide(d *Decision) {
	e := s.e
	s.Scored += int64(bits.OnesCount64(d.Mask))
	if s.whole {
		s.outputs(d.Mask)
	}
	s.findInForce(d)
	kept := s.kept(d)
	if e.mode == argmax {
		clear(s.best[:])
	}
	rest, decided := d.Mask, uint64(0)
	for _, group := range e.groups {
		rest &^= kept & s.inForceOf(group)
		if rest == 0 {
			break
		}
		won := uint64(0)
		if e.mode == argmax {
			won = s.bestOf(group, rest, d)
		} else {
			won = s.drawFrom(group, rest, d)
		}
		decided |= won
		rest &^= won
	}
	rest = decided
	if e.mode == argmax && len(e.lists) == 0 && cpu.Vectors() {
		before := d.Action
		const shift = 4 // pairs are numbered by action and components.MaxListed targets
		lane.Indices(&d.Action, &s.best, shift)
		for m := ^decided; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m) & 63
			d.Action[i] = before[i]
		}
		rest = 0
		if s.targeted {
			for m := decided; m != 0; m &= m - 1 {
				d.Target[bits.TrailingZeros64(m)&63] = components.Entity{}
			}
		}
	}
	for m := rest; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & 63
		pair := ^uint32(s.best[i])
		if e.mode != argmax {
			pair = s.chosen[i]
		}
		a := pair / blackboard.MaxListed
		d.Action[i], d.Target[i] = uint8(a), components.Entity{}
		if l := e.actions[a].list; l >= 0 {
			d.Target[i] = s.entities(l, int(pair%blackboard.MaxListed), 1<<i)[i]
		}
	}
	d.Held = d.Held&^d.Mask | decided | kept
	for m := d.Mask &^ d.Held; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & 63
		d.Action[i], d.Target[i] = 0, components.Entity{}
	}
}

// outputs evaluates all that the evaluator could need, before anything is dropped.
func (s *Scorer) outputs(mask uint64) {
	for i := range s.e.actions {
		a := &s.e.actions[i]
		for k := range s.e.elements(a) {
			m := mask
			if a.list >= 0 {
				m = s.targets(a.list, k, mask)
			}
			for j := range s.e.uses[a.first : a.first+a.count] {
				if m != 0 {
					s.output(&s.e.uses[int(a.first)+j], k, m)
				}
			}
		}
	}
}

// findInForce sorts the lanes by the action in force, where that matters.
func (s *Scorer) findInForce(d *Decision) {
	clear(s.inForce[:len(s.e.actions)])
	if s.e.inertia == 0 && d.Committed == 0 {
		return
	}
	held := d.Mask & d.Held
	if held == 0 {
		return
	}
	if cpu.Vectors() && len(s.e.actions) <= fewActions {
		for a := range s.e.actions {
			s.inForce[a] = held & lane.ByteEqual(&d.Action, uint8(a))
		}
		return
	}
	for m := held; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & 63
		s.inForce[d.Action[i]] |= 1 << i
	}
}

// fewActions is up to how many actions it is cheaper to compare all lanes with each, in vectors, than to sort lanes
// one by one.
const fewActions = 8

func (s *Scorer) inForceOf(group []int32) (lanes uint64) {
	for _, a := range group {
		lanes |= s.inForce[a]
	}
	return lanes
}

// kept returns the lanes whose commitment stands, unless they are outranked.
func (s *Scorer) kept(d *Decision) (lanes uint64) {
	committed := d.Mask & d.Held & d.Committed
	if committed == 0 {
		return 0
	}
	for i := range s.e.actions {
		a := &s.e.actions[i]
		mask := s.inForce[i] & committed
		if mask == 0 {
			continue
		}
		if a.list < 0 {
			lanes |= s.choosable(s.score(a, 0, mask))
			continue
		}
		for k := range s.e.elements(a) {
			if m := s.targets(a.list, k, mask); m != 0 {
				if m &= s.same(a.list, k, m, d); m != 0 {
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
	return mask &^ lane.FloatLessEqual(&s.sum, 0) &^ lane.FloatLess(&s.sum, s.e.minimum)
}

// bestOf finds the best of the actions of one rank and returns the lanes that have one. An action whose weight cannot
// reach what a lane has found already is not scored for it; behind it stand only lighter ones.
func (s *Scorer) bestOf(group []int32, mask uint64, d *Decision) (won uint64) {
	e := s.e
	live := mask
	for i, index := range group {
		// What a lane must have found so that the rest does not matter to it, and in the end so that it has something.
		threshold := float32(0)
		if last := i+1 == len(group); !last {
			threshold = e.actions[group[i+1]].weight + e.inertia
		}
		above := s.offer(index, live, threshold, d)
		if i+1 == len(group) {
			return mask & above
		}
		if !s.whole {
			if live &^= above; live == 0 {
				break
			}
		}
	}
	return mask
}

// offer lets an action, with all its targets, contend for the lanes of a mask. It returns the lanes in which the best
// is above a threshold then.
func (s *Scorer) offer(index int32, live uint64, threshold float32, d *Decision) (above uint64) {
	e := s.e
	a := &e.actions[index]
	pair := uint32(index) * blackboard.MaxListed
	if a.list < 0 {
		m := s.veto(a, 0, live)
		if m != 0 && e.combination == Compensated && a.count > 1 {
			first, last := s.factors(a, 0, m)
			return lane.BetterProduct(&s.best, &s.sum, first, last, s.count, m, s.inForce[index],
				a.makeUp, a.weight, e.inertia, e.minimum, pair, threshold)
		}
		if m != 0 {
			s.combine(a, 0, m)
			lane.Better(&s.best, &s.sum, s.count, m, s.inForce[index], e.inertia, e.minimum, pair)
		}
		return lane.BestAbove(&s.best, threshold)
	}
	for k := range e.elements(a) {
		m := s.targets(a.list, k, live)
		if m == 0 {
			continue
		}
		favoured := s.inForce[index] & m
		if favoured != 0 {
			favoured = s.same(a.list, k, favoured, d)
		}
		if m = s.score(a, k, m); m != 0 {
			lane.Better(&s.best, &s.sum, s.count, m, favoured, e.inertia, e.minimum, pair+uint32(k))
		}
	}
	return lane.BestAbove(&s.best, threshold)
}

// score computes the score of an action, with target k if it has any, for the lanes of a mask. It returns those in
// which no gate vetoes it; s.sum holds their scores.
func (s *Scorer) score(a *action, k int, mask uint64) uint64 {
	if mask = s.veto(a, k, mask); mask != 0 {
		s.combine(a, k, mask)
	}
	return mask
}

// veto returns the lanes of a mask in which no gate vetoes an action.
func (s *Scorer) veto(a *action, k int, mask uint64) uint64 {
	if !a.gated {
		return mask
	}
	uses := s.e.uses[a.first : a.first+a.count]
	for i := range uses {
		if u := &uses[i]; u.gate {
			if mask &^= lane.FloatEqual(s.output(u, k, mask), 0); mask == 0 {
				return 0
			}
		}
	}
	return mask
}

// factors returns the outputs of the last consideration, of two at least, and the product of those before it.
// Products are taken in the order of the description, gates or not: to make a gate of a consideration changes no
// score.
func (s *Scorer) factors(a *action, k int, mask uint64) (first, last *[64]float32) {
	uses := s.e.uses[a.first : a.first+a.count]
	end := len(uses) - 1
	first = s.output(&uses[0], k, mask)
	for i := 1; i < end; i++ {
		lane.Product(&s.sum, first, s.output(&uses[i], k, mask), s.count)
		first = &s.sum
	}
	return first, s.output(&uses[end], k, mask)
}

// combine computes the scores of an action that no gate vetoes.
func (s *Scorer) combine(a *action, k int, mask uint64) {
	e, n := s.e, s.count
	uses := e.uses[a.first : a.first+a.count]
	if len(uses) == 0 {
		l := s.sum[:n]
		for i := range l {
			l[i] = a.weight
		}
		return
	}
	if e.combination == Compensated && len(uses) > 1 {
		first, last := s.factors(a, k, mask)
		lane.CompensateProduct(&s.sum, first, last, n, a.makeUp, a.weight)
		return
	}
	s.sum = *s.output(&uses[0], k, mask)
	switch e.combination {
	case Product, GeometricMean:
		for i := range uses[1:] {
			lane.Multiply(&s.sum, s.output(&uses[i+1], k, mask), n)
		}
	case CompensatedEach:
		one := s.sum[:n]
		for i := range one {
			one[i] = 1
		}
		for i := range uses {
			lane.MultiplyCompensated(&s.sum, s.output(&uses[i], k, mask), n, a.makeUp)
		}
	case WeightedSum:
		clear(s.sum[:n])
		for i := range uses {
			lane.AddWeighted(&s.sum, s.output(&uses[i], k, mask), n, uses[i].weight)
		}
	case Min:
		for i := range uses[1:] {
			lane.Lower(&s.sum, s.output(&uses[i+1], k, mask), n)
		}
	case Max:
		for i := range uses[1:] {
			lane.Raise(&s.sum, s.output(&uses[i+1], k, mask), n)
		}
	}
	switch e.combination {
	case Compensated:
		lane.Compensate(&s.sum, n, a.makeUp, a.weight)
	case WeightedSum:
		if a.weights > 0 {
			lane.Mean(&s.sum, n, a.weights, a.weight)
		}
	case GeometricMean:
		lane.Root(&s.sum, n, a.root, a.weight)
	default:
		lane.Weigh(&s.sum, n, a.weight)
	}
}

// output returns the lane of a consideration, about target k if it is about any, filled where mask says.
func (s *Scorer) output(u *use, k int, mask uint64) *[64]float32 {
	t := u.term
	if u.list >= 0 {
		t += int32(k)
	}
	out := &s.terms[t]
	if missing := mask &^ s.known[t]; missing != 0 {
		s.known[t] |= missing
		s.evaluate(&s.e.terms[t], missing, out)
	}
	return out
}

// evaluate fills a lane with the outputs of a term. Where few of the block are asked for, and that is cheaper, they
// are taken together first; otherwise the whole block is done: what the others get is what they have, or means
// nothing.
func (s *Scorer) evaluate(t *term, mask uint64, out *[64]float32) {
	var raw *[64]float32
	if in := &s.e.inputs[t.input]; in.plain {
		raw = s.host.Facts.Floats(s.fact(in.fact), mask)
	} else {
		raw = s.input(t.input, mask)
	}
	share := 2
	if t.curve.Quick() {
		share = 8
	}
	if few := bits.OnesCount64(mask); !cpu.Vectors() && share*few < s.count {
		k := 0
		for m := mask; m != 0; m &= m - 1 {
			s.spare[k] = raw[bits.TrailingZeros64(m)&63]
			k++
		}
		t.apply(&s.spare, &s.spare, few)
		k = 0
		for m := mask; m != 0; m &= m - 1 {
			out[bits.TrailingZeros64(m)&63] = s.spare[k]
			k++
		}
		return
	}
	if t.ranged {
		t.normalise(out, raw, s.count)
		raw = out
	}
	t.curve.Apply(out, raw, s.count)
}

// apply computes the term for the first n lanes.
func (t *term) apply(out, raw *[64]float32, n int) {
	if t.ranged {
		t.normalise(out, raw, n)
		raw = out
	}
	t.curve.Apply(out, raw, n)
}

func (t *term) normalise(out, raw *[64]float32, n int) {
	if t.span == 0 {
		lane.NormaliseStep(out, raw, n, t.a)
	} else {
		lane.Normalise(out, raw, n, t.a, t.span)
	}
}

// fact returns the place of a fact in the host's cache.
func (s *Scorer) fact(f int32) int32 {
	if s.host.Index == nil {
		return f
	}
	return s.host.Index[f]
}

// input returns the lane of an input, filled where mask says.
func (s *Scorer) input(i int32, mask uint64) *[64]float32 {
	in := &s.e.inputs[i]
	if in.plain {
		return s.host.Facts.Floats(s.fact(in.fact), mask)
	}
	l := &s.raws[i]
	missing := mask &^ s.read[i]
	if missing == 0 {
		return l
	}
	s.read[i] |= missing
	if in.custom != nil {
		s.fill(in, missing, l)
		return l
	}
	f := s.fact(in.fact)
	switch in.kind {
	case blackboard.Int:
		v := s.host.Facts.Ints(f, missing)
		for m := missing; m != 0; m &= m - 1 {
			k := bits.TrailingZeros64(m) & 63
			l[k] = float32(v[k])
		}
	case blackboard.Age:
		v := s.host.Facts.Ages(f, missing)
		for m := missing; m != 0; m &= m - 1 {
			k := bits.TrailingZeros64(m) & 63
			l[k] = float32(float64(v[k]) / 1e9)
		}
	case blackboard.Bool:
		spread(l, missing, s.host.Facts.Bools(f, missing))
	case blackboard.EntityRef:
		spread(l, missing, s.host.Facts.Alive(f, missing))
	}
	return l
}

// spread sets the lanes of a mask to 1 where a bit is set, else to 0.
func spread(l *[64]float32, mask, set uint64) {
	for m := mask; m != 0; m &= m - 1 {
		k := bits.TrailingZeros64(m) & 63
		l[k] = float32(set >> k & 1)
	}
}

// fill asks an input of the user's own.
func (s *Scorer) fill(in *input, mask uint64, l *[64]float32) {
	h := &s.host
	s.ctx = Context{Mask: mask, Entities: h.Entities, Now: h.Now, Worker: h.Worker, User: h.User, s: s, in: in}
	// Into scratch: a function that fills more lanes than it is asked for would undo what was mended, and one that
	// fills fewer would leave what another block had there.
	clear(s.spare[:])
	in.custom.fill(&s.ctx, &s.spare)
	for m := mask; m != 0; m &= m - 1 {
		k := bits.TrailingZeros64(m) & 63
		l[k] = s.spare[k]
		if l[k]-l[k] != 0 {
			l[k] = 0
		}
	}
}

// targets returns the lanes of a mask that have a target k in a list.
func (s *Scorer) targets(list int32, k int, mask uint64) uint64 {
	if missing := mask &^ s.found[list]; missing != 0 {
		s.lookUp(list, missing)
	}
	return s.present[list][k] & mask
}

// lookUp finds the targets of the lanes of a mask.
func (s *Scorer) lookUp(list int32, mask uint64) {
	l := &s.e.lists[list]
	s.found[list] |= mask
	counts := s.host.Facts.Ints(s.fact(l.count), mask)
	present := &s.present[list]
	for k := range l.entities {
		present[k] &^= mask
		listed := mask &^ lane.IntLessEqual(counts, int64(k))
		if listed == 0 {
			continue
		}
		entities := s.entities(list, k, listed)
		for m := listed; m != 0; m &= m - 1 {
			if i := bits.TrailingZeros64(m) & 63; !entities[i].IsZero() {
				present[k] |= 1 << i
			}
		}
	}
}

// entities returns the lane of the entities of targets k.
func (s *Scorer) entities(list int32, k int, mask uint64) *[64]components.Entity {
	return s.host.Facts.Entities(s.fact(s.e.lists[list].entities[k]), mask)
}

// same returns the lanes of a mask in which target k is the one in force.
func (s *Scorer) same(list int32, k int, mask uint64, d *Decision) (lanes uint64) {
	entities := s.entities(list, k, mask)
	for m := mask; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m) & 63; entities[i] == d.Target[i] {
			lanes |= 1 << i
		}
	}
	return lanes
}
