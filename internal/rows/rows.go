// Package rows holds the kernels over rows: structs that follow one another at a stride. Their fields are read as words
// of 4 bytes into lanes of 64, one per agent of a block. The functions write to their destination only, allocate
// nothing and may be called from any goroutine.
package rows

import (
	"unsafe"

	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/cpu"
)

// Lane is one word of up to 64 rows.
type Lane = [64]uint32

// Window is the number of words that [Words] reads of a row.
const Window = 4

// Words sets out[k][i] to word k of row i, for the first n rows from p on; row i begins stride·i bytes after p.
//
// It reports whether none of the words are the bits of a float that is infinite or not a number.
//
// The four words of all n rows must be readable memory.
func Words(out *[Window]Lane, p unsafe.Pointer, stride uintptr, n int) (finite bool) {
	done := 0
	odd := uint64(0)
	switch cpu.Level {
	case cpu.AVX512:
		if done = n &^ 15; done > 0 {
			odd = wordsAVX512(out, (*uint32)(p), stride, done)
		}
	case cpu.AVX2:
		if done = n &^ 7; done > 0 {
			odd = wordsAVX2(out, (*uint32)(p), stride, done)
		}
	}
	for i := done; i < n; i++ {
		// Within the n rows, as the caller guarantees.
		row := (*[Window]uint32)(unsafe.Add(p, uintptr(i)*stride))
		for k, w := range row {
			out[k][i] = w
			odd |= bitmask.Of(w&exponent == exponent)
		}
	}
	return odd == 0
}

// Differ sets bit i where l[i] and c differ in a bit of b.
func Differ(l *Lane, c, b uint32) (m uint64) {
	switch cpu.Level {
	case cpu.AVX512:
		return differAVX512(l, c, b)
	case cpu.AVX2:
		return differAVX2(l, c, b)
	}
	for i := 63; i >= 0; i-- {
		m = m<<1 + bitmask.Of((l[i]^c)&b != 0)
	}
	return m
}

// NotFinite sets bit i where l[i] are the bits of a float that is infinite or not a number.
func NotFinite(l *Lane) (m uint64) { return ^Differ(l, exponent, exponent) }

// exponent is the bits of a float32's exponent. All of them are set if the number is not finite.
const exponent = 0x7f800000

// IntLess sets bit i where l[i], as an int32, is less than c.
func IntLess(l *Lane, c int32) (m uint64) {
	switch cpu.Level {
	case cpu.AVX512:
		return intLessAVX512(l, c)
	case cpu.AVX2:
		return intLessAVX2(l, c)
	}
	for i := 63; i >= 0; i-- {
		m = m<<1 + bitmask.Of(int32(l[i]) < c)
	}
	return m
}

// LongLess sets bit i where high[i] and low[i], the halves of an int64, are less than c.
func LongLess(low, high *Lane, c int64) (m uint64) {
	switch cpu.Level {
	case cpu.AVX512:
		return longLessAVX512(low, high, uint32(c), int32(c>>32))
	case cpu.AVX2:
		return longLessAVX2(low, high, uint32(c), int32(c>>32))
	}
	for i := 63; i >= 0; i-- {
		m = m<<1 + bitmask.Of(int64(uint64(high[i])<<32|uint64(low[i])) < c)
	}
	return m
}
