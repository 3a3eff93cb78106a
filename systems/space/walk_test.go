package space

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
)

func walkFrom(m *Map, p, d components.Vec2, clear float32) (components.Vec2, bool) {
	f := FootingAt(m, p)
	return Walk(m, &f, p, d, clear)
}

func TestWalkNeverEndsInAWallAndKeepsItsClearance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMap(t)
		clear := Clearance(rapid.Float32Range(0, 2).Draw(t, "radius"))
		p, ok := m.RandomPoint(rapid.Uint64().Draw(t, "start"), 0)
		if !ok {
			t.Skip("no tile is passable")
		}
		for range 20 {
			// 30 m/s for a second, and every so often far more.
			most := rapid.SampledFrom([]float32{0.1, 1, 30, 30, 1e6, math.MaxFloat32}).Draw(t, "most")
			d := components.Vec2{X: rapid.Float32Range(-most, most).Draw(t, "dx"),
				Y: rapid.Float32Range(-most, most).Draw(t, "dy")}
			p, _ = walkFrom(m, p, d, clear)
			require.True(t, Standable(m, p), "centre at %v", p)
			require.GreaterOrEqual(t, wallDistance(m, p), float64(clear)-3e-4, "clearance at %v", p)
		}
	})
}

// A walk is checked stride by stride against a fine-grained flood: whatever it reaches must be connected
// to where it started by passable tiles that touch along an edge.
func TestWalkNeverLeavesThePocketItStartedIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMap(t)
		p, ok := m.RandomPoint(rapid.Uint64().Draw(t, "start"), 0)
		if !ok {
			t.Skip("no tile is passable")
		}
		pocket := pocketOf(m, p)
		clear := Clearance(rapid.Float32Range(0, 1).Draw(t, "radius"))
		for range 20 {
			d := components.Vec2{X: rapid.Float32Range(-30, 30).Draw(t, "dx"),
				Y: rapid.Float32Range(-30, 30).Draw(t, "dy")}
			p, _ = walkFrom(m, p, d, clear)
			x, y := TileOf(p)
			require.True(t, pocket[[2]int{x, y}], "walked through a wall to %v", p)
		}
	})
}

// pocketOf returns the tiles that can be reached from a point.
func pocketOf(m *Map, p components.Vec2) map[[2]int]bool {
	x, y := TileOf(p)
	pocket := map[[2]int]bool{{x, y}: true}
	todo := [][2]int{{x, y}}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		for _, s := range tileSteps {
			n := [2]int{at[0] + s[0], at[1] + s[1]}
			if m.Passable(n[0], n[1]) && !pocket[n] {
				pocket[n] = true
				todo = append(todo, n)
			}
		}
	}
	return pocket
}

func TestWalkSlidesAlongWalls(t *testing.T) {
	room := drawn(
		"@@@@@@",
		"@....@",
		"@....@",
		"@.@..@",
		"@....@",
		"@@@@@@",
	)
	for _, c := range []struct {
		name    string
		from, d components.Vec2
		to      components.Vec2
		hit     bool
	}{
		{"open ground", components.Vec2{X: 2, Y: 2}, components.Vec2{X: 0.25, Y: 0.25},
			components.Vec2{X: 2.25, Y: 2.25}, false},
		{"along the right wall", components.Vec2{X: 4.5, Y: 1.5}, components.Vec2{X: 2, Y: 2},
			components.Vec2{X: 4.75, Y: 3.5}, true},
		{"into the corner", components.Vec2{X: 4.5, Y: 4.5}, components.Vec2{X: 9, Y: 7},
			components.Vec2{X: 4.75, Y: 4.75}, true},
		{"against the pillar", components.Vec2{X: 1.5, Y: 3.5}, components.Vec2{X: 2, Y: 0},
			components.Vec2{X: 1.75, Y: 3.5}, true},
		{"a flat start off the wall", components.Vec2{X: 1.5, Y: 1.125}, components.Vec2{X: 0.25, Y: 0},
			components.Vec2{X: 1.75, Y: 1.25}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			to, hit := walkFrom(room, c.from, c.d, 0.25)
			assert.InDelta(t, c.to.X, to.X, 1e-5)
			assert.InDelta(t, c.to.Y, to.Y, 1e-5)
			assert.Equal(t, c.hit, hit)
		})
	}
}

func TestWalkDoesNotSqueezeBetweenWallsThatTouchAtACorner(t *testing.T) {
	m := drawn(
		".@",
		"@.",
	)
	to, hit := walkFrom(m, components.Vec2{X: 0.5, Y: 0.5}, components.Vec2{X: 5, Y: 5}, 0.25)
	assert.Equal(t, components.Vec2{X: 0.75, Y: 0.75}, to)
	assert.True(t, hit)
}

func TestBodiesOfAnyWidthPassALaneOfOneTile(t *testing.T) {
	lane := drawn("@@@@@@@@", "........", "@@@@@@@@")
	for _, radius := range []float32{0, 0.3, 0.5, 4} {
		to, _ := walkFrom(lane, components.Vec2{X: 0.5, Y: 1.5}, components.Vec2{X: 7, Y: 0.2}, Clearance(radius))
		assert.Greater(t, to.X, float32(7), "radius %v", radius)
	}
}
