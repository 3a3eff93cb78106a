package utility

import (
	"math/bits"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/lane"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// drawFrom draws from the actions of one rank for the lanes of a mask and returns those that have drawn: where nothing
// scores above 0 there is nothing to draw. A weight of 0 is never drawn.
func (s *Scorer) drawFrom(group []int32, mask uint64, d *Decision) (won uint64) {
	e := s.e
	clear(s.greatest[:s.count]) // here, the greatest score
	for _, index := range group {
		a := &e.actions[index]
		for k := range e.elements(a) {
			w := &s.weights[int(a.pairs)+k]
			m := mask
			if a.list >= 0 {
				m = s.targets(a.list, k, m)
			}
			if m != 0 {
				m = s.score(a, k, m)
			}
			if m != 0 {
				m &^= lane.FloatLess(&s.sum, e.minimum)
			}
			// A score of nothing is not one of 0, which softmax can draw.
			lane.Select(w, &s.sum, s.count, m, -1)
			lane.Raise(&s.greatest, w, s.count)
		}
	}
	won = mask &^ lane.FloatLessEqual(&s.greatest, 0)
	if won == 0 {
		return 0
	}
	for _, index := range group {
		a := &e.actions[index]
		for k := range e.elements(a) {
			w := &s.weights[int(a.pairs)+k]
			if e.mode == softmax {
				lane.SoftmaxWeights(w, &s.greatest, s.count, e.temperature)
			} else {
				lane.Raise(w, &zeros, s.count)
			}
		}
	}
	for m := won; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & 63
		if e.mode == topN && e.best < int(e.pairs) {
			s.keepBest(group, i)
		}
		s.chosen[i] = s.roll(group, i, random.Unit(d.Draws[i]))
	}
	return won
}

var zeros [64]float32

// roll returns the pair that a draw of [0, 1) falls on, by the weights of a lane.
func (s *Scorer) roll(group []int32, i int, unit float32) (pair uint32) {
	sum := float64(0) // that of large scores is no float32
	for _, index := range group {
		a := &s.e.actions[index]
		for k := range s.e.elements(a) {
			sum += float64(s.weights[int(a.pairs)+k][i])
		}
	}
	left := float64(float64(unit) * sum)
	for _, index := range group {
		a := &s.e.actions[index]
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
	return pair // rounding has left something: it falls to the last
}

// keepBest leaves the weights of the best pairs of a lane and clears the others; of equals the first are the better.
func (s *Scorer) keepBest(group []int32, i int) {
	kept := [MaxActions * blackboard.MaxListed / 64]uint64{}
	for range s.e.best {
		best, at := float32(0), -1
		for _, index := range group {
			a := &s.e.actions[index]
			for p := int(a.pairs); p < int(a.pairs)+s.e.elements(a); p++ {
				if w := s.weights[p][i]; w > best && kept[p/64]>>(p%64)&1 == 0 {
					best, at = w, p
				}
			}
		}
		if at < 0 {
			return // fewer than n score above 0
		}
		kept[at/64] |= 1 << (at % 64)
	}
	for _, index := range group {
		a := &s.e.actions[index]
		for p := int(a.pairs); p < int(a.pairs)+s.e.elements(a); p++ {
			if kept[p/64]>>(p%64)&1 == 0 {
				s.weights[p][i] = 0
			}
		}
	}
}
