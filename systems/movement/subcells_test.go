package movement

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// crowdGrid returns a grid of agents at some points, of up to three factions.
func crowdGrid(cell float32, m *space.Map, at []components.Vec2, radii []float32) *spatial.Grid {
	g := spatial.NewGrid(cell)
	part := spatial.Columns{}
	for i := range at {
		part.Entities = append(part.Entities, components.Entity{Index: uint32(i + 1)})
		part.Transforms = append(part.Transforms, components.Transform{Position: at[i]})
		part.Factions = append(part.Factions, components.Faction{ID: uint8(i % 3)})
		part.Bodies = append(part.Bodies, components.Body{Radius: radii[i]})
	}
	g.BuildFrom(m, part)
	return g
}

func TestAroundFindsAllAgentsWithinReach(t *testing.T) {
	var cells subCells // what is left of the last grid does no harm
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.Uint64().Draw(t, "key")
		n := rapid.IntRange(1, 200).Draw(t, "agents")
		side := rapid.Float32Range(1, 60).Draw(t, "side")
		widest := rapid.SampledFrom([]float32{0.1, 0.3, 0.5, 1, 2, 3}).Draw(t, "widest")
		cell := rapid.SampledFrom([]float32{1, 1.7, 4, 9}).Draw(t, "cell")
		low := rapid.SampledFrom([]float32{0, -5, -70000, 40000}).Draw(t, "low")
		var m *space.Map
		if rapid.Bool().Draw(t, "map") {
			m, low = space.NewMap(40, 30), min(low, 0) // some stand beyond its edges
		}
		at, radii := make([]components.Vec2, n), make([]float32, n)
		for i := range at {
			draw := random.Mix(key, uint64(i))
			at[i] = components.Vec2{
				X: low + float32(random.Unit(draw)*side),
				Y: low + float32(random.Unit(draw<<24)*side),
			}
			if i > 0 && draw%5 == 0 {
				at[i] = at[i-1]
			}
			radii[i] = float32(widest * float32(draw%4) / 3)
		}
		g := crowdGrid(cell, m, at, radii)
		cells.fit(g, largestPushRadius(g))
		next := 0
		for task := range (g.Rows + cells.rows - 1) / cells.rows {
			start, stop := cells.load(task)
			require.Equal(t, next, start)
			next = stop
			for slot := start; slot < stop; slot++ {
				if pushRadius(g.Radii[slot]) == 0 {
					continue
				}
				p, reach := g.Positions[slot], pushRadius(g.Radii[slot])+cells.largest
				var want []uint32
				for other, q := range g.Positions {
					away := vec.Sub(p, q)
					if other != slot && g.Radii[other] > 0 && vec.Dot(away, away) < float32(reach*reach) {
						want = append(want, uint32(other))
					}
				}
				found += len(want)
				require.ElementsMatch(t, want, cells.around(slot, reach), "slot %d", slot)
				require.IsIncreasing(t, append([]uint32{0}, addOne(cells.around(slot, reach))...))
			}
		}
		require.Equal(t, n, next)
	})
	assert.Positive(t, found)
}

// addOne returns slots that are one more, so that they are above 0.
func addOne(slots []uint32) []uint32 {
	var more []uint32
	for _, slot := range slots {
		more = append(more, slot+1)
	}
	return more
}

func TestOfACrowdAtOnePointOnlySomeAreTested(t *testing.T) {
	const n = 3000
	at, radii := make([]components.Vec2, n), make([]float32, n)
	for i := range at {
		at[i], radii[i] = components.Vec2{X: 5.5, Y: 5.5}, 0.3
	}
	g := crowdGrid(0, space.NewMap(10, 10), at, radii)
	var cells subCells
	cells.fit(g, 0.3)
	cells.load(0)
	assert.InDelta(t, maxNeighbours, len(cells.around(n/2, 0.6)), 1, "itself may be among them")
	allocs.None(t, 10, func() { cells.around(n/2, 0.6) })
}
