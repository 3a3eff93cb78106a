package movement

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/elementary"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/space"
)

const (
	maxDelta = 1    // seconds; a longer frame moves agents no farther
	maxSpeed = 1000 // metres per second
)

// walker moves the agents of one worker, one after the other.
type walker struct {
	world         *space.Map // nil: open country
	routes        *space.Routes
	separator     *separator
	actions       *action.Handles
	transforms    ecs.Lookup[components.Transform]
	seed          uint64
	now, previous components.Timestamp // of this frame and the last
	dt            float32              // seconds
	perSecond     float32              // 1 / dt
	maxTurn       vec.Rotor            // by which an agent can turn in this frame
	blockedAfter  float32              // seconds
	wayfinder     space.Wayfinder
	stats         Stats
	_             [64]byte // no two workers count in one cache line
}

// agent is the components of an agent that is being moved, with intermediate results.
type agent struct {
	entity    components.Entity
	transform *components.Transform
	body      *components.Body
	order     *components.Order    // nil without an Intent
	steering  *components.Steering // nil without one
	route     *components.Route    // nil without one

	position   components.Vec2 // metres
	clearance  float32         // metres that it keeps from walls
	speed      float32         // the most metres per second at which it walks
	direction  components.Vec2 // unit vector in which it wants to walk; zero when it wants to stand
	pace       float32         // metres per second at which it wants to walk
	lookAt     components.Vec2 // unit vector in which it wants to look; zero: where it walks
	asked      components.Vec2 // where it was sent
	goal       components.Vec2 // the place nearest to that where it can stand: the end of its path
	goalMove   components.Vec2 // by which the goal, or what it flees from, has moved since the last frame
	goalRadius float32         // metres to where it was sent at which it has arrived
	remaining  float32         // metres to the goal, straight
	newOrder   bool            // whether this is the first frame of the order
	pause      float32         // seconds to stand at a waypoint
	hasGoal    bool
	fleeing    bool
}

// begin prepares the walker for a frame.
func (w *walker) begin(s *System, dt float32) {
	w.world, w.routes, w.actions, w.transforms = s.world, s.routes, &s.actions, s.transforms
	w.seed, w.now, w.dt, w.separator = s.seed, s.clock.Now, dt, s.separator
	w.previous = w.now - s.clock.Step
	w.perSecond, w.maxTurn, w.blockedAfter = 1/dt, vec.NewRotor(s.turnRate*dt), s.blockedAfter
}

// step moves an agent and returns its position at the end of the frame.
func (w *walker) step(a *agent) components.Vec2 {
	a.position = a.transform.Position
	if !w.repair(a) {
		return a.position
	}
	push, f := w.separator.find(a.entity, a.position)
	if f.Passable(0, 0) {
		a.position, _ = f.KeepOff(a.position, a.clearance)
	} else {
		at, ok := space.NearestStandable(w.world, a.position, a.clearance)
		if !ok {
			w.stats.Stranded++
			a.body.Velocity = components.Vec2{}
			return a.position
		}
		w.stats.Freed++
		a.position, f = at, space.FootingAt(w.world, at)
	}
	w.decide(a)

	q, velocity, hit := a.position, components.Vec2{}, false
	look := a.lookAt
	if a.pace > 0 {
		look, velocity = a.direction, vec.Scale(a.direction, a.pace)
		if push != (components.Vec2{}) {
			velocity = sideStep(velocity, push)
		}
		if q, hit = space.Walk(w.world, &f, q, vec.Scale(velocity, w.dt), a.clearance); hit {
			velocity = vec.Scale(vec.Sub(q, a.position), w.perSecond)
		}
		if hit || push != (components.Vec2{}) { // face the velocity, unless the agent is held back
			if u, speed := vec.Direction(velocity); speed >= float32(progressShare*a.pace) {
				look = u
			}
		}
	}
	if push != (components.Vec2{}) {
		if d, most := vec.Length(push), min(float32(separationSpeed*w.dt), maxSeparation); d > most {
			push = vec.Scale(push, most/d)
		}
		q, _ = space.Walk(w.world, &f, q, push, a.clearance)
	}
	a.body.Velocity = velocity
	if look != (components.Vec2{}) {
		a.transform.Heading = w.maxTurn.Towards(a.transform.Heading, look)
	}
	switch {
	case a.hasGoal:
		w.reportProgress(a, q, hit)
	case a.fleeing:
		w.reportFlight(a, q)
	}
	return q
}

// repair replaces values of an agent that are not finite, so that they do not spread. It returns false when the
// position itself is not finite.
func (w *walker) repair(a *agent) bool {
	t, b := a.transform, a.body
	a.clearance, a.speed = space.Clearance(b.Radius), b.Speed
	// A sum of x-x is zero unless one of them is NaN or infinite.
	p, h, v := t.Position, t.Heading, b.Velocity
	if ((p.X-p.X)+(p.Y-p.Y))+((h.X-h.X)+(h.Y-h.Y))+((v.X-v.X)+(v.Y-v.Y))+((b.Radius-b.Radius)+(b.Speed-b.Speed)) == 0 {
		if d := vec.Dot(h, h); !(d > 0.5 && d < 2) {
			t.Heading = vec.Unit(h) // never set, or not a unit vector
		}
		return true
	}
	w.stats.Nonfinite++
	if !elementary.IsFinite(b.Radius) {
		a.clearance = space.Clearance(0)
	}
	if !elementary.IsFinite(b.Speed) {
		a.speed = 0
	}
	if !vec.FiniteVec(t.Heading) {
		t.Heading = vec.Unit(components.Vec2{})
	}
	if !vec.FiniteVec(b.Velocity) {
		b.Velocity = components.Vec2{}
	}
	return vec.FiniteVec(t.Position)
}
