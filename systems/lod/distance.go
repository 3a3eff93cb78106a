package lod

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
)

// Distances are compared as the bits of their squares: integers compare without a branch, and the bits of floats that
// are not negative have the order of the floats.

// infinityBits are the bits of +Inf.
const infinityBits = 0x7f800000

// distance2Bits returns the bits of a squared distance. A position that is not a number is infinitely far away.
func distance2Bits(a, b components.Vec2) int64 {
	dx, dy := a.X-b.X, a.Y-b.Y
	return min(int64(math.Float32bits(float32(dx*dx)+float32(dy*dy))), infinityBits)
}

// lessBit is 1 when x < y, else 0.
func lessBit(x, y int64) int { return int(uint64(x-y) >> 63) }

// distance2 returns the bits of an agent's squared distance to its nearest observer, 0 without observers.
func (c *cadence) distance2(k, i int) int64 {
	var d [1]int64
	if transforms := c.chunks[k].Transforms; transforms != nil {
		nearestDistances2(d[:], transforms[i:], c.observers)
	}
	return d[0]
}

// nearestDistances2 writes the bits of the squared distances from agents to their nearest observers.
func nearestDistances2(block []int64, transforms []components.Transform, observers []components.Vec2) {
	transforms = transforms[:len(block)]
	for n, o := range observers {
		if n == 0 {
			for i := range block {
				block[i] = distance2Bits(transforms[i].Position, o)
			}
			continue
		}
		for i := range block {
			block[i] = min(block[i], distance2Bits(transforms[i].Position, o))
		}
	}
	if len(observers) == 0 {
		clear(block)
	}
}
