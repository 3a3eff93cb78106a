package scenario

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
)

// realMap returns the path of a real city map, which is not part of this repository, and skips the test where it is
// absent.
func realMap(t *testing.T, name string) string {
	path := filepath.Join("..", "..", "..", "shared", "maps", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no map %s", path)
	}
	return path
}

func TestASecondAfterTheStartAgentsDoNotStandInOneAnother(t *testing.T) {
	for _, c := range []struct {
		name   string
		agents int
		path   func(*testing.T) string
	}{
		{"generated town", 4000, func(*testing.T) string { return "" }},
		{"Berlin", 4000, func(t *testing.T) string { return realMap(t, "Berlin_0_256.map") }},
		{"Denver, crowded", 10000, func(t *testing.T) string { return realMap(t, "Denver_0_256.map") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() {
				if c.agents = 400; c.name != "generated town" {
					t.Skip("a real map needs a crowd")
				}
			}
			config := sim.DefaultConfig(Siege())
			config.Agents, config.Map = c.agents, c.path(t)
			s, err := sim.NewSimulation(config)
			require.NoError(t, err)
			defer s.Close()
			for range config.FPS {
				s.Step()
			}
			neighbours, overlaps := countOverlaps(s)
			assert.Greater(t, neighbours, c.agents/4)
			assert.Less(t, float64(overlaps), 0.01*float64(neighbours), "%d of %d neighbouring pairs", overlaps,
				neighbours)
			for _, tile := range standingOn(s) {
				require.True(t, s.Map.Passable(tile[0], tile[1]), "an agent stands in the wall at %v", tile)
			}
		})
	}
}

// countOverlaps compares everyone with everyone: pairs within 2 m, and those of them that overlap by more than half
// a radius.
func countOverlaps(s *sim.Simulation) (neighbours, overlaps int) {
	var at []components.Vec2
	var radius []float32
	columns := ecs.NewColumns(s.World(), ecs.Need[components.Transform](), ecs.Need[components.Body]())
	defer columns.Release()
	chunks := columns.Open()
	for i := range chunks {
		for row, t := range ecs.Column[components.Transform](&chunks[i], 0) {
			at = append(at, t.Position)
			radius = append(radius, ecs.Column[components.Body](&chunks[i], 1)[row].Radius)
		}
	}
	columns.Close()
	for i := range at {
		for j := range i {
			dx, dy := at[i].X-at[j].X, at[i].Y-at[j].Y
			if dx > 2 || dx < -2 || dy > 2 || dy < -2 {
				continue
			}
			d := dx*dx + dy*dy
			if d > 4 {
				continue
			}
			neighbours++
			if apart := radius[i] + radius[j] - min(radius[i], radius[j])/2; d < apart*apart {
				overlaps++
			}
		}
	}
	return neighbours, overlaps
}

func standingOn(s *sim.Simulation) (tiles [][2]int) {
	columns := ecs.NewColumns(s.World(), ecs.Need[components.Transform]())
	defer columns.Release()
	chunks := columns.Open()
	defer columns.Close()
	for i := range chunks {
		for _, t := range ecs.Column[components.Transform](&chunks[i], 0) {
			tiles = append(tiles, [2]int{int(t.Position.X), int(t.Position.Y)})
		}
	}
	return tiles
}
