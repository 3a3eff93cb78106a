package town_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/space"
)

func TestRoutesAreCopiedAndNumbered(t *testing.T) {
	r := &space.Routes{}
	assert.Zero(t, r.Len())
	assert.Nil(t, r.Waypoints(0))
	loop := []components.Vec2{{X: 1, Y: 2}, {X: 3, Y: 4}}
	first, second := r.Add(loop), r.Add([]components.Vec2{{X: 5, Y: 6}})
	loop[0] = components.Vec2{}
	assert.Equal(t, []int32{0, 1}, []int32{first, second})
	assert.Equal(t, []components.Vec2{{X: 1, Y: 2}, {X: 3, Y: 4}}, r.Waypoints(0))
	assert.Equal(t, []components.Vec2{{X: 5, Y: 6}}, r.Waypoints(1))
	assert.Nil(t, r.Waypoints(2))
	assert.Nil(t, r.Waypoints(-1))
}

func TestRoutesRefuse(t *testing.T) {
	r := &space.Routes{}
	assert.PanicsWithValue(t, "space: Routes.Add of a route without waypoints", func() { r.Add(nil) })
	assert.PanicsWithValue(t, "space: Routes.Add: waypoint 1 is at (NaN, 3)",
		func() { r.Add([]components.Vec2{{X: 1}, {X: float32(math.NaN()), Y: 3}}) })
	assert.Zero(t, r.Len(), "nothing partial is left")
	walls := space.NewMap(2, 1)
	walls.Set(0, 0, space.Wall)
	walls.Set(1, 0, space.Wall)
	assert.PanicsWithValue(t, "town: Routes of -1 routes", func() { town.Routes(space.NewMap(64, 64), -1, 1) })
	assert.PanicsWithValue(t, "town: Routes on a map without a passable tile",
		func() { town.Routes(walls, 1, 1) })
}

func TestGeneratedRoutesAreLoopsInLineOfWalk(t *testing.T) {
	m := town.Generate(128, 128, 5)
	r := town.Routes(m, 500, 9)
	require.Equal(t, 500, r.Len())
	legs, singles := 0, 0
	for i := range int32(500) {
		loop := r.Waypoints(i)
		if len(loop) == 1 {
			singles++
			continue
		}
		for j, p := range loop {
			q := loop[(j+1)%len(loop)]
			require.True(t, space.Walkable(m, p, q, space.MaxClearance), "route %d from %v to %v", i, p, q)
			require.GreaterOrEqual(t, vec.Length(vec.Sub(q, p)), float32(town.RouteNear))
			legs++
		}
	}
	assert.Greater(t, legs, 1200)
	assert.Less(t, singles, 50)
	assert.Equal(t, r, town.Routes(m, 500, 9), "the same seed")
	assert.NotEqual(t, r, town.Routes(m, 500, 10), "another seed")
}
