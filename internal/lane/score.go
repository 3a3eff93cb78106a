package lane

import (
	"math"
	"math/bits"
)

// The kernels that combine the outputs of considerations. All lanes hold numbers of 0..1, but for scores, which are
// weighted.

// Multiply sets acc[i] = acc[i] · s[i] for the first n lanes.
func Multiply(acc, s *[64]float32, n int) {
	a, x := acc[:n], s[:n]
	for i := range a {
		a[i] *= x[i]
	}
}

// Product sets out[i] = a[i] · b[i].
func Product(out, a, b *[64]float32, n int) {
	o, x, y := out[:n], a[:n], b[:n]
	for i := range o {
		o[i] = x[i] * y[i]
	}
}

// MultiplyCompensated multiplies acc by s compensated: s + (1-s)·makeUp·s.
func MultiplyCompensated(acc, s *[64]float32, n int, makeUp float32) {
	a, x := acc[:n], s[:n]
	for i := range a {
		a[i] *= compensate(x[i], makeUp)
	}
}

// compensate returns a number of 0..1 for such numbers: it is at most p·(2-p), rounded, and that is at most 1.
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

// Compensate sets acc[i] to weight times the compensated product acc[i].
func Compensate(acc *[64]float32, n int, makeUp, weight float32) {
	a := acc[:n]
	for i := range a {
		a[i] = weight * compensate(a[i], makeUp)
	}
}

// CompensateProduct sets acc[i] to weight times the compensated product of a[i] and b[i]: [Product] and [Compensate] in
// one pass.
func CompensateProduct(acc, a, b *[64]float32, n int, makeUp, weight float32) {
	o, x, y := acc[:n], a[:n], b[:n]
	for i := range o {
		o[i] = weight * compensate(float32(x[i]*y[i]), makeUp)
	}
}

// Weigh sets acc[i] to weight times acc[i], clamped to 0..1.
func Weigh(acc *[64]float32, n int, weight float32) {
	a := acc[:n]
	for i := range a {
		a[i] = weight * clamp(a[i])
	}
}

// Mean sets acc[i] to weight times acc[i]/sum, clamped to 0..1; sum is above 0. Where both are infinite it is 0.
func Mean(acc *[64]float32, n int, sum, weight float32) {
	a := acc[:n]
	for i := range a {
		y := a[i] / sum
		if math.Float32bits(y) > oneBits {
			y = outside(y, 0)
		}
		a[i] = weight * y
	}
}

// Root sets acc[i] to weight times acc[i] to a power, clamped to 0..1.
func Root(acc *[64]float32, n int, power, weight float32) {
	pow(acc, n, power)
	Weigh(acc, n, weight)
}

// Better puts an action's score and index into those lanes of mask in which it is better than the best so far. A lane
// of best holds the bits of a score in its upper half and the complement of an index in the lower, or 0: since scores
// are not negative, they compare like such numbers, and of equal scores the lower index is the better. One of 0 means
// that there is none yet. A score counts if it is above 0 and at least minimum; in the lanes of favoured it is raised
// by bonus then, in place. Scores that do not count may be left 0.
func Better(best *[64]int64, score *[64]float32, n int, mask, favoured uint64, bonus, minimum float32, index uint32) {
	b, s := best[:n], score[:n]
	if minimum > 0 {
		for i := range s {
			if s[i] < minimum {
				s[i] = 0
			}
		}
	}
	for m := mask & favoured; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m) & 63; score[i] > 0 {
			score[i] += bonus
		}
	}
	low := int64(^index)
	on := int64(mask << (64 - uint(n))) // the sign is that of the lane
	for i := n - 1; i >= 0; i-- {
		b[i] = max((int64(math.Float32bits(s[i]))<<32|low)&(on>>63), b[i])
		on <<= 1
	}
}

// UpTo returns the greatest lane of best, as [Better] leaves it, with a score of at most c, which is not negative.
func UpTo(c float32) int64 { return int64(math.Float32bits(c))<<32 | (1<<32 - 1) }

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
