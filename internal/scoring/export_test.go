package scoring

import "github.com/flockwork-ai/flockwork/internal/bitmask"

// NormaliseOne is what a consideration with a range makes of a number.
func NormaliseOne(x, a, b float32) float32 {
	t := Term{Ranged: true, A: a, Span: b - a}
	l := [64]float32{x}
	t.normalise(&l, &l, 1)
	return l[0]
}

// SetExhaustive makes the scorer drop nothing early.
func (s *Scorer) SetExhaustive(on bool) { s.exhaustive = on }

// Evaluated returns how many terms have been evaluated for the last block, each agent's counted by itself.
func (s *Scorer) Evaluated() (n int) {
	for _, lanes := range s.known {
		n += bitmask.Count(lanes & s.host.Mask)
	}
	return n
}
