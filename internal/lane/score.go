package lane

import "math"

// The kernels that combine the outputs of considerations. All lanes hold numbers of 0..1, but for scores, which are
// weighted.

// Multiply sets acc[i] = acc[i] · s[i] for the first n lanes.
func Multiply(acc, s *[64]float32, n int) {
	a, x := acc[:n], s[:n]
	for i := range a {
		a[i] *= x[i]
	}
}

// MultiplyCompensated multiplies acc by s compensated: s + (1-s)·makeUp·s.
func MultiplyCompensated(acc, s *[64]float32, n int, makeUp float32) {
	a, x := acc[:n], s[:n]
	for i := range a {
		a[i] *= compensate(x[i], makeUp)
	}
}

func compensate(p, makeUp float32) float32 { return p + float32(float32((1-p)*makeUp)*p) }

// AddWeighted sets acc[i] = acc[i] + w·s[i].
func AddWeighted(acc, s *[64]float32, n int, w float32) {
	a, x := acc[:n], s[:n]
	for i := range a {
		a[i] += float32(w * x[i])
	}
}

// Lower sets acc[i] to the lesser of acc[i] and s[i].
func Lower(acc, s *[64]float32, n int) {
	a, x := acc[:n], s[:n]
	for i := range a {
		a[i] = min(a[i], x[i])
	}
}

// Raise sets acc[i] to the greater of acc[i] and s[i].
func Raise(acc, s *[64]float32, n int) {
	a, x := acc[:n], s[:n]
	for i := range a {
		a[i] = max(a[i], x[i])
	}
}

// Compensate sets acc[i] to weight times the compensated product acc[i], clamped to 0..1.
func Compensate(acc *[64]float32, n int, makeUp, weight float32) {
	a := acc[:n]
	for i := range a {
		a[i] = weight * clamp(compensate(a[i], makeUp))
	}
}

// Weigh sets acc[i] to weight times acc[i], clamped to 0..1.
func Weigh(acc *[64]float32, n int, weight float32) {
	a := acc[:n]
	for i := range a {
		a[i] = weight * clamp(a[i])
	}
}

// Mean sets acc[i] to weight times acc[i]/sum, clamped to 0..1; sum is above 0.
func Mean(acc *[64]float32, n int, sum, weight float32) {
	a := acc[:n]
	for i := range a {
		a[i] = weight * clamp(a[i]/sum)
	}
}

// Root sets acc[i] to weight times acc[i] to a power, clamped to 0..1.
func Root(acc *[64]float32, n int, power, weight float32) {
	pow(acc, n, power)
	Weigh(acc, n, weight)
}

// Better puts index into those lanes of mask in which a score is better than the best so far, and the score into best. A
// score counts if it is above 0 and at least minimum; in the lanes of favoured it is raised by bonus then. Of equals the
// lower index wins. Where best is 0 there is none yet.
func Better(best *[64]float32, chosen *[64]uint32, score *[64]float32, n int, mask, favoured uint64, bonus, minimum float32, index uint32) {
	b, c, s := best[:n], chosen[:n], score[:n]
	raise := math.Float32bits(bonus)
	for i := range b {
		on := -uint32(mask >> (i & 63) & 1 & bit(s[i] >= minimum) & bit(s[i] > 0))
		v := s[i] + math.Float32frombits(raise&-uint32(favoured>>(i&63)&1))
		// Numbers that are not negative compare like their bits; below them stands the index, the lower the greater.
		rank := max(uint64(math.Float32bits(v)&on)<<32|uint64(^index), uint64(math.Float32bits(b[i]))<<32|uint64(^c[i]))
		b[i], c[i] = math.Float32frombits(uint32(rank>>32)), ^uint32(rank)
	}
}

// Select sets out[i] to s[i] where the mask has the lane, else to other, for the first n lanes.
func Select(out, s *[64]float32, n int, mask uint64, other float32) {
	o, x := out[:n], s[:n]
	for i := range o {
		on := -uint32(mask >> (i & 63) & 1)
		o[i] = math.Float32frombits(math.Float32bits(x[i])&on | math.Float32bits(other)&^on)
	}
}

// SoftmaxWeights replaces scores by e^((score - greatest)/temperature), and those below 0 by 0.
func SoftmaxWeights(score, greatest *[64]float32, n int, temperature float32) {
	var none [64]float32
	s, g, o := score[:n], greatest[:n], none[:n]
	for i := range s {
		o[i] = float32(bit(s[i] >= 0))
		s[i] = (s[i] - g[i]) / temperature
	}
	exp(score, n)
	for i := range s {
		s[i] *= o[i]
	}
}
