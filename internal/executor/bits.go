package executor

import "math/bits"

// bit returns 1 for true and 0 for false.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// lowest returns the index of the lowest set bit of a mask that is not 0.
func lowest(mask uint64) int { return bits.TrailingZeros64(mask) }

// popcount returns the number of set bits.
func popcount(m uint64) int { return bits.OnesCount64(m) }
