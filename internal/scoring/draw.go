package scoring

import (
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/lane"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// drawFrom draws from the actions of one rank for the lanes of a mask and returns the lanes that have drawn. A lane in
// which no score is above 0 does not draw. A pair of weight 0 is never drawn.
func (s *Scorer) drawFrom(rank []int32, mask uint64, d *Decision) (won uint64) {
	e := s.e
	clear(s.greatest[:s.count]) // here, the greatest score
	for _, index := range rank {
		a := &e.Actions[index]
		for k := range e.elements(a) {
			w := &s.weights[int(a.pairs)+k]
			m := mask
			if a.List >= 0 {
				m = s.targets(a.List, k, m)
			}
			if m = d.open(a.pairs+int32(k), m); m != 0 {
				m = s.score(a, k, m)
			}
			if m != 0 {
				m &^= lane.FloatLess(&s.sum, e.Minimum)
			}
			// A pair that cannot be chosen has the weight -1, because Softmax can draw a score of 0.
			lane.Select(w, &s.sum, s.count, m, -1)
			lane.Raise(&s.greatest, w, s.count)
		}
	}
	won = mask &^ lane.FloatLessEqual(&s.greatest, 0)
	if won == 0 {
		return 0
	}
	for _, index := range rank {
		a := &e.Actions[index]
		for k := range e.elements(a) {
			w := &s.weights[int(a.pairs)+k]
			if e.Mode == Softmax {
				lane.SoftmaxWeights(w, &s.greatest, s.count, e.Temperature)
			} else {
				lane.Raise(w, &zeros, s.count)
			}
		}
	}
	for m := won; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		if e.Mode == TopN && e.Best < int(e.pairs) {
			s.keepBest(rank, i)
		}
		s.chosen[i] = s.roll(rank, i, random.Unit(d.Draws[i]))
	}
	return won
}

var zeros [64]float32

// roll returns the pair that a number in [0, 1) selects, by the weights of a lane.
func (s *Scorer) roll(rank []int32, i int, unit float32) (pair uint32) {
	sum := float64(0) // a float32 cannot hold the sum of large scores
	for _, index := range rank {
		a := &s.e.Actions[index]
		for k := range s.e.elements(a) {
			sum += float64(s.weights[int(a.pairs)+k][i])
		}
	}
	left := float64(float64(unit) * sum)
	for _, index := range rank {
		a := &s.e.Actions[index]
		for k := range s.e.elements(a) {
			w := s.weights[int(a.pairs)+k][i]
			if w == 0 {
				continue
			}
			pair = uint32(index)*blackboard.MaxListed + uint32(k)
			if left -= float64(w); left < 0 {
				return pair
			}
		}
	}
	return pair // a remainder of rounding goes to the last
}

// keepBest clears all weights of a lane except those of the best pairs; of equals the first are better.
func (s *Scorer) keepBest(rank []int32, i int) {
	kept := [MaxActions * blackboard.MaxListed / 64]uint64{}
	for range s.e.Best {
		best, at := float32(0), -1
		for _, index := range rank {
			a := &s.e.Actions[index]
			for p := int(a.pairs); p < int(a.pairs)+s.e.elements(a); p++ {
				if w := s.weights[p][i]; w > best && kept[p/64]>>(p%64)&1 == 0 {
					best, at = w, p
				}
			}
		}
		if at < 0 {
			return // fewer pairs score above 0
		}
		kept[at/64] |= 1 << (at % 64)
	}
	for _, index := range rank {
		a := &s.e.Actions[index]
		for p := int(a.pairs); p < int(a.pairs)+s.e.elements(a); p++ {
			if kept[p/64]>>(p%64)&1 == 0 {
				s.weights[p][i] = 0
			}
		}
	}
}
