package movement

import (
	"math"
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

func TestOverlappingFindsAllBodiesThatOverlap(t *testing.T) {
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
				p, radius := g.Positions[slot], pushRadius(g.Radii[slot])
				var overlap, touch []uint32
				for other, q := range g.Positions {
					if other == slot || !(g.Radii[other] > 0) {
						continue
					}
					reach := float64(radius + pushRadius(g.Radii[other]))
					d := math.Hypot(float64(p.X-q.X), float64(p.Y-q.Y))
					if d < reach {
						overlap = append(overlap, uint32(other))
					}
					if d <= reach*(1+1e-6) {
						touch = append(touch, uint32(other))
					}
				}
				found += len(overlap)
				got := cells.overlapping(slot, radius)
				require.IsIncreasing(t, append([]uint32{0}, addOne(got)...))
				require.Subset(t, touch, got, "slot %d", slot)
				if len(touch) <= maxOverlaps {
					require.Subset(t, got, overlap, "slot %d", slot)
				} else {
					require.GreaterOrEqual(t, len(got), maxOverlaps, "slot %d", slot)
				}
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

func TestOfACrowdAtOnePointOnlySomePush(t *testing.T) {
	const n = 3000
	at, radii := make([]components.Vec2, n), make([]float32, n)
	for i := range at {
		at[i], radii[i] = components.Vec2{X: 5.5, Y: 5.5}, 0.3
	}
	g := crowdGrid(0, space.NewMap(10, 10), at, radii)
	var cells subCells
	cells.fit(g, 0.3)
	cells.load(0)
	assert.Len(t, cells.overlapping(n/2, 0.3), maxOverlaps)
	allocs.None(t, 10, func() { cells.overlapping(n/2, 0.3) })
}

// Of a crowd that is too dense to test all, those that push an agent lie on all sides of it.
func TestACrowdThatIsTooDenseIsPushedNowhere(t *testing.T) {
	const n = 4000
	at, radii := make([]components.Vec2, n), make([]float32, n)
	for i := range at {
		at[i].X, at[i].Y = 4+3*random.Unit(random.Mix(1, uint64(i))), 4+3*random.Unit(random.Mix(2, uint64(i)))
		radii[i] = 0.3
	}
	g := crowdGrid(0, space.NewMap(12, 12), at, radii)
	var cells subCells
	cells.fit(g, 0.3)
	start, stop := cells.load(0)
	sum, agents := components.Vec2{}, 0
	for slot := start; slot < stop; slot++ {
		if p := g.Positions[slot]; p.X < 4.7 || p.X > 6.3 || p.Y < 4.7 || p.Y > 6.3 {
			continue // at the edge of the crowd
		}
		agents++
		for _, other := range cells.overlapping(slot, 0.3) {
			sum = vec.Add(sum, vec.Sub(g.Positions[slot], g.Positions[other]))
		}
	}
	require.Greater(t, agents, 500)
	mean := vec.Length(sum) / float32(agents*maxOverlaps)
	assert.Less(t, mean, float32(0.03), "metres; a neighbour is 0.4 m away")
}
