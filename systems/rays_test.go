package systems_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/systems"
)

func TestSeesByHand(t *testing.T) {
	m := parseMap(t, mapText(
		"........",
		"..@.....",
		".....@..",
		"....@...",
		".@W@....",
		"........",
	))
	for _, c := range []struct {
		name         string
		fromX, fromY float32
		toX, toY     float32
		sees         bool
	}{
		{"along a free row", 0.5, 0.5, 7.5, 0.5, true},
		{"through a wall", 0.5, 1.5, 7.5, 1.5, false},
		{"to a point on the same tile", 3.1, 3.1, 3.9, 3.9, true},
		{"to the same point", 3.1, 3.1, 3.1, 3.1, true},
		{"out of a wall", 2.5, 1.5, 2.5, 0.5, false},
		{"into a wall", 2.5, 0.5, 2.5, 1.5, false},
		{"within a wall", 2.2, 1.2, 2.8, 1.8, false},
		{"along the edge of a wall, from the coordinate that belongs to the free tile", 3, 0.5, 3, 3.5, true},
		{"along the edge of a wall, from the coordinate that belongs to the wall", 2, 0.5, 2, 3.5, false},
		{"past the corner of one wall", 0.5, 1.5, 2.5, 3.5, true},
		{"grazing the corner of one wall", 1.5, 2.5, 3.5, 0.5, false},
		{"grazing the corner of one wall on the other side", 1.5, 0.5, 3.5, 2.5, false},
		{"between two walls that touch at a corner", 4.5, 2.5, 5.5, 3.5, false},
		{"between two walls that touch at a corner, backwards", 5.5, 3.5, 4.5, 2.5, false},
		{"over water", 2.5, 5.5, 2.5, 3.5, true},
		{"from outside", -0.5, 0.5, 2.5, 0.5, false},
		{"to outside", 2.5, 0.5, 8, 0.5, false},
		{"to outside in the south", 2.5, 0.5, 2.5, 6, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			from, to := components.Vec2{X: c.fromX, Y: c.fromY}, components.Vec2{X: c.toX, Y: c.toY}
			assert.Equal(t, c.sees, m.Sees(from, to))
			assert.Equal(t, c.sees, m.Sees(to, from))
		})
	}
}

func TestSeesGrazesASingleCornerButDoesNotSlipBetweenTwo(t *testing.T) {
	// From the middle of tile (0, 0) to that of (1, 1) the line passes the corner at (1, 1) exactly.
	from, to := components.Vec2{X: 0.5, Y: 0.5}, components.Vec2{X: 1.5, Y: 1.5}
	for rows, sees := range map[[2]string]bool{
		{"..", ".."}: true, {".@", ".."}: true, {"..", "@."}: true, {".@", "@."}: false,
	} {
		m := parseMap(t, mapText(rows[0], rows[1]))
		assert.Equal(t, sees, m.Sees(from, to), "%v", rows)
		assert.Equal(t, sees, m.Sees(to, from), "%v backwards", rows)
		mirrored := parseMap(t, mapText(rows[1], rows[0]))
		west, east := components.Vec2{X: 0.5, Y: 1.5}, components.Vec2{X: 1.5, Y: 0.5}
		assert.Equal(t, sees, mirrored.Sees(west, east), "%v mirrored", rows)
		assert.Equal(t, sees, mirrored.Sees(east, west), "%v mirrored, backwards", rows)
	}
}

func TestSeesNothingWithCoordinatesThatAreNone(t *testing.T) {
	m := systems.NewMap(10, 10)
	here := components.Vec2{X: 5, Y: 5}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, x := range []float32{nan, inf, -inf, math.MaxFloat32, -math.MaxFloat32, 1e19, -1e19, -0.001, -math.SmallestNonzeroFloat32} {
		for _, there := range []components.Vec2{{X: x, Y: 5}, {X: 5, Y: x}} {
			assert.False(t, m.Sees(here, there), "%v", there)
			assert.False(t, m.Sees(there, here), "%v", there)
		}
	}
	assert.True(t, m.Sees(here, components.Vec2{X: float32(math.Copysign(0, -1)), Y: 5}), "-0 is on the map")
}

func TestSeesAcrossTheLargestMap(t *testing.T) {
	m := systems.NewMap(systems.MaxMapSide, systems.MaxMapSide)
	corner, far := components.Vec2{X: 0.25, Y: 0.25}, components.Vec2{X: systems.MaxMapSide - 0.5, Y: systems.MaxMapSide - 1.25}
	assert.True(t, m.Sees(corner, far))
	assert.True(t, m.Sees(far, corner))
	m.Set(systems.MaxMapSide/2, systems.MaxMapSide/2, systems.Wall)
	m.Set(systems.MaxMapSide/2, systems.MaxMapSide/2-1, systems.Wall)
	assert.False(t, m.Sees(corner, far))
	assert.False(t, m.Sees(far, corner))
}

