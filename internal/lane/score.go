package lane

import (
	"math"

	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/elementary"
)

// The kernels that combine the outputs of considerations. All lanes hold numbers in 0..1, except scores, which are
// weighted.

// Multiply sets acc[i] = acc[i] · s[i] for the first n lanes.
func Multiply(acc, s *[64]float32, n int) {
	switch a, x := acc[:n], s[:n]; cpu.Level {
	case cpu.AVX512, cpu.AVX2:
		multiplyAVX2(acc, s, n)
	default:
		for i := range a {
			a[i] *= x[i]
		}
	}
}

// Product sets out[i] = a[i] · b[i].
func Product(out, a, b *[64]float32, n int) {
	switch o, x, y := out[:n], a[:n], b[:n]; cpu.Level {
	case cpu.AVX512, cpu.AVX2:
		productAVX2(out, a, b, n)
	default:
		for i := range o {
			o[i] = x[i] * y[i]
		}
	}
}

// MultiplyCompensated multiplies acc[i] by s[i] + (1-s[i])·compensation·s[i].
func MultiplyCompensated(acc, s *[64]float32, n int, compensation float32) {
	switch a, x := acc[:n], s[:n]; cpu.Level {
	case cpu.AVX512, cpu.AVX2:
		multiplyCompensatedAVX2(acc, s, n, compensation)
	default:
		for i := range a {
			a[i] *= compensate(x[i], compensation)
		}
	}
}

func compensate(p, compensation float32) float32 { return p + float32(float32((1-p)*compensation)*p) }

// AddWeighted sets acc[i] = acc[i] + w·s[i].
func AddWeighted(acc, s *[64]float32, n int, w float32) {
	switch a, x := acc[:n], s[:n]; cpu.Level {
	case cpu.AVX512, cpu.AVX2:
		addWeightedAVX2(acc, s, n, w)
	default:
		for i := range a {
			a[i] += float32(w * x[i])
		}
	}
}

// Lower sets acc[i] to the lesser of acc[i] and s[i].
func Lower(acc, s *[64]float32, n int) {
	switch a, x := acc[:n], s[:n]; cpu.Level {
	case cpu.AVX512, cpu.AVX2:
		lowerAVX2(acc, s, n)
	default:
		for i := range a {
			a[i] = min(a[i], x[i])
		}
	}
}

// Raise sets acc[i] to the greater of acc[i] and s[i].
func Raise(acc, s *[64]float32, n int) {
	switch a, x := acc[:n], s[:n]; cpu.Level {
	case cpu.AVX512, cpu.AVX2:
		raiseAVX2(acc, s, n)
	default:
		for i := range a {
			a[i] = max(a[i], x[i])
		}
	}
}

// Compensate sets acc[i] to weight times the compensated product acc[i], clamped to 0..1.
func Compensate(acc *[64]float32, n int, compensation, weight float32) {
	switch a := acc[:n]; cpu.Level {
	case cpu.AVX512, cpu.AVX2:
		compensateAVX2(acc, n, compensation, weight)
	default:
		for i := range a {
			a[i] = weight * clamp(compensate(a[i], compensation))
		}
	}
}

// CompensateProduct sets acc[i] to weight times the compensated product of a[i] and b[i], clamped to 0..1: [Multiply]
// and [Compensate] in one pass.
func CompensateProduct(acc, a, b *[64]float32, n int, compensation, weight float32) {
	switch o, x, y := acc[:n], a[:n], b[:n]; cpu.Level {
	case cpu.AVX512:
		compensateProductAVX512(acc, a, b, n, compensation, weight)
	case cpu.AVX2:
		compensateProductAVX2(acc, a, b, n, compensation, weight)
	default:
		for i := range o {
			o[i] = weight * clamp(compensate(float32(x[i]*y[i]), compensation))
		}
	}
}

// Weigh sets acc[i] to weight times acc[i], clamped to 0..1.
func Weigh(acc *[64]float32, n int, weight float32) {
	switch a := acc[:n]; cpu.Level {
	case cpu.AVX512, cpu.AVX2:
		weighAVX2(acc, n, weight)
	default:
		for i := range a {
			a[i] = weight * clamp(a[i])
		}
	}
}

// Mean sets acc[i] to weight times acc[i]/sum, clamped to 0..1; sum is above 0.
func Mean(acc *[64]float32, n int, sum, weight float32) {
	switch a := acc[:n]; cpu.Level {
	case cpu.AVX512, cpu.AVX2:
		meanAVX2(acc, n, sum, weight)
	default:
		for i := range a {
			a[i] = weight * clamp(a[i]/sum)
		}
	}
}

// Root sets acc[i] to weight times acc[i] to a power, clamped to 0..1.
func Root(acc *[64]float32, n int, power, weight float32) {
	elementary.PowLanes(acc, acc, n, power)
	Weigh(acc, n, weight)
}

