package town

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/space"
)

const (
	routeLegs  = 4   // maximum number of waypoints of a generated route
	routeNear  = 6   // metres between consecutive waypoints at least
	routeFar   = 30  // metres at most
	routeDraws = 256 // points that are tried for a waypoint
)

// Routes returns n walkable loops over a map, the same for the same arguments. A body of any size can walk straight
// from each waypoint of a loop to the next, and from the last to the first. Consecutive waypoints are 6 to 30 metres
// apart, but for the last and the first, which can be further apart. A loop has 2 to 4 waypoints, or 1 where no second
// one is found, in a small enclosed area.
//
// Panics when n is negative or the map has no passable tile.
func Routes(m *space.Map, n int, seed uint64) *space.Routes {
	if n < 0 {
		panic(fmt.Sprintf("town: Routes of %d routes", n))
	}
	r := &space.Routes{}
	key := random.Mix(random.String("routes"), seed)
	loop := make([]components.Vec2, 0, routeLegs)
	for i := range n {
		draw := random.Mix(key, uint64(i))
		start, ok := m.RandomPoint(draw, 0)
		if !ok {
			panic("town: Routes on a map without a passable tile")
		}
		loop = append(loop[:0], space.TileCentre(space.TileOf(start)))
		for len(loop) < routeLegs {
			next, ok := nextWaypoint(m, loop, random.Mix(draw, uint64(len(loop))))
			if !ok {
				break
			}
			loop = append(loop, next)
		}
		r.Add(loop)
	}
	return r
}

// nextWaypoint draws a point from which a body can walk straight to the last waypoint and to the first.
func nextWaypoint(m *space.Map, loop []components.Vec2, key uint64) (components.Vec2, bool) {
	first, last := loop[0], loop[len(loop)-1]
	for try := range uint64(routeDraws) {
		draw := random.Mix(key, try)
		side := uint32(2*routeFar + 1)
		x, y := space.TileOf(last)
		x += int(random.Below(draw, side)) - routeFar
		y += int(random.Below(draw<<32, side)) - routeFar
		if !m.Passable(x, y) {
			continue
		}
		at := space.TileCentre(x, y)
		if _, d := vec.Direction(vec.Sub(at, last)); d < routeNear || d > routeFar {
			continue
		}
		if _, d := vec.Direction(vec.Sub(at, first)); d < routeNear {
			continue
		}
		if space.Walkable(m, last, at, space.MaxClearance) && space.Walkable(m, at, first, space.MaxClearance) {
			return at, true
		}
	}
	return components.Vec2{}, false
}
