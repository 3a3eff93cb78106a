package space

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// drawn returns the map that rows of . and @ show; row 0 is y = 0.
func drawn(rows ...string) *Map {
	m := NewMap(len(rows[0]), len(rows))
	for y, row := range rows {
		for x, letter := range row {
			if letter == '@' {
				m.Set(x, y, Wall)
			}
		}
	}
	return m
}

// anyMap draws a map of up to 12 × 12 tiles, about as closed as the draw says.
func anyMap(t *rapid.T) *Map {
	w, h := rapid.IntRange(1, 12).Draw(t, "width"), rapid.IntRange(1, 12).Draw(t, "height")
	closed := rapid.IntRange(0, 9).Draw(t, "closed")
	m := NewMap(w, h)
	for y := range h {
		for x := range w {
			if rapid.IntRange(0, 9).Draw(t, "tile") < closed {
				m.Set(x, y, Wall)
			}
		}
	}
	return m
}

// wallDistance returns the distance from a point to the nearest wall, by looking at all tiles around.
func wallDistance(m *Map, p components.Vec2) float64 {
	nearest := math.Inf(1)
	px, py := int(math.Floor(float64(p.X))), int(math.Floor(float64(p.Y)))
	for y := py - 2; y <= py+2; y++ {
		for x := px - 2; x <= px+2; x++ {
			if m.Passable(x, y) {
				continue
			}
			dx := math.Max(math.Max(float64(x)-float64(p.X), float64(p.X)-float64(x+1)), 0)
			dy := math.Max(math.Max(float64(y)-float64(p.Y), float64(p.Y)-float64(y+1)), 0)
			nearest = math.Min(nearest, math.Hypot(dx, dy))
		}
	}
	return nearest
}

// scattered returns a map on which a fifth of the tiles, drawn by a seed, are walls.
func scattered(width, height int, seed uint64) *Map {
	m := NewMap(width, height)
	for i := range width * height {
		if random.Below(random.Mix(seed, uint64(i)), 5) == 0 {
			m.Set(i%width, i/width, Wall)
		}
	}
	return m
}

func TestTheDrawnHelperMakesTheMapThatItShows(t *testing.T) {
	m := drawn("..@", "@..")
	var out strings.Builder
	require.NoError(t, WriteMap(&out, m))
	assert.Contains(t, out.String(), "..@\n@..\n")
}
