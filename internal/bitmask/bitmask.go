// Package bitmask has the helpers for masks of 64 lanes: bit i of a mask belongs to lane i.
package bitmask

import "math/bits"

// Of returns 1 for true and 0 for false; the compiler makes it a single instruction.
func Of(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Lowest returns the lowest lane of a mask that is not 0. The compiler sees that the result is in 0..63, so that an
// index into an array of 64 needs no check.
func Lowest(mask uint64) int { return bits.TrailingZeros64(mask) & 63 }

// Count returns the number of lanes in a mask.
func Count(mask uint64) int { return bits.OnesCount64(mask) }

// Floats sets the lanes of a mask to 1 where a bit of set is 1, and to 0 elsewhere.
func Floats(lane *[64]float32, mask, set uint64) {
	for m := mask; m != 0; m &= m - 1 {
		i := Lowest(m)
		lane[i] = float32(set >> i & 1)
	}
}
