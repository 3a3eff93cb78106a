package perception_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/internal/testworld"
	"github.com/flockwork-ai/flockwork/systems/perception"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// The search goes row by row and ends when the next row is farther than what it has found. The nearest stands just
// beyond the edge of its row, nearer than someone in the row of the viewer; the rows in the other direction are
// farther, or there is none.
func TestTheNearestIsFoundBeyondTheEdgeOfItsRow(t *testing.T) {
	for _, side := range []float32{-1, 1} {
		for row := range 8 {
			g := guard(20, 20)
			g.Senses.Cone = -1
			people := []testworld.Agent{g, intruder(20, 20), intruder(20, 20)}
			// Both ends of the map are occupied by bystanders, so that the grid covers it.
			for i := range 8 {
				people = append(people, testworld.Agent{At: components.Vec2{X: 1, Y: float32(5*i) + 1}, Faction: 1})
			}
			h := testworld.NewSensingWorld(t, space.NewMap(40, 40), 1, people, nil)
			runFrame := testworld.Run(h, &perception.System{})
			runFrame()
			cell := 1 / h.Grid.PerMetre
			require.Greater(t, cell, float32(1.1), "one row has room for what follows")
			edge := h.Grid.Origin.Y + cell*float32(row)
			// Metres to the edge, to someone to the east in the same row, and to someone beyond the edge.
			for _, c := range []struct{ edge, east, beyond float32 }{{0.985, 1, 0.99}, {0.3, 0.9, 0.5}} {
				y := edge - side*c.edge
				if y-1 < 0 || y+1 > 40 || edge+side < 0 || edge+side > 40 {
					continue
				}
				move(h, 0, 20, y)
				move(h, 1, 20+c.east, y)
				move(h, 2, 20, y+side*c.beyond)
				*testworld.Get[components.Percept](t, h, 0) = components.NewPercept()
				runFrame()
				require.NotEqual(t, h.Grid.Row(y), h.Grid.Row(y+side*c.beyond), "row %d", row)
				assert.Equal(t, h.Entities[2], testworld.Get[components.Percept](t, h, 0).Target, "row %d to %v, %v m",
					row, side, c.edge)
			}
		}
	}
}

func TestTheOutermostRowsAndColumnsOfAViewAreSearched(t *testing.T) {
	for _, at := range []components.Vec2{{X: 20, Y: 10.1}, {X: 20, Y: 29.9}, {X: 10.1, Y: 20}, {X: 29.9, Y: 20}} {
		g := guard(20, 20)
		g.Senses.Cone = -1
		people := []testworld.Agent{g, intruder(at.X, at.Y)}
		for i := range 8 {
			people = append(people, testworld.Agent{At: components.Vec2{X: 1, Y: float32(5*i) + 1}, Faction: 1})
		}
		h := testworld.NewSensingWorld(t, space.NewMap(40, 40), 1, people, nil)
		testworld.Run(h, &perception.System{})()
		require.NotEqual(t, h.Grid.Row(10.1), h.Grid.Row(20))
		assert.True(t, testworld.Get[components.Percept](t, h, 0).Visible, "%v, 9.9 m away", at)
	}
}
