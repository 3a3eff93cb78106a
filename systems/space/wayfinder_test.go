package space

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// tilesFrom returns the steps that it takes to each tile that can be reached, by breadth-first search.
func tilesFrom(m *Map, x, y int) map[[2]int]int {
	steps := map[[2]int]int{{x, y}: 0}
	for todo := [][2]int{{x, y}}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		for _, s := range tileSteps {
			n := [2]int{at[0] + s[0], at[1] + s[1]}
			if _, seen := steps[n]; !seen && m.Passable(n[0], n[1]) {
				steps[n] = steps[at] + 1
				todo = append(todo, n)
			}
		}
	}
	return steps
}

func TestThePathIsAShortestOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMap(t)
		p, ok := m.RandomPoint(rapid.Uint64().Draw(t, "from"), 0)
		goal, _ := m.RandomPoint(rapid.Uint64().Draw(t, "to"), 0)
		if !ok {
			t.Skip("no tile is passable")
		}
		x, y := TileOf(p)
		gx, gy := TileOf(goal)
		tiles := tilesFrom(m, x, y)
		want, reachable := tiles[[2]int{gx, gy}]

		var f Wayfinder
		_, _, steps, whole := f.Find(m, p, goal, 0.3)
		require.Equal(t, reachable, whole)
		if !reachable {
			return
		}
		require.Equal(t, want, steps)
		way := f.trace(want, gx-f.x0, gy-f.y0)
		require.Len(t, way, want)
		for i, tile := range way {
			at := [2]int{f.x0 + int(tile)%squareSide, f.y0 + int(tile)/squareSide}
			require.Equal(t, i+1, tiles[at], "each tile of the way is a step farther")
		}
	})
}

func TestThePathToAnUnreachableGoalEndsAtTheNearestReachableTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMap(t)
		p, ok := m.RandomPoint(rapid.Uint64().Draw(t, "from"), 0)
		if !ok {
			t.Skip("no tile is passable")
		}
		goal := components.Vec2{X: rapid.Float32Range(-100, 100).Draw(t, "x"),
			Y: rapid.Float32Range(-100, 100).Draw(t, "y")}
		x, y := TileOf(p)
		var f Wayfinder
		_, _, steps, whole := f.Find(m, p, goal, 0.3)
		if whole {
			t.Skip("it can be reached")
		}
		gotX, gotY := f.nearest(goal)
		got := vec.Sub(TileCentre(f.x0+gotX, f.y0+gotY), goal)
		for tile := range tilesFrom(m, x, y) {
			away := vec.Sub(TileCentre(tile[0], tile[1]), goal)
			require.LessOrEqual(t, vec.Dot(got, got), vec.Dot(away, away), "%v is nearer", tile)
		}
		require.Equal(t, tilesFrom(m, x, y)[[2]int{f.x0 + gotX, f.y0 + gotY}], steps)
	})
}

// maze returns a map that is larger than a square, with walls of up to six tiles strewn over it.
func maze(t *rapid.T) *Map {
	m := NewMap(90, 70)
	key, walls := rapid.Uint64().Draw(t, "maze"), rapid.IntRange(0, 900).Draw(t, "walls")
	for i := range uint64(walls) {
		draw := random.Mix(key, i)
		step := tileSteps[draw%4]
		x, y := int(random.Below(draw, 90)), int(random.Below(draw<<20, 70))
		for range random.Below(draw<<40, 6) + 1 {
			if uint(x) < 90 && uint(y) < 70 {
				m.Set(x, y, Wall)
			}
			x, y = x+step[0], y+step[1]
		}
	}
	return m
}

func TestThePathIsThatOfTheWholeSquare(t *testing.T) {
	var f, all Wayfinder // what is left of the last way does no harm
	rapid.Check(t, func(t *rapid.T) {
		m := maze(t)
		p, ok := m.RandomPoint(rapid.Uint64().Draw(t, "from"), 0)
		goal, _ := m.RandomPoint(rapid.Uint64().Draw(t, "to"), 0)
		if !ok {
			t.Skip("no tile is passable")
		}
		_, _, _, whole := f.Find(m, p, goal, 0.3)
		px, py := TileOf(p)
		gx, gy := TileOf(goal)
		px, py, gx, gy = px-f.x0, py-f.y0, gx-f.x0, gy-f.y0
		all.open, all.unreached = f.open, f.open
		waves, reached := all.spread(px, py, gx, gy, maxPath-1)
		require.Equal(t, reached, whole)
		if whole {
			require.Equal(t, all.trace(waves, gx, gy), f.path[maxPath-waves:])
		}
	})
}

