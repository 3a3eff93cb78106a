package space_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestMapIsAWallOutside(t *testing.T) {
	m := space.NewMap(3, 2)
	for _, at := range [][2]int{{-1, 0}, {0, -1}, {3, 0}, {0, 2}, {math.MaxInt, 0}, {0, math.MinInt}} {
		assert.False(t, m.Passable(at[0], at[1]), "%v", at)
		assert.True(t, m.Opaque(at[0], at[1]), "%v", at)
	}
	assert.True(t, m.Passable(2, 1))
}

func TestMapSetChangesATile(t *testing.T) {
	m := space.NewMap(130, 3)
	for _, c := range []struct {
		tile             space.Tile
		passable, opaque bool
	}{{space.Wall, false, true}, {space.Water, false, false}, {space.Ground, true, false}} {
		m.Set(64, 1, c.tile)
		assert.Equal(t, c.passable, m.Passable(64, 1))
		assert.Equal(t, c.opaque, m.Opaque(64, 1))
		assert.True(t, m.Passable(63, 1))
		assert.True(t, m.Passable(65, 1))
		assert.True(t, m.Passable(64, 0))
	}
	assert.PanicsWithValue(t, "space: tile (130, 0) is outside the map of 130 x 3",
		func() { m.Set(130, 0, space.Wall) })
}

func TestFillSetsARectangleAndCountsTheTilesThatClosed(t *testing.T) {
	m := space.NewMap(130, 3)
	assert.Equal(t, 140, m.Fill(60, 0, 70, 2, space.Wall))
	assert.Equal(t, 0, m.Fill(60, 0, 70, 2, space.Water), "closed already")
	assert.Equal(t, -70, m.Fill(60, 1, 70, 1, space.Ground))
	assert.False(t, m.Passable(129, 0))
	assert.True(t, m.Passable(59, 0) && m.Passable(129, 1) && m.Passable(60, 2))
	assert.PanicsWithValue(t, "space: a rectangle of 2 x 1 tiles at (129, 0) is not on the map of 130 x 3",
		func() { m.Fill(129, 0, 2, 1, space.Wall) })
}

func TestNewMapRefusesSidesOutOfRange(t *testing.T) {
	for _, side := range []int{0, -1, space.MaxMapSide + 1} {
		assert.PanicsWithValue(t, fmt.Sprintf("space: a map of %d x 5 tiles; want 1 to 16384 each way", side),
			func() { space.NewMap(side, 5) })
		assert.PanicsWithValue(t, fmt.Sprintf("space: a map of 5 x %d tiles; want 1 to 16384 each way", side),
			func() { space.NewMap(5, side) })
	}
}

func TestRandomPointStandsOnGroundAndReachesAllOfIt(t *testing.T) {
	m := testworld.ParsedMap(t, testworld.MapText("@@@@@@@@", "@.@@W@.@", "@@@@@@@@"))
	visits := map[[2]int]int{}
	for i := range uint64(1000) {
		at, ok := m.RandomPoint(random.Mix(1, i), 0)
		require.True(t, ok)
		visits[[2]int{int(at.X), int(at.Y)}]++
	}
	assert.Len(t, visits, 2)
	assert.InDelta(t, 500, visits[[2]int{1, 1}], 80) // 5 standard deviations
	assert.InDelta(t, 500, visits[[2]int{6, 1}], 80)
}

func TestRandomPointKeepsTheClearanceAndIsSpreadOverWhatItLeaves(t *testing.T) {
	m := testworld.MapOf(
		"@@@@@",
		"@..@@",
		"@..@@",
		"@.@.@",
		"@@@@@",
	)
	for _, clearance := range []float32{0, space.Clearance(0), 0.3, space.MaxClearance, 7} {
		visits := map[[2]int]int{}
		left := 0
		for i := range uint64(6000) {
			at, ok := m.RandomPoint(random.Mix(1, i), clearance)
			require.True(t, ok)
			require.GreaterOrEqual(t, testworld.WallDistance(m, at), float64(min(clearance, space.MaxClearance))-3e-4)
			visits[[2]int{int(at.X), int(at.Y)}]++
			if int(at.X) == 1 && int(at.Y) == 1 && at.X-1 < (1+min(clearance, space.MaxClearance))/2 {
				left++ // of the middle of what the wall in the west leaves of the tile
			}
		}
		require.Len(t, visits, 6)
		for _, n := range visits {
			assert.InDelta(t, 1000, n, 150) // 5 standard deviations
		}
		assert.InDelta(t, 0.5, float64(left)/float64(visits[[2]int{1, 1}]), 0.08)
	}
}

func TestRandomPointIsAFunctionOfItsDraw(t *testing.T) {
	m := town.Generate(100, 100, 3)
	first, _ := m.RandomPoint(7, 0)
	again, _ := m.RandomPoint(7, 0)
	other, _ := m.RandomPoint(8, 0)
	assert.Equal(t, first, again)
	assert.NotEqual(t, first, other)
}

func TestRandomPointFindsTheOnlyTileAndReportsNone(t *testing.T) {
	m := space.NewMap(300, 300)
	for y := range 300 {
		for x := range 300 {
			m.Set(x, y, space.Wall)
		}
	}
	_, ok := m.RandomPoint(1, 0)
	assert.False(t, ok)
	m.Set(123, 45, space.Ground)
	for draw := range uint64(20) {
		at, ok := m.RandomPoint(draw, 0)
		require.True(t, ok)
		assert.Equal(t, [2]int{123, 45}, [2]int{int(at.X), int(at.Y)})
	}
}

func TestRandomPointOnTheFarCornerOfTheLargestMapStaysOnIt(t *testing.T) {
	m := space.NewMap(space.MaxMapSide, 1)
	m.Set(space.MaxMapSide-1, 0, space.Ground)
	for draw := range uint64(1000) {
		at, _ := m.RandomPoint(draw, 0)
		require.True(t, m.Passable(int(at.X), int(at.Y)), "%v", at)
		require.Less(t, at.X, float32(space.MaxMapSide))
	}
}
