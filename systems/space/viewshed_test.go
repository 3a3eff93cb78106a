package space_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestAViewshedHidesNothingThatIsInSight(t *testing.T) {
	seen := 0
	var v space.Viewshed // what is left of the last viewer does no harm
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.Uint64().Draw(t, "key")
		var m *space.Map
		if rapid.Bool().Draw(t, "town") {
			m = town.Generate(130, 130, key)
		} else {
			m = space.NewMap(1+int(key%90), 1+int(key>>8%90))
			closed := uint32(key >> 16 % 40)
			for i := range uint64(m.Width * m.Height) {
				if random.Below(random.Mix(key, i), 100) < closed {
					m.Set(int(i)%m.Width, int(i)/m.Width, []space.Tile{space.Wall, space.Water}[i%2])
				}
			}
		}
		// Halves and quarters of tiles, so that lines pass through corners.
		point := func(draw uint64, around components.Vec2, spread uint32) components.Vec2 {
			return components.Vec2{
				X: around.X + float32(random.Below(random.Mix(draw, 1), 4*spread))/4 - float32(spread)/2,
				Y: around.Y + float32(random.Below(random.Mix(draw, 2), 4*spread))/4 - float32(spread)/2,
			}
		}
		middle := components.Vec2{X: float32(m.Width) / 2, Y: float32(m.Height) / 2}
		from := point(random.Mix(key, 1e6), middle, uint32(max(m.Width, m.Height)+2))
		v.Set(m, from)
		for i := range uint64(200) {
			at := point(random.Mix(key, 2e6+i), from, []uint32{8, 40, 90}[i%3])
			if m.Sees(from, at) {
				seen++
				require.False(t, v.Hides(at), "%v from %v", at, from)
				x, y := space.TileOf(at)
				first, last := v.Columns(y-int(i%5), y+int(i%3))
				require.LessOrEqual(t, first, x, "%v from %v", at, from)
				require.GreaterOrEqual(t, last, x, "%v from %v", at, from)
			}
		}
	})
	least := 1000
	if testing.Short() {
		least /= 5 // as the number of checks
	}
	assert.Greater(t, seen, least)
}

func TestAViewshedHidesWhatIsBehindAWall(t *testing.T) {
	m := testworld.MapOf(
		"..........",
		"...@......",
		"...@......",
		"@@@@......",
		"....@@....",
		"......@@@@",
		"..........",
	)
	var v space.Viewshed
	v.Set(m, components.Vec2{X: 1.5, Y: 1.5})
	for _, c := range []struct {
		x, y   int
		hidden bool
	}{
		{1, 2, false}, // beside the viewer
		{6, 0, false}, // in sight over the end of the wall
		{6, 1, true},  // straight behind the wall
		{6, 2, true},  // it would have to turn back
		{3, 1, true},  // in the wall
		{1, 5, true},  // behind the wall in the south
		{9, 6, true},
	} {
		assert.Equal(t, c.hidden, v.Hides(space.TileCentre(c.x, c.y)), "tile (%d, %d)", c.x, c.y)
	}
	for _, c := range []struct{ top, bottom, first, last int }{
		{0, 0, 0, 9},  // over the end of the wall
		{1, 2, 0, 2},  // in front of it
		{0, 2, 0, 9},  // both
		{3, 6, 1, -1}, // behind it: none
	} {
		first, last := v.Columns(c.top, c.bottom)
		if c.first > c.last {
			assert.Greater(t, first, last, "rows %d to %d", c.top, c.bottom)
			continue
		}
		assert.Equal(t, [2]int{c.first, c.last}, [2]int{first, last}, "rows %d to %d", c.top, c.bottom)
	}
	v.Set(m, components.Vec2{X: 3.5, Y: 1.5})
	assert.True(t, v.Hides(components.Vec2{X: 4.5, Y: 1.5}), "from within a wall")
	v.Set(m, components.Vec2{X: -3, Y: 1.5})
	assert.True(t, v.Hides(components.Vec2{X: 1.5, Y: 1.5}), "from outside the map")
	wide := space.NewMap(200, 1)
	wide.Set(100, 0, space.Wall)
	v.Set(wide, components.Vec2{X: 90, Y: 0.5})
	assert.True(t, v.Hides(components.Vec2{X: 110, Y: 0.5}))
	assert.False(t, v.Hides(components.Vec2{X: 140, Y: 0.5}), "too far away to tell")
	first, last := v.Columns(0, 0)
	assert.Equal(t, [2]int{math.MinInt, 99}, [2]int{first, last}, "open in the west for as far as it tells")
}

func TestAViewshedAllocatesNothing(t *testing.T) {
	m := town.Generate(130, 130, 1)
	var v space.Viewshed
	allocs.None(t, 100, func() {
		v.Set(m, components.Vec2{X: 60, Y: 60})
		v.Hides(components.Vec2{X: 80, Y: 80})
	})
}
