package space

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
)

// Routes are the patrol routes of a world: loops of waypoints that [components.Route] refers to by number. It is a
// resource of the world; fill it before the first frame. The zero value has no routes.
type Routes struct {
	points []components.Vec2 // of all routes, end to end
	starts []int32           // index in points of each route, and the end of the last
}

// Add copies a loop of waypoints, in metres, and returns the number of the route: 0, 1, 2…
//
// Panics when there is no waypoint, or one that is not finite.
func (r *Routes) Add(waypoints []components.Vec2) int32 {
	if len(waypoints) == 0 {
		panic("space: Routes.Add of a route without waypoints")
	}
	for i, p := range waypoints {
		if !vec.FiniteVec(p) {
			panic(fmt.Sprintf("space: Routes.Add: waypoint %d is at (%v, %v)", i, p.X, p.Y))
		}
	}
	if len(r.starts) == 0 {
		r.starts = append(r.starts, 0)
	}
	r.points = append(r.points, waypoints...)
	r.starts = append(r.starts, int32(len(r.points)))
	return int32(len(r.starts) - 2)
}

// Len returns the number of routes.
func (r *Routes) Len() int { return max(len(r.starts)-1, 0) }

// Waypoints returns the loop of a route, or nil when there is no such route. The caller must not change it.
func (r *Routes) Waypoints(route int32) []components.Vec2 {
	if route < 0 || int(route) >= r.Len() {
		return nil
	}
	start, end := r.starts[route], r.starts[route+1]
	return r.points[start:end:end]
}
