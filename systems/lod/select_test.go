package lod

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Selection against sorting, with every number of pivots before it turns to sorting itself.
func TestSelectionPutsTheFirstInFront(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		n := r.IntN(80)
		candidates := make([]contender, n)
		for i := range candidates {
			candidates[i] = contender{key: uint64(r.IntN(10)), index: uint32(i), row: r.Uint32()}
		}
		if r.IntN(2) == 0 {
			r.Shuffle(n, func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
		}
		want := slices.Clone(candidates)
		slices.SortFunc(want, contender.compare)
		first := r.IntN(n + 2)
		if r.IntN(2) == 0 {
			selectFirst(candidates, first)
		} else {
			selectWithin(candidates, first, r.IntN(8))
		}
		first = min(first, n)
		require.ElementsMatch(t, want[:first], candidates[:first])
		require.ElementsMatch(t, want[first:], candidates[first:])
	}
}
