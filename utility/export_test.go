package utility

import "math/bits"

// NormaliseOne is what a consideration with a range makes of a number.
func NormaliseOne(x, a, b float32) float32 {
	t := term{ranged: true, a: a, span: b - a}
	l := [64]float32{x}
	t.normalise(&l, &l, 1)
	return l[0]
}

// SetWhole makes the scorer drop nothing early.
func (s *Scorer) SetWhole(on bool) { s.whole = on }

// Evaluated returns how many terms have been evaluated for the last block, each agent's counted by itself.
func (s *Scorer) Evaluated() (n int) {
	for _, lanes := range s.known {
		n += bits.OnesCount64(lanes & s.host.Mask)
	}
	return n
}

// Terms returns how many different considerations the evaluator computes, those of a target once for each place in its
// list.
func (e *Evaluator) Terms() int { return len(e.terms) }
