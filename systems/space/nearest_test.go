package space

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

func TestABodyInAWallIsMovedToTheNearestTile(t *testing.T) {
	m := drawn(
		"@@@@@@@",
		"@@@@@@@",
		"@@@@@.@",
		"@@@@@@@",
		"@@@@@@@",
		".@@@@@@",
	)
	for _, c := range []struct {
		name string
		p    components.Vec2
		to   components.Vec2
		ok   bool
	}{
		{"in a wall", components.Vec2{X: 3.5, Y: 2.5}, components.Vec2{X: 5.25, Y: 2.5}, true},
		{"beyond the border", components.Vec2{X: -20, Y: 90}, components.Vec2{X: 0.25, Y: 5.75}, true},
		{"far away", components.Vec2{X: 3e38, Y: 2.5}, components.Vec2{X: 5.75, Y: 2.5}, true},
		{"nowhere", components.Vec2{X: float32(math.NaN()), Y: 2.5}, components.Vec2{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			to, ok := NearestStandable(m, c.p, 0.25)
			require.Equal(t, c.ok, ok)
			if ok {
				assert.Equal(t, c.to, to)
			}
		})
	}
	_, ok := NearestStandable(drawn("@@", "@@"), components.Vec2{X: 1, Y: 1}, 0.25)
	assert.False(t, ok, "a map without ground")
}

func TestNearestStandableIsOnTheNearestTileOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMap(t)
		p := components.Vec2{X: rapid.Float32Range(0, float32(m.Width)).Draw(t, "x"),
			Y: rapid.Float32Range(0, float32(m.Height)).Draw(t, "y")}
		clear := Clearance(rapid.Float32Range(0, 1).Draw(t, "radius"))
		inside := components.Vec2{X: min(max(p.X, clear), float32(m.Width)-clear),
			Y: min(max(p.Y, clear), float32(m.Height)-clear)}
		best := math.Inf(1)
		for y := range m.Height {
			for x := range m.Width {
				if c := vec.Sub(TileCentre(x, y), inside); m.Passable(x, y) {
					best = math.Min(best, float64(vec.Dot(c, c)))
				}
			}
		}
		to, ok := NearestStandable(m, p, clear)
		require.Equal(t, !math.IsInf(best, 1), ok)
		if ok {
			x, y := TileOf(to)
			require.True(t, m.Passable(x, y))
			c := vec.Sub(TileCentre(x, y), inside)
			require.Equal(t, best, float64(vec.Dot(c, c)))
		}
	})
}
