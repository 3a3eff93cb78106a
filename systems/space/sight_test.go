package space_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestSeesByHand(t *testing.T) {
	m := testworld.ParsedMap(t, testworld.MapText(
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
		m := testworld.ParsedMap(t, testworld.MapText(rows[0], rows[1]))
		assert.Equal(t, sees, m.Sees(from, to), "%v", rows)
		assert.Equal(t, sees, m.Sees(to, from), "%v backwards", rows)
		mirrored := testworld.ParsedMap(t, testworld.MapText(rows[1], rows[0]))
		west, east := components.Vec2{X: 0.5, Y: 1.5}, components.Vec2{X: 1.5, Y: 0.5}
		assert.Equal(t, sees, mirrored.Sees(west, east), "%v mirrored", rows)
		assert.Equal(t, sees, mirrored.Sees(east, west), "%v mirrored, backwards", rows)
	}
}

func TestSeesNothingWithCoordinatesThatAreNone(t *testing.T) {
	m := space.NewMap(10, 10)
	here := components.Vec2{X: 5, Y: 5}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, x := range []float32{nan, inf, -inf, math.MaxFloat32, -math.MaxFloat32, 1e19, -1e19, -0.001,
		-math.SmallestNonzeroFloat32} {
		for _, there := range []components.Vec2{{X: x, Y: 5}, {X: 5, Y: x}} {
			assert.False(t, m.Sees(here, there), "%v", there)
			assert.False(t, m.Sees(there, here), "%v", there)
		}
	}
	assert.True(t, m.Sees(here, components.Vec2{X: float32(math.Copysign(0, -1)), Y: 5}), "-0 is on the map")
}

func TestSeesAcrossTheLargestMap(t *testing.T) {
	m := space.NewMap(space.MaxMapSide, space.MaxMapSide)
	corner, far := components.Vec2{X: 0.25, Y: 0.25},
		components.Vec2{X: space.MaxMapSide - 0.5, Y: space.MaxMapSide - 1.25}
	assert.True(t, m.Sees(corner, far))
	assert.True(t, m.Sees(far, corner))
	m.Set(space.MaxMapSide/2, space.MaxMapSide/2, space.Wall)
	m.Set(space.MaxMapSide/2, space.MaxMapSide/2-1, space.Wall)
	assert.False(t, m.Sees(corner, far))
	assert.False(t, m.Sees(far, corner))
}

// drawMap draws a map on which each tile is a wall with the drawn probability.
func drawMap(t *rapid.T) *space.Map {
	width, height := rapid.IntRange(1, 70).Draw(t, "width"), rapid.IntRange(1, 12).Draw(t, "height")
	if rapid.Bool().Draw(t, "turned") {
		width, height = height, width
	}
	m := space.NewMap(width, height)
	seed := rapid.Uint64().Draw(t, "seed")
	walls := rapid.SampledFrom([]float32{0, 0.02, 0.1, 0.3}).Draw(t, "walls")
	for y := range height {
		for x := range width {
			if random.Unit(random.Mix(random.Mix(seed, uint64(x)), uint64(y))) < walls {
				m.Set(x, y, space.Wall)
			}
		}
	}
	return m
}

// drawPoint draws a point on the map: anywhere, on an edge, or in the middle of a tile, where lines through corners
// start.
func drawPoint(t *rapid.T, m *space.Map, name string) components.Vec2 {
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
			want := testworld.SeesReference(m, from, to)
			require.Equal(t, want, m.Sees(from, to), "%v to %v", from, to)
			require.Equal(t, want, m.Sees(to, from), "%v to %v", to, from)
		}
	})
}

func TestSeesEqualsTestingEverySquareBetweenAllTileMiddles(t *testing.T) {
	// Lines between the middles of tiles pass through corners more than any others.
	m := space.NewMap(9, 9)
	for i := range uint64(81) {
		if random.Unit(random.Mix(4, i)) < 0.15 {
			m.Set(int(i%9), int(i/9), space.Wall)
		}
	}
	clear := 0
	for i := range 81 {
		for j := range 81 {
			from := components.Vec2{X: float32(i%9) + 0.5, Y: float32(i/9) + 0.5}
			to := components.Vec2{X: float32(j%9) + 0.5, Y: float32(j/9) + 0.5}
			want := testworld.SeesReference(m, from, to)
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
	m := town.Generate(400, 400, 1)
	points := make([]components.Vec2, 4096)
	for i := range points {
		points[i], _ = m.RandomPoint(uint64(i/2), 0)
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
func sees(m *space.Map, points []components.Vec2) {
	for i := 0; i < len(points); i += 2 {
		sightline = m.Sees(points[i], points[i+1])
	}
}