// seesSlowly decides a look by testing the segment against the square of every opaque tile, in whole numbers of
// 1/512 m. Points on an edge stand a unit further in.
func seesSlowly(m *systems.Map, from, to components.Vec2) bool {
	for _, p := range [2]components.Vec2{from, to} {
		if !m.Passable(int(math.Floor(float64(p.X))), int(math.Floor(float64(p.Y)))) {
			return false // all tiles of these tests are ground or walls
		}
	}
	unit := func(x float32) int64 {
		if whole := math.Floor(float64(x) * 256); math.Mod(whole, 256) != 0 {
			return 2 * int64(whole)
		}
		return 512*int64(math.Floor(float64(x))) + 1
	}
	ax, ay, bx, by := unit(from.X), unit(from.Y), unit(to.X), unit(to.Y)
	// side tells on which side of the line a point lies.
	side := func(x, y int64) int64 { return (bx-ax)*(y-ay) - (by-ay)*(x-ax) }
	for y := range m.Height {
		for x := range m.Width {
			left, right, low, high := int64(x)*512, int64(x+1)*512, int64(y)*512, int64(y+1)*512
			if m.Opaque(x, y) {
				// An open square and a segment are apart if an axis or the segment's normal separates them.
				apart := max(ax, bx) <= left || min(ax, bx) >= right || max(ay, by) <= low || min(ay, by) >= high
				corners := [4]int64{side(left, low), side(right, low), side(left, high), side(right, high)}
				line := ax != bx || ay != by
				apart = apart || line && min(corners[0], corners[1], corners[2], corners[3]) >= 0 || line && max(corners[0], corners[1], corners[2], corners[3]) <= 0
				if !apart {
					return false
				}
			}
			// The north-western corner of the tile, if the segment passes it: two of the four tiles around it are
			// entered, the others touch there.
			on := side(left, low) == 0 && min(ax, bx) < left && left < max(ax, bx) && min(ay, by) < low && low < max(ay, by)
			falling := (bx-ax)*(by-ay) > 0
			if on && falling && m.Opaque(x, y-1) && m.Opaque(x-1, y) || on && !falling && m.Opaque(x-1, y-1) && m.Opaque(x, y) {
				return false
			}
		}
	}
	return true
}

// drawMap draws a map on which each tile is a wall with the drawn probability.
func drawMap(t *rapid.T) *systems.Map {
	width, height := rapid.IntRange(1, 70).Draw(t, "width"), rapid.IntRange(1, 12).Draw(t, "height")
	if rapid.Bool().Draw(t, "turned") {
		width, height = height, width
	}
	m := systems.NewMap(width, height)
	seed := rapid.Uint64().Draw(t, "seed")
	walls := rapid.SampledFrom([]float32{0, 0.02, 0.1, 0.3}).Draw(t, "walls")
	for y := range height {
		for x := range width {
			if random.Unit(random.Mix(random.Mix(seed, uint64(x)), uint64(y))) < walls {
				m.Set(x, y, systems.Wall)
			}
		}
	}
	return m
}

// drawPoint draws a point on the map: anywhere, on an edge, or in the middle of a tile, where lines through corners
// start.
func drawPoint(t *rapid.T, m *systems.Map, name string) components.Vec2 {
	x, y := rapid.IntRange(0, m.Width-1).Draw(t, name+" x"), rapid.IntRange(0, m.Height-1).Draw(t, name+" y")
	part := rapid.SampledFrom([]float32{0, 0.5, 0.25, 255.0 / 256, 0.3}).Draw(t, name+" part")
	other := part
	if rapid.Bool().Draw(t, name+" askew") {
		other = rapid.Float32Range(0, 0.99).Draw(t, name+" other part")
	}
	return components.Vec2{X: float32(x) + part, Y: float32(y) + other}
}

func TestSeesEqualsTestingEverySquareAndIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t)
		for range 20 {
			from, to := drawPoint(t, m, "from"), drawPoint(t, m, "to")
			want := seesSlowly(m, from, to)
			require.Equal(t, want, m.Sees(from, to), "%v to %v", from, to)
			require.Equal(t, want, m.Sees(to, from), "%v to %v", to, from)
		}
	})
}

func TestSeesEqualsTestingEverySquareBetweenAllTileMiddles(t *testing.T) {
	// Lines between the middles of tiles pass through corners more than any others.
	m := systems.NewMap(9, 9)
	for i := range uint64(81) {
		if random.Unit(random.Mix(4, i)) < 0.15 {
			m.Set(int(i%9), int(i/9), systems.Wall)
		}
	}
	clear := 0
	for i := range 81 {
		for j := range 81 {
			from := components.Vec2{X: float32(i%9) + 0.5, Y: float32(i/9) + 0.5}
			to := components.Vec2{X: float32(j%9) + 0.5, Y: float32(j/9) + 0.5}
			want := seesSlowly(m, from, to)
			require.Equal(t, want, m.Sees(from, to), "%v to %v", from, to)
			if want {
				clear++
			}
		}
	}
	assert.Positive(t, clear)
	assert.Less(t, clear, 81*81)
}

var sightline bool

func BenchmarkSees(b *testing.B) {
	m := systems.GenerateMap(400, 400, 1)
	points := make([]components.Vec2, 4096)
	for i := range points {
		points[i], _ = m.RandomPoint(uint64(i / 2))
		if i%2 == 1 { // near the one before
			points[i].X += 20*random.Unit(random.Mix(1, uint64(i))) - 10
			points[i].Y += 20*random.Unit(random.Mix(2, uint64(i))) - 10
		}
	}
	for b.Loop() {
		sees(m, points)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(points)/2), "ns/ray")
}

// sees is a function, not a loop in the benchmark, so that it is compiled as in a program.
func sees(m *systems.Map, points []components.Vec2) {
	for i := 0; i < len(points); i += 2 {
		sightline = m.Sees(points[i], points[i+1])
	}
}
