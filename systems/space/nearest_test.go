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

func TestABodyInAWallIsMovedToTheNearestPlace(t *testing.T) {
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
		{"too near to a wall", components.Vec2{X: 5.5, Y: 2.9}, components.Vec2{X: 5.5, Y: 2.75}, true},
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
	to, _ := NearestStandable(drawn(
		"@@@@@",
		"@.@@@",
		"@@@.@",
		"@@@@@",
	), components.Vec2{X: 2.75, Y: 1.5}, 0.25)
	assert.Equal(t, components.Vec2{X: 3.25, Y: 2.25}, to, "0.9 m away; the other tile's place is 1 m away")
}

// No point of a fine pattern around the asked one is nearer and clear of the walls.
func TestNearestStandableIsTheNearestPlaceOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMap(t)
		p := components.Vec2{X: rapid.Float32Range(0, float32(m.Width)).Draw(t, "x"),
			Y: rapid.Float32Range(0, float32(m.Height)).Draw(t, "y")}
		clear := Clearance(rapid.Float32Range(0, 1).Draw(t, "radius"))
		to, ok := NearestStandable(m, p, clear)
		require.Equal(t, m.PassableTiles() > 0, ok)
		if !ok {
			return
		}
		require.True(t, Standable(m, to))
		require.GreaterOrEqual(t, wallDistance(m, to), float64(clear)-3e-4, "its clearance")
		distance := vec.Length(vec.Sub(to, p))
		for ring := range 16 {
			for ray := range 48 {
				angle := float64(ray) * math.Pi / 24
				radius := float64(distance-2e-3) * float64(ring+1) / 16
				q := components.Vec2{X: p.X + float32(radius*math.Cos(angle)), Y: p.Y + float32(radius*math.Sin(angle))}
				nearer := radius > 0 && Standable(m, q) && wallDistance(m, q) >= float64(clear)
				require.False(t, nearer, "%v is %v m away, and %v only %v", to, distance, q, radius)
			}
		}
	})
}

func TestNearestStandableLeavesAPointWhereABodyCanStand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMap(t)
		clear := Clearance(rapid.Float32Range(0, 1).Draw(t, "radius"))
		p, ok := m.RandomPoint(rapid.Uint64().Draw(t, "point"), clear)
		if !ok {
			t.Skip("no tile is passable")
		}
		to, ok := NearestStandable(m, p, clear)
		require.True(t, ok)
		require.InDelta(t, 0, vec.Length(vec.Sub(to, p)), 3e-4)
	})
	to, ok := NearestStandable(nil, components.Vec2{X: -7, Y: 9}, 0.3)
	assert.True(t, ok, "open country")
	assert.Equal(t, components.Vec2{X: -7, Y: 9}, to)
}
