package space

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

func walkFrom(m *Map, p, d components.Vec2, clear float32) (components.Vec2, bool) {
	f := FootingAt(m, p)
	return Walk(m, &f, p, d, clear)
}

func TestWalkNeverEndsInAWallAndKeepsItsClearance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMap(t)
		clear := Clearance(rapid.Float32Range(0, 2).Draw(t, "radius"))
		p, ok := m.RandomPoint(rapid.Uint64().Draw(t, "start"))
		if !ok {
			t.Skip("no tile is passable")
		}
		for range 20 {
			// 30 m/s for a second, and every so often far more.
			most := rapid.SampledFrom([]float32{0.1, 1, 30, 30, 1e6, math.MaxFloat32}).Draw(t, "most")
			d := components.Vec2{X: rapid.Float32Range(-most, most).Draw(t, "dx"), Y: rapid.Float32Range(-most, most).Draw(t, "dy")}
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
		p, ok := m.RandomPoint(rapid.Uint64().Draw(t, "start"))
		if !ok {
			t.Skip("no tile is passable")
		}
		pocket := pocketOf(m, p)
		clear := Clearance(rapid.Float32Range(0, 1).Draw(t, "radius"))
		for range 20 {
			d := components.Vec2{X: rapid.Float32Range(-30, 30).Draw(t, "dx"), Y: rapid.Float32Range(-30, 30).Draw(t, "dy")}
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
		{"open ground", components.Vec2{X: 2, Y: 2}, components.Vec2{X: 0.25, Y: 0.25}, components.Vec2{X: 2.25, Y: 2.25}, false},
		{"along the right wall", components.Vec2{X: 4.5, Y: 1.5}, components.Vec2{X: 2, Y: 2}, components.Vec2{X: 4.75, Y: 3.5}, true},
		{"into the corner", components.Vec2{X: 4.5, Y: 4.5}, components.Vec2{X: 9, Y: 7}, components.Vec2{X: 4.75, Y: 4.75}, true},
		{"against the pillar", components.Vec2{X: 1.5, Y: 3.5}, components.Vec2{X: 2, Y: 0}, components.Vec2{X: 1.75, Y: 3.5}, true},
		{"a flat start off the wall", components.Vec2{X: 1.5, Y: 1.125}, components.Vec2{X: 0.25, Y: 0}, components.Vec2{X: 1.75, Y: 1.25}, true},
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

func TestWhoStartsInAWallIsFreedToTheNearestTile(t *testing.T) {
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

func TestFreedAgentsStandOnTheNearestTileOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMap(t)
		p := components.Vec2{X: rapid.Float32Range(0, float32(m.Width)).Draw(t, "x"), Y: rapid.Float32Range(0, float32(m.Height)).Draw(t, "y")}
		clear := Clearance(rapid.Float32Range(0, 1).Draw(t, "radius"))
		inside := components.Vec2{X: min(max(p.X, clear), float32(m.Width)-clear), Y: min(max(p.Y, clear), float32(m.Height)-clear)}
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

func TestWalkableSeesWhatABodyWouldTouch(t *testing.T) {
	m := drawn(
		"........",
		"...@....",
		"........",
		"........",
	)
	for _, c := range []struct {
		name  string
		a, b  components.Vec2
		clear float32
		want  bool
	}{
		{"open", components.Vec2{X: 0.5, Y: 2.5}, components.Vec2{X: 7.5, Y: 2.5}, 0.45, true},
		{"through the pillar", components.Vec2{X: 0.5, Y: 1.5}, components.Vec2{X: 7.5, Y: 1.5}, 0.1, false},
		{"the body brushes it", components.Vec2{X: 0.5, Y: 2.25}, components.Vec2{X: 7.5, Y: 2.25}, 0.45, false},
		{"a thin body does not", components.Vec2{X: 0.5, Y: 2.25}, components.Vec2{X: 7.5, Y: 2.25}, 0.2, true},
		{"a corner between the sides", components.Vec2{X: 2.5, Y: 2.5}, components.Vec2{X: 3.5, Y: 0.5}, 0.45, false},
		{"out of the map", components.Vec2{X: 0.5, Y: 2.5}, components.Vec2{X: 9.5, Y: 2.5}, 0.2, false},
		{"nowhere to go", components.Vec2{X: 0.5, Y: 2.5}, components.Vec2{X: 0.5, Y: 2.5}, 0.2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, Walkable(m, c.a, c.b, c.clear))
			assert.Equal(t, c.want, Walkable(m, c.b, c.a, c.clear), "the other way")
		})
	}
}

// What is walkable can indeed be walked: a body that sets out arrives without being held up.
func TestAWalkableWayCanBeWalked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMap(t)
		clear := Clearance(rapid.Float32Range(0, 1).Draw(t, "radius"))
		a, ok := m.RandomPoint(rapid.Uint64().Draw(t, "from"))
		b, _ := m.RandomPoint(rapid.Uint64().Draw(t, "to"))
		if !ok {
			t.Skip("no tile is passable")
		}
		a, _ = walkFrom(m, a, components.Vec2{X: 1e-6}, clear) // off the walls
		b, _ = walkFrom(m, b, components.Vec2{X: 1e-6}, clear)
		if !Walkable(m, a, b, clear) {
			t.Skip("not walkable")
		}
		p := a
		for range 200 {
			u, d := vec.Direction(vec.Sub(b, p))
			if d < 0.01 {
				return
			}
			p, _ = walkFrom(m, p, vec.Scale(u, min(d, 0.2)), clear)
		}
		require.Failf(t, "stuck", "at %v on the way from %v to %v", p, a, b)
	})
}

func TestRotationKeepsUnitVectorsAndTurnsTheRightWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		angle := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "from")
		other := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "to")
		rate := rapid.Float32Range(0, 10).Draw(t, "rate")
		from := components.Vec2{X: float32(math.Cos(angle)), Y: float32(math.Sin(angle))}
		to := components.Vec2{X: float32(math.Cos(other)), Y: float32(math.Sin(other))}
		got := vec.NewRotor(rate).Towards(from, to)
		require.InDelta(t, 1, vec.Length(got), 1e-5)
		between := func(a, b components.Vec2) float64 {
			return math.Acos(math.Max(-1, math.Min(1, float64(vec.Dot(a, b)))))
		}
		require.LessOrEqual(t, between(from, got), float64(rate)+2e-3, "no faster than the rate")
		require.LessOrEqual(t, between(got, to), between(from, to)+2e-3, "towards, not away")
	})
}

func TestMapHelperDrawsWhatItShows(t *testing.T) {
	m := drawn("..@", "@..")
	var out strings.Builder
	require.NoError(t, WriteMap(&out, m))
	assert.Contains(t, out.String(), "..@\n@..\n")
}
