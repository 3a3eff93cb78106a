package sim

import "math/bits"

// histogram counts durations, in nanoseconds. Each octave has 64 buckets of equal width, so the error of a quantile is
// at most 1.6 %.
type histogram struct {
	counts [58 * 64]int64
	total  int64
	max    int64
}

// bucket returns the bucket of v: values below 64 have one each, each octave above has 64.
func bucket(v int64) int {
	if v < 64 {
		return int(max(v, 0))
	}
	octave := bits.Len64(uint64(v)) - 7
	return (octave+1)*64 + int(v>>octave) - 64
}

// lower returns the least value of a bucket.
func lower(b int) int64 {
	if b < 64 {
		return int64(b)
	}
	octave := b/64 - 1
	return int64(b%64+64) << octave
}

func (h *histogram) add(v int64) {
	h.counts[bucket(v)]++
	h.total++
	h.max = max(h.max, v)
}

// quantile returns the value that a share q of the values do not exceed, to the width of its bucket.
func (h *histogram) quantile(q float64) int64 {
	if h.total == 0 {
		return 0
	}
	rank := int64(q*float64(h.total-1)) + 1
	for b, n := range h.counts {
		if rank -= n; rank <= 0 {
			return min(lower(b+1)-1, h.max)
		}
	}
	return h.max
}