func TestAnOpenRectangleIsWalkable(t *testing.T) {
	bare := 0
	rapid.Check(t, func(t *rapid.T) {
		m := maze(t)
		at, ok := m.RandomPoint(rapid.Uint64().Draw(t, "from"), 0)
		if !ok {
			t.Skip("no tile is passable")
		}
		p := vec.Add(at,
			components.Vec2{X: rapid.Float32Range(-0.5, 0.5).Draw(t, "dx"),
				Y: rapid.Float32Range(-0.5, 0.5).Draw(t, "dy")})
		if !Standable(m, p) {
			t.Skip("in a wall")
		}
		clear := rapid.Float32Range(minClearance, MaxClearance).Draw(t, "clear")
		var f Wayfinder
		f.Find(m, p, at, clear)
		px, py := TileOf(p)
		for range 32 {
			x := px - f.x0 + rapid.IntRange(-8, 8).Draw(t, "x")
			y := py - f.y0 + rapid.IntRange(-8, 8).Draw(t, "y")
			if f.rectangleOpen(p, x, y, clear) {
				bare++
				require.True(t, Walkable(m, p, TileCentre(f.x0+x, f.y0+y), clear), "tile (%d, %d)", f.x0+x, f.y0+y)
			}
		}
	})
	assert.Positive(t, bare)
}

func TestTheTileHeadedForIsTheFarthestWalkableOne(t *testing.T) {
	m := drawn(
		"..........",
		".@@@@@@@..",
		".......@..",
		".......@..",
	)
	var f Wayfinder
	x, y, steps, whole := f.Find(m, components.Vec2{X: 6.5, Y: 2.5}, components.Vec2{X: 8.5, Y: 2.5}, 0.3)
	require.True(t, whole)
	assert.Equal(t, 18, steps)
	assert.Equal(t, [2]int{0, 2}, [2]int{x, y}, "along the wall to the west")
	x, y, _, _ = f.Find(m, components.Vec2{X: 0.5, Y: 2.5}, components.Vec2{X: 8.5, Y: 2.5}, 0.3)
	assert.Equal(t, [2]int{0, 0}, [2]int{x, y}, "then north")
}

func TestAWordOfTilesIsWhatPassableSays(t *testing.T) {
	m := scattered(150, 20, 9)
	for _, y := range []int{-1, 0, 7, 19, 20} {
		for x := -130; x < 280; x++ {
			word := m.passableWord(x, y)
			for bit := range 64 {
				require.Equal(t, m.Passable(x+bit, y), word>>bit&1 != 0, "tile (%d, %d)", x+bit, y)
			}
		}
	}
}

func TestFindDoesNotAllocate(t *testing.T) {
	m := scattered(128, 128, 5)
	var f Wayfinder
	allocs.None(t, 100, func() { f.Find(m, components.Vec2{X: 20, Y: 20}, components.Vec2{X: 60, Y: 60}, 0.3) })
}

func BenchmarkWayfinder(b *testing.B) {
	m := scattered(256, 256, 5)
	var f Wayfinder
	type trip struct{ from, to components.Vec2 }
	var trips []trip
	for i := uint64(0); len(trips) < 256; i++ {
		from, _ := m.RandomPoint(i, 0)
		to, _ := m.RandomPoint(i+1e6, 0)
		if d := vec.Length(vec.Sub(to, from)); d < 40 && !Walkable(m, from, to, 0.3) {
			trips = append(trips, trip{from, to})
		}
	}
	i := 0
	for b.Loop() {
		t := trips[i&255]
		f.Find(m, t.from, t.to, 0.3)
		i++
	}
}