// Better stores the score and index of an action in those lanes of mask in which it is better than the best so far. A
// lane of best holds the bits of a score in its upper half and the complement of an index in the lower; it is 0 if
// there is none yet. Scores are not negative, so these integers compare as the scores do, and of equal scores the lower
// index is better. A score counts if it is above 0 and at least minimum; bonus, a number of 0 or more, is then added in
// the lanes of favoured. score has no meaning afterwards; best is unchanged in all other lanes.
func Better(best *[64]uint64, score *[64]float32, n int, mask, favoured uint64, bonus, minimum float32, index uint32) {
	b, s := best[:n], score[:n]
	mask &= 1<<n - 1
	least := max(math.Float32bits(minimum+0), 1) // the addition turns -0 into 0
	switch cpu.Level {
	case cpu.AVX512:
		betterAVX512(best, score, n, mask, favoured, bonus, least, ^index)
		return
	case cpu.AVX2:
		betterAVX2(best, score, n, mask, favoured, bonus, least, ^index)
		return
	}
	counting := infBits - least
	for m := mask & favoured; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		if math.Float32bits(score[i])-least <= counting {
			score[i] += bonus
		}
	}
	low := uint64(^index)
	if mask == ^uint64(0) {
		for i := range b {
			v := math.Float32bits(s[i])
			if v-least > counting {
				v = 0
			}
			b[i] = max(uint64(v)<<32|low, b[i])
		}
		return
	}
	for i := range b {
		v := math.Float32bits(s[i])
		if v-least > counting {
			v = 0
		}
		b[i] = max((uint64(v)<<32|low)&-(mask&1), b[i])
		mask >>= 1
	}
}

// BetterProduct is [CompensateProduct] of a and b, [Better] with the result, and [BestAbove] with threshold for the
// first n lanes. score is scratch and has no meaning afterwards.
func BetterProduct(
	best *[64]uint64, score, a, b *[64]float32, n int, mask, favoured uint64,
	compensation, weight, bonus, minimum float32, index uint32, threshold float32,
) (above uint64) {
	_, _, _, _ = best[:n], score[:n], a[:n], b[:n]
	lanes := uint64(1)<<n - 1
	mask &= lanes
	least := max(math.Float32bits(minimum+0), 1)
	top := aboveTop(threshold)
	switch cpu.Level {
	case cpu.AVX512:
		return lanes & betterProductAVX512(best, a, b, n, mask, favoured, compensation, weight, bonus, least, ^index,
			top)
	case cpu.AVX2:
		return lanes & betterProductAVX2(best, a, b, n, mask, favoured, compensation, weight, bonus, least, ^index, top)
	}
	CompensateProduct(score, a, b, n, compensation, weight)
	Better(best, score, n, mask, favoured, bonus, minimum, index)
	return lanes & BestAbove(best, threshold)
}

// Indices sets out[i] to the lowest byte of the index of best[i], as [Better] left it, shifted right.
func Indices(out *[64]uint8, best *[64]uint64, shift uint) {
	switch cpu.Level {
	case cpu.AVX512:
		indicesAVX512(out, best, uint64(shift))
	case cpu.AVX2:
		indicesAVX2(out, best, uint64(shift))
	default:
		for i := range out {
			out[i] = uint8(^best[i] >> shift)
		}
	}
}

// infBits are the bits of infinity. The bits of a NaN, without the sign, are greater.
const infBits = 0x7f800000

// BestAbove sets bit i where the score of best[i], as [Better] left it, is above c, which is not negative.
func BestAbove(best *[64]uint64, c float32) (m uint64) {
	// All numbers here are below 2^63, so the sign of a difference is the result of the comparison.
	top := aboveTop(c)
	if cpu.Level != cpu.Go {
		return bestAboveAVX2(best, top)
	}
	for i := 60; i >= 0; i -= 4 {
		v := best[i : i+4 : i+4]
		m = m<<1 + (top-v[3])>>63
		m = m<<1 + (top-v[2])>>63
		m = m<<1 + (top-v[1])>>63
		m = m<<1 + (top-v[0])>>63
	}
	return m
}

// aboveTop returns the greatest element of best whose score is c.
func aboveTop(c float32) uint64 { return uint64(math.Float32bits(c+0))<<32 | (1<<32 - 1) }

// Select sets out[i] to s[i] for the lanes of mask, and to other elsewhere, for the first n lanes.
func Select(out, s *[64]float32, n int, mask uint64, other float32) {
	switch o, x := out[:n], s[:n]; cpu.Level {
	case cpu.AVX512, cpu.AVX2:
		selectAVX2(out, s, n, mask, other)
	default:
		for i := range o {
			on := -uint32(mask >> (i & 63) & 1)
			o[i] = math.Float32frombits(math.Float32bits(x[i])&on | math.Float32bits(other)&^on)
		}
	}
}

// SoftmaxWeights replaces scores by e^((score - greatest)/temperature), and scores that are not 0 or more by 0.
func SoftmaxWeights(score, greatest *[64]float32, n int, temperature float32) {
	switch s, g := score[:n], greatest[:n]; cpu.Level {
	case cpu.AVX512:
		softmaxWeightsAVX512(score, greatest, n, temperature)
	case cpu.AVX2:
		softmaxWeightsAVX2(score, greatest, n, temperature)
	default:
		for i := range s {
			w := elementary.Exp((s[i] - g[i]) / temperature)
			if !(s[i] >= 0) {
				w = 0
			}
			s[i] = w
		}
	}
}
