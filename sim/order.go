package sim

import (
	"cmp"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
)

// zOrder returns 0…n-1 sorted by where at says each one is, along a Z-order curve, so that those that follow each other
// lie near each other. Agents that are made in this order stand in storage as they stand on the ground, as long as they
// stay about where they began, and whoever works through them finds their surroundings in the cache.
func zOrder(n int, at func(i int) components.Vec2) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(zCode(at(int(a))), zCode(at(int(b)))) })
	return order
}

// zCode interleaves the bits of a point's coordinates, in metres.
func zCode(p components.Vec2) uint64 {
	return spread(uint32(max(p.X, 0))) | spread(uint32(max(p.Y, 0)))<<1
}

// spread puts a zero before each bit.
func spread(v uint32) uint64 {
	x := uint64(v)
	for _, s := range []struct{ by, mask uint64 }{
		{16, 0x0000ffff0000ffff}, {8, 0x00ff00ff00ff00ff}, {4, 0x0f0f0f0f0f0f0f0f},
		{2, 0x3333333333333333}, {1, 0x5555555555555555},
	} {
		x = (x | x<<s.by) & s.mask
	}
	return x
}
