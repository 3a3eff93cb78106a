package movement

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// Modes of a components.Steering.
const (
	straight  uint8 = iota // walks straight to the goal
	pausing                // pauses at a waypoint
	detouring              // heads for a tile of a path to the goal
	searching              // heads for the reachable tile nearest to a goal that no path was found to
	enclosed               // no reachable tile is nearer to the goal; heads for the nearest place in this one
)

const (
	straightLookAhead = 24   // metres of the straight line that are tested
	tileRadius        = 0.35 // metres from the tile headed for at which the next tile is looked up
	lookPhases        = 64   // number of instants within lookInterval; each agent tests its path at one of them

	lookInterval components.Timestamp = 768e6 // nanoseconds between two tests of a path
)

// straightOpen reports whether the straight line to an agent's goal is walkable, up to straightLookAhead metres.
func (w *walker) straightOpen(a *agent) bool {
	u, d := vec.Direction(vec.Sub(a.goal, a.position))
	end := vec.Add(a.position, vec.Scale(u, min(d, straightLookAhead)))
	return space.Walkable(w.world, a.position, end, a.clearance)
}

// dueToLook reports whether an agent on a path tests in this frame whether the path still holds. It does so once in
// lookInterval, at an instant that depends on its entity index.
func (w *walker) dueToLook(a *agent) bool {
	phase := components.Timestamp(a.entity.Index%lookPhases) * (lookInterval / lookPhases)
	return (w.now+phase)/lookInterval != (w.previous+phase)/lookInterval
}

// detour finds the tile to head for on the path round the obstacle between an agent and its goal.
func (w *walker) detour(a *agent) {
	s := a.steering
	x, y, steps, whole := w.wayfinder.Find(w.world, a.position, a.goal, a.clearance)
	switch {
	case steps == 0 && whole:
		s.Mode = straight // the goal is in the agent's tile
	case steps == 0:
		s.Mode = enclosed
	case whole:
		s.Mode = detouring
		limitPatience(s, float32(steps))
	default:
		s.Mode = searching
	}
	s.DetourTile = int32(y*w.world.Width + x)
}

// detourPoint returns where an agent on a detour heads for: the middle of a tile or, in the last tile of a path that
// does not lead to the goal, the place nearest to the goal.
func (w *walker) detourPoint(a *agent) components.Vec2 {
	at := w.tileCentre(a.steering.DetourTile)
	if a.steering.Mode == enclosed {
		f := space.FootingAt(w.world, at)
		at = f.Nearest(a.goal, a.clearance)
	}
	return at
}

// tileCentre returns the middle of a tile, given by its number.
func (w *walker) tileCentre(number int32) components.Vec2 {
	return space.TileCentre(int(number)%w.world.Width, int(number)/w.world.Width)
}
