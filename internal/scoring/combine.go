package scoring

import "github.com/flockwork-ai/flockwork/internal/lane"

// score computes the score of an action, with target k if it has any, for the lanes of a mask. It returns those in
// which no gate vetoes it; s.sum holds their scores.
func (s *Scorer) score(a *Action, k int, mask uint64) uint64 {
	if mask = s.veto(a, k, mask); mask != 0 {
		s.combine(a, k, mask)
	}
	return mask
}

// veto returns the lanes of a mask in which no gate vetoes an action.
func (s *Scorer) veto(a *Action, k int, mask uint64) uint64 {
	if !a.Gated {
		return mask
	}
	considerations := s.e.Considerations[a.First : a.First+a.Count]
	for i := range considerations {
		if c := &considerations[i]; c.Gate {
			if mask &^= lane.FloatEqual(s.output(c, k, mask), 0); mask == 0 {
				return 0
			}
		}
	}
	return mask
}

// factors returns the output of the last consideration, of two at least, and the product of those before it. Products
// are taken in the order of the description, gates or not, so marking a consideration as a gate changes no score.
func (s *Scorer) factors(a *Action, k int, mask uint64) (first, last *[64]float32) {
	considerations := s.e.Considerations[a.First : a.First+a.Count]
	end := len(considerations) - 1
	first = s.output(&considerations[0], k, mask)
	for i := 1; i < end; i++ {
		lane.Product(&s.sum, first, s.output(&considerations[i], k, mask), s.count)
		first = &s.sum
	}
	return first, s.output(&considerations[end], k, mask)
}

// combine computes the scores of an action that no gate vetoes.
func (s *Scorer) combine(a *Action, k int, mask uint64) {
	e, n := s.e, s.count
	considerations := e.Considerations[a.First : a.First+a.Count]
	if len(considerations) == 0 {
		l := s.sum[:n]
		for i := range l {
			l[i] = a.Weight
		}
		return
	}
	if e.Combination == Compensated && len(considerations) > 1 {
		first, last := s.factors(a, k, mask)
		lane.CompensateProduct(&s.sum, first, last, n, a.Compensation, a.Weight)
		return
	}
	s.merge(considerations, k, mask, a.Compensation)
	switch e.Combination {
	case Compensated:
		lane.Compensate(&s.sum, n, a.Compensation, a.Weight)
	case WeightedSum:
		if a.Weights > 0 {
			lane.Mean(&s.sum, n, a.Weights, a.Weight)
		}
	case GeometricMean:
		lane.Root(&s.sum, n, a.Root, a.Weight)
	default:
		lane.Weigh(&s.sum, n, a.Weight)
	}
}

// merge combines the outputs of at least one consideration, before they are scaled and weighted.
func (s *Scorer) merge(considerations []Consideration, k int, mask uint64, compensation float32) {
	n := s.count
	s.sum = *s.output(&considerations[0], k, mask)
	switch s.e.Combination {
	case Product, GeometricMean:
		for i := range considerations[1:] {
			lane.Multiply(&s.sum, s.output(&considerations[i+1], k, mask), n)
		}
	case CompensatedEach:
		one := s.sum[:n]
		for i := range one {
			one[i] = 1
		}
		for i := range considerations {
			lane.MultiplyCompensated(&s.sum, s.output(&considerations[i], k, mask), n, compensation)
		}
	case WeightedSum:
		clear(s.sum[:n])
		for i := range considerations {
			lane.AddWeighted(&s.sum, s.output(&considerations[i], k, mask), n, considerations[i].Weight)
		}
	case Min:
		for i := range considerations[1:] {
			lane.Lower(&s.sum, s.output(&considerations[i+1], k, mask), n)
		}
	case Max:
		for i := range considerations[1:] {
			lane.Raise(&s.sum, s.output(&considerations[i+1], k, mask), n)
		}
	}
}
