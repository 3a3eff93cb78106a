package town_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// On any map, places lie where every villager can go, and those of a neighbourhood near each other.
func TestAllPlacesOfANeighbourhoodCanBeReached(t *testing.T) {
	parse := func(rows ...string) *space.Map {
		m, err := space.ParseMap("test",
			strings.NewReader("type octile\nheight "+strconv.Itoa(len(rows))+"\nwidth "+
				""+strconv.Itoa(len(rows[0]))+"\nmap\n"+strings.Join(rows, "\n")+"\n"))
		require.NoError(t, err)
		return m
	}
	half := strings.Repeat(".", 20) + "@" + strings.Repeat(".", 30)
	var divided []string
	for range 40 {
		divided = append(divided, half)
	}
	width, height := town.Size(600)
	for name, c := range map[string]struct {
		m         *space.Map
		villagers int
	}{
		"a town":                  {town.Generate(width, height, 3), 600},
		"a tile":                  {parse("@@@", "@.@", "@@@"), 45},
		"two parts":               {parse(divided...), 130},
		"more people than ground": {space.NewMap(8, 8), 200},
	} {
		neighbourhoods, err := town.PlanVillage(c.m, c.villagers, 1)
		require.NoError(t, err)
		people := 0
		for i := range neighbourhoods {
			n := &neighbourhoods[i]
			people += n.Villagers
			ways := distances(c.m, n.Square)
			for _, places := range [][]components.Vec2{n.Stores, n.Workplaces, n.Beds} {
				require.NotEmpty(t, places, name)
				for _, at := range places {
					way, ok := ways[[2]int{int(at.X), int(at.Y)}]
					require.True(t, ok, "%s: neighbourhood %d has a place at %v, its square at %v", name, i, at,
						n.Square)
					assert.LessOrEqual(t, way, 60, name)
				}
			}
			if name == "two parts" {
				assert.Greater(t, n.Square.X, float32(21), "in the larger part")
			}
		}
		assert.Equal(t, c.villagers, people, name)
	}
	_, err := town.PlanVillage(func() *space.Map { m := space.NewMap(1, 1); m.Set(0, 0, space.Wall); return m }(), 1, 1)
	assert.EqualError(t, err, "the map has no passable tile")
}

// distances returns how many steps each tile is from the one at a point.
func distances(m *space.Map, from components.Vec2) map[[2]int]int {
	start := [2]int{int(from.X), int(from.Y)}
	ways, queue := map[[2]int]int{start: 0}, [][2]int{start}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
			to := [2]int{at[0] + d[0], at[1] + d[1]}
			if _, known := ways[to]; !known && m.Passable(to[0], to[1]) {
				ways[to] = ways[at] + 1
				queue = append(queue, to)
			}
		}
	}
	return ways
}
