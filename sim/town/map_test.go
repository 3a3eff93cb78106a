package town_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// flood counts the tiles that can be reached from the first passable one by steps to the side.
func flood(m *space.Map) int {
	seen := make([]bool, m.Width*m.Height)
	var queue []int
	for i := range seen {
		if m.Passable(i%m.Width, i/m.Width) {
			seen[i] = true
			queue = append(queue, i)
			break
		}
	}
	for at := 0; at < len(queue); at++ {
		x, y := queue[at]%m.Width, queue[at]/m.Width
		for _, next := range [4][2]int{{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}} {
			if i := next[1]*m.Width + next[0]; m.Passable(next[0], next[1]) && !seen[i] {
				seen[i] = true
				queue = append(queue, i)
			}
		}
	}
	return len(queue)
}

func TestGeneratedTownIsConnected(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 200}, {23, 24}, {24, 24}, {30, 500}, {64, 64}, {400, 400}, {333, 1000}} {
		for seed := range uint64(20) {
			m := town.Generate(size[0], size[1], seed)
			require.Equal(t, m.PassableTiles(), flood(m), "%v seed %d", size, seed)
		}
	}
}

func TestGeneratedTownIsFourFifthsOpen(t *testing.T) {
	for _, side := range []int{200, 400, 1000} {
		for seed := range uint64(20) {
			m := town.Generate(side, side, seed)
			share := float64(m.PassableTiles()) / float64(side*side)
			assert.True(t, share > 0.75 && share < 0.85, "side %d seed %d: %.3f", side, seed, share)
		}
	}
}

func TestGeneratedTownHasWallsAndWaterThatAreNotGround(t *testing.T) {
	m := town.Generate(400, 400, 1)
	walls, water := 0, 0
	for y := range m.Height {
		for x := range m.Width {
			switch {
			case m.Opaque(x, y):
				require.False(t, m.Passable(x, y))
				walls++
			case !m.Passable(x, y):
				water++
			}
		}
	}
	assert.Equal(t, m.Width*m.Height, m.PassableTiles()+walls+water)
	assert.Positive(t, walls)
	assert.Positive(t, water)
}

func TestGeneratedTownFollowsFromItsSeed(t *testing.T) {
	assert.Equal(t, town.Generate(150, 90, 5), town.Generate(150, 90, 5))
	assert.NotEqual(t, town.Generate(150, 90, 5), town.Generate(150, 90, 6))
	// The sum of the written map, so that a town stays the same from version to version and on every platform.
	var out bytes.Buffer
	require.NoError(t, space.WriteMap(&out, town.Generate(400, 400, 1)))
	assert.Equal(t, uint64(0x7382ced39071f28c), random.String(out.String()))
}

func TestGenerateRefusesAbsurdSides(t *testing.T) {
	assert.PanicsWithValue(t, "space: a map of 0 x 5 tiles; want 1 to 16384 each way",
		func() { town.Generate(0, 5, 1) })
}

func TestSizeGivesEachAgentItsGround(t *testing.T) {
	for agents, want := range map[int]int{-5: 32, 0: 32, 1: 32, 64: 32, 65: 33, 10_000: 400, 1_000_000: 4000,
		16_777_216: 16384, math.MaxInt: 16384} {
		width, height := town.Size(agents)
		assert.Equal(t, [2]int{want, want}, [2]int{width, height}, "%d agents", agents)
	}
	for agents := 1; agents < 100_000; agents += 37 {
		width, height := town.Size(agents)
		require.GreaterOrEqual(t, width*height, town.AreaPerAgent*agents)
	}
}

func BenchmarkGenerate(b *testing.B) {
	for b.Loop() {
		town.Generate(4000, 4000, 1)
	}
}
