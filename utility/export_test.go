package utility

// NormaliseOne is what a consideration with a range makes of a number.
func NormaliseOne(x, a, b float32) float32 {
	t := term{ranged: true, a: a, span: b - a}
	l := [64]float32{x}
	t.normalise(&l, &l, 1)
	return l[0]
}

// SetWhole makes the scorer drop nothing early.
func (s *Scorer) SetWhole(on bool) { s.whole = on }
