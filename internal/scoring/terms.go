package scoring

import (
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/lane"
)

// output returns the lane of a consideration, filled for the lanes of a mask. k is the target, if it is about targets.
func (s *Scorer) output(c *Consideration, k int, mask uint64) *[64]float32 {
	t := c.Term
	if c.List >= 0 {
		t += int32(k)
	}
	out := &s.terms[t]
	if missing := mask &^ s.known[t]; missing != 0 {
		s.known[t] |= missing
		s.evaluate(&s.e.Terms[t], missing, out)
	}
	return out
}

// evaluate fills a lane with the outputs of a term. If the mask has few lanes, and that is cheaper, they are packed
// together first. Otherwise the whole block is computed: the lanes outside the mask get their value, or one without
// meaning.
func (s *Scorer) evaluate(t *Term, mask uint64, out *[64]float32) {
	var raw *[64]float32
	if in := &s.e.Inputs[t.Input]; in.Plain {
		raw = s.host.Facts.Floats(s.fact(in.Fact), mask)
	} else {
		raw = s.input(t.Input, mask)
	}
	share := 2
	if t.Curve.Quick() {
		share = 8
	}
	if few := bitmask.Count(mask); !cpu.Vectors() && share*few < s.count {
		k := 0
		for m := mask; m != 0; m &= m - 1 {
			s.scratch[k] = raw[bitmask.Lowest(m)]
			k++
		}
		t.apply(&s.scratch, &s.scratch, few)
		k = 0
		for m := mask; m != 0; m &= m - 1 {
			out[bitmask.Lowest(m)] = s.scratch[k]
			k++
		}
		return
	}
	if t.Ranged {
		t.normalise(out, raw, s.count)
		raw = out
	}
	t.Curve.Apply(out, raw, s.count)
}

// apply computes a term for the first n lanes.
func (t *Term) apply(out, raw *[64]float32, n int) {
	if t.Ranged {
		t.normalise(out, raw, n)
		raw = out
	}
	t.Curve.Apply(out, raw, n)
}

// normalise maps the first n lanes to 0..1 by the term's range.
func (t *Term) normalise(out, raw *[64]float32, n int) {
	if t.Span == 0 {
		lane.NormaliseStep(out, raw, n, t.A)
	} else {
		lane.Normalise(out, raw, n, t.A, t.Span)
	}
}
