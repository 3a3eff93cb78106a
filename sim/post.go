package sim

import (
	"math"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/lifecycle"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// Post relates a patrolling agent to the current leg of its [components.Route]. A tree reads it to send an agent back
// that has left its route. [PostSystem] writes it.
type Post struct {
	Position components.Vec2 // the waypoint at the end of the leg, metres
	Distance float32         // of the agent from the leg, metres
}

// PostSystem writes the [Post] of the agents that decide in this frame. It runs after LOD and before AI. An agent
// without a route keeps its Post as it is.
type PostSystem struct {
	guard   lifecycle.Guard[arche.World]
	routes  *space.Routes
	columns *ecs.Columns
}

// Initialize implements [ecs.System].
//
// Panics when the world has no [space.Routes].
func (s *PostSystem) Initialize(w *arche.World) {
	s.Finalize(w) // releases an earlier world
	s.guard.Begin("sim.PostSystem", w)
	s.routes = ecs.Resource[space.Routes](w)
	s.columns = ecs.NewColumns(w, ecs.Need[Post](), ecs.Need[components.LOD](), ecs.Need[components.Route](),
		ecs.Need[components.Transform]())
}

// Update implements [ecs.System].
//
// Panics before Initialize, after Finalize and with another world than that of Initialize.
func (s *PostSystem) Update(w *arche.World) {
	s.guard.Check("sim.PostSystem", w)
	chunks := s.columns.Open()
	for i := range chunks {
		k := &chunks[i]
		posts, lods := ecs.Column[Post](k, 0), ecs.Column[components.LOD](k, 1)
		routes, transforms := ecs.Column[components.Route](k, 2), ecs.Column[components.Transform](k, 3)
		for row := range posts {
			if !lods[row].Due() {
				continue
			}
			points := s.routes.Waypoints(routes[row].ID)
			if len(points) == 0 {
				continue
			}
			next := int(max(routes[row].Next, 0)) % len(points) // as movement.System reads it
			last := (next + len(points) - 1) % len(points)
			posts[row] = Post{
				Position: points[next],
				Distance: distanceToSegment(transforms[row].Position, points[last], points[next]),
			}
		}
	}
	s.columns.Close()
}

// Finalize implements [ecs.System].
func (s *PostSystem) Finalize(*arche.World) {
	scratch.Release(&s.columns)
	s.guard.End()
}

// distanceToSegment returns the distance from p to the segment from a to b. Products are converted before they are
// added, so that no compiler fuses them and the result has the same bits on every platform.
func distanceToSegment(p, a, b components.Vec2) float32 {
	x, y := float64(p.X-a.X), float64(p.Y-a.Y)
	dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
	if length := float64(dx*dx) + float64(dy*dy); length > 0 {
		t := min(max((float64(x*dx)+float64(y*dy))/length, 0), 1)
		x, y = x-float64(t*dx), y-float64(t*dy)
	}
	return float32(math.Sqrt(float64(x*x) + float64(y*y)))
}
