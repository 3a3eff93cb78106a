package perception

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
)

// view is the field of view of one agent, with the nearest hostiles in sight found so far.
type view struct {
	at       components.Vec2                    // metres
	heading  components.Vec2                    // unit vector; zero without a cone
	cone     float32                            // square of its cosine, with the cosine's sign
	reach2   float32                            // square metres; shrinks to the last sighting once found is full
	entity   components.Entity                  // the agent itself
	skipSlot int                                // slot of the current target, which was tested before; -1: none
	limit    int                                // maximum number of sightings
	rays     int                                // rays cast so far
	inVain   int                                // rays of the search that met a wall
	drawn    uint32                             // hostiles of the search for which it was drawn whether they get a ray
	found    [components.MaxCandidates]sighting // nearest first
	count    int                                // of found
}

// setUpView sets the view of an agent. It returns false when the agent cannot see at all.
func (s *scene) setUpView(v *view, a *agent) bool {
	// No map is wider than components.NoDistance. An infinite sight radius would make the bounds of the view NaN.
	at, sight := a.transform.Position, min(a.senses.Sight, components.NoDistance)
	v.rays, v.inVain, v.drawn = 0, 0, 0
	if !(sight > 0) || !vec.FiniteVec(at) {
		return false
	}
	v.at, v.entity, v.reach2 = at, a.entity, float32(sight*sight)
	v.heading, v.cone = a.transform.Heading, a.senses.Cone
	length2 := float32(v.heading.X*v.heading.X) + float32(v.heading.Y*v.heading.Y)
	switch {
	case length2 > 0.999 && length2 < 1.001 && v.cone > -1:
	case length2 > 0 && length2 <= math.MaxFloat32 && v.cone > -1:
		length := float32(math.Sqrt(float64(length2)))
		v.heading = components.Vec2{X: v.heading.X / length, Y: v.heading.Y / length}
	default: // no cone or no heading: all around
		v.heading, v.cone = components.Vec2{}, -1
	}
	v.cone = signedSquare(v.cone)
	return true
}

// inCone reports whether a point is within the cone: whether the cosine of the angle to it is at least that of the
// cone. Both sides are squared with their signs, which keeps their order and avoids a root.
func (v *view) inCone(at components.Vec2) bool {
	dx, dy := at.X-v.at.X, at.Y-v.at.Y
	d2 := float32(dx*dx) + float32(dy*dy)
	return signedSquare(float32(v.heading.X*dx)+float32(v.heading.Y*dy)) >= float32(v.cone*d2)
}

// bounds returns the corners of a rectangle around the sector of the view, relative to its position.
func (v *view) bounds() (low, high components.Vec2) {
	reach := spatial.PaddedRadius(vec.Sqrt(v.reach2))
	if v.cone <= 0 {
		return components.Vec2{X: -reach, Y: -reach}, components.Vec2{X: reach, Y: reach}
	}
	// The sector is spanned by its point, the ends of its two edges, and the axes that lie within it.
	cos := vec.Sqrt(v.cone)
	sin := vec.Sqrt(max(0, 1-v.cone))
	h := v.heading
	ax, ay := float32(h.X*cos)-float32(h.Y*sin), float32(h.X*sin)+float32(h.Y*cos)
	bx, by := float32(h.X*cos)+float32(h.Y*sin), float32(h.Y*cos)-float32(h.X*sin)
	low = components.Vec2{X: min(0, ax, bx), Y: min(0, ay, by)}
	high = components.Vec2{X: max(0, ax, bx), Y: max(0, ay, by)}
	if -h.X >= cos {
		low.X = -1
	}
	if h.X >= cos {
		high.X = 1
	}
	if -h.Y >= cos {
		low.Y = -1
	}
	if h.Y >= cos {
		high.Y = 1
	}
	const margin = 1.0 / 64
	low = components.Vec2{X: float32(reach*low.X) - margin, Y: float32(reach*low.Y) - margin}
	high = components.Vec2{X: float32(reach*high.X) + margin, Y: float32(reach*high.Y) + margin}
	return low, high
}

// signedSquare squares a number and keeps its sign.
func signedSquare(x float32) float32 {
	return float32(x * math.Float32frombits(math.Float32bits(x)&^(1<<31)))
}
