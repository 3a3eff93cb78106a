package town

import (
	"cmp"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
)

// ZOrder returns the numbers 0…n-1 sorted by position along a Z-order curve, so that neighbours in the result are close
// to each other on the map. The function at returns the position of a number, in metres. Numbers in the same square
// metre keep their order.
//
// Agents that are spawned in this order are near their neighbours in storage too. So systems that read an agent's
// surroundings find them in the cache, as long as agents stay near their first positions.
func ZOrder(n int, at func(i int) components.Vec2) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(zCode(at(int(a))), zCode(at(int(b)))) })
	return order
}

// zCode interleaves the bits of a point's coordinates, in whole metres. Negative coordinates count as 0.
func zCode(p components.Vec2) uint64 {
	return spread(uint32(max(p.X, 0))) | spread(uint32(max(p.Y, 0)))<<1
}

// spread puts a zero bit between each two bits of v.
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
