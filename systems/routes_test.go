package systems

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRoutesAreCopiedAndNumbered(t *testing.T) {
	r := &Routes{}
	assert.Zero(t, r.Len())
	assert.Nil(t, r.Waypoints(0))
	loop := []vec2{{X: 1, Y: 2}, {X: 3, Y: 4}}
	first, second := r.Add(loop), r.Add([]vec2{{X: 5, Y: 6}})
	loop[0] = vec2{}
	assert.Equal(t, []int32{0, 1}, []int32{first, second})
	assert.Equal(t, []vec2{{X: 1, Y: 2}, {X: 3, Y: 4}}, r.Waypoints(0))
	assert.Equal(t, []vec2{{X: 5, Y: 6}}, r.Waypoints(1))
	assert.Nil(t, r.Waypoints(2))
	assert.Nil(t, r.Waypoints(-1))
}

func TestRoutesRefuse(t *testing.T) {
	r := &Routes{}
	assert.PanicsWithValue(t, "systems: Routes.Add of a route without waypoints", func() { r.Add(nil) })
	assert.PanicsWithValue(t, "systems: Routes.Add: waypoint 1 is at (NaN, 3)",
		func() { r.Add([]vec2{{X: 1}, {X: float32(math.NaN()), Y: 3}}) })
	assert.Zero(t, r.Len(), "nothing partial is left")
	assert.PanicsWithValue(t, "systems: GenerateRoutes of -1 routes", func() { GenerateRoutes(plain(), -1, 1) })
	assert.PanicsWithValue(t, "systems: GenerateRoutes on a map without a passable tile", func() { GenerateRoutes(drawn("@@"), 1, 1) })
}

func TestGeneratedRoutesAreLoopsInLineOfWalk(t *testing.T) {
	m := GenerateMap(128, 128, 5)
	r := GenerateRoutes(m, 500, 9)
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
			require.True(t, walkable(m, p, q, maxClearance), "route %d from %v to %v", i, p, q)
			require.GreaterOrEqual(t, length(sub(q, p)), float32(routeNear))
			legs++
		}
	}
	assert.Greater(t, legs, 1200)
	assert.Less(t, singles, 50)
	assert.Equal(t, r, GenerateRoutes(m, 500, 9), "the same seed")
	assert.NotEqual(t, r, GenerateRoutes(m, 500, 10), "another seed")
}
