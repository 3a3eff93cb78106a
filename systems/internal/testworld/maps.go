package testworld

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// MapOf returns the map that rows of . and @ show; row 0 is y = 0.
func MapOf(rows ...string) *space.Map {
	m := space.NewMap(len(rows[0]), len(rows))
	for y, row := range rows {
		for x, letter := range row {
			if letter == '@' {
				m.Set(x, y, space.Wall)
			}
		}
	}
	return m
}

// AnyMap draws a map of up to 12 × 12 tiles with a random share of walls.
func AnyMap(t *rapid.T) *space.Map {
	w, h := rapid.IntRange(1, 12).Draw(t, "width"), rapid.IntRange(1, 12).Draw(t, "height")
	closed := rapid.IntRange(0, 9).Draw(t, "closed")
	m := space.NewMap(w, h)
	for y := range h {
		for x := range w {
			if rapid.IntRange(0, 9).Draw(t, "tile") < closed {
				m.Set(x, y, space.Wall)
			}
		}
	}
	return m
}

// WallDistance returns the distance from a point to the nearest wall, by looking at all tiles around.
func WallDistance(m *space.Map, p components.Vec2) float64 {
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

// SeesReference is a reference for space.Map.Sees. It tests the segment against the square of every opaque tile, in
// units of 1/512 m. A point on an edge is moved one unit into its tile.
func SeesReference(m *space.Map, from, to components.Vec2) bool {
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
				apart = apart || line && (slices.Min(corners[:]) >= 0 || slices.Max(corners[:]) <= 0)
				if !apart {
					return false
				}
			}
			// The north-western corner of the tile, if the segment passes it: two of the four tiles around it are
			// entered, the others touch there.
			on := side(left, low) == 0 && min(ax, bx) < left && left < max(ax, bx) &&
				min(ay, by) < low && low < max(ay, by)
			falling := (bx-ax)*(by-ay) > 0
			if on && falling && m.Opaque(x, y-1) && m.Opaque(x-1, y) ||
				on && !falling && m.Opaque(x-1, y-1) && m.Opaque(x, y) {
				return false
			}
		}
	}
	return true
}

// MapText returns a map file with the given rows.
func MapText(rows ...string) string {
	return fmt.Sprintf("type octile\nheight %d\nwidth %d\nmap\n%s\n", len(rows), len(rows[0]), strings.Join(rows, "\n"))
}

// ParsedMap parses a map file; an error fails the test.
func ParsedMap(t testing.TB, text string) *space.Map {
	t.Helper()
	m, err := space.ParseMap("test.map", strings.NewReader(text))
	require.NoError(t, err)
	return m
}
