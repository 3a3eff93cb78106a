package movement

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/space"
)

const (
	maxDelta           = 1       // seconds; a longer frame moves agents no farther
	maxSpeed           = 1000    // metres per second
	maxCoordinate      = 1 << 24 // metres; a point beyond is on no map
	pointRadius        = 0.5     // metres at which a point is reached
	targetRadius       = 1       // metres at which a target is reached
	crowdTolerance     = 1       // metres by which a point that one cannot get nearer to counts as reached
	slowingTime        = 0.75    // seconds before arrival at which one slows down
	slowestShare       = 0.2     // of the speed, at arrival
	searchingRate      = 0.25    // seconds of patience that a second of groping takes
	searchingGain      = 1       // metres by which one who gropes must come nearer to be on its way
	straightLookAhead  = 24      // metres of the straight way that are looked at
	tileRadius         = 0.35    // metres from the tile headed for at which the next is looked for
	lookPhases         = 64      // instants at which agents look again
	progressShare      = 0.5     // of the way that must be made good to come nearer
	maxRejoinWaypoints = 64      // waypoints among which one looks for the way back to a route

	lookInterval components.Timestamp = 768e6 // nanoseconds between two looks of one on a way round
)

// walker moves one agent after the other on behalf of a worker.
type walker struct {
	world        *space.Map
	routes       *space.Routes
	separator    *separator
	actions      *action.Handles
	transforms   ecs.Lookup[components.Transform]
	seed         uint64
	now, before  components.Timestamp // of this frame and the last
	dt           float32
	perSecond    float32   // 1 / dt
	maxTurn      vec.Rotor // a frame's turn
	blockedAfter float32
	wayfinder    space.Wayfinder
	stats        Stats
	_            [64]byte // no two workers count in one cache line
}

func (k *walker) begin(l *System, dt float32) {
	k.world, k.routes, k.actions, k.transforms = l.world, l.routes, &l.actions, l.transforms
	k.seed, k.now, k.dt, k.separator = l.seed, l.clock.Now, dt, l.separator
	k.before = k.now - l.clock.Step
	k.perSecond, k.maxTurn, k.blockedAfter = 1/dt, vec.NewRotor(l.TurnRate*dt), l.BlockedAfter
}

// agent is an agent while it is being moved.
type agent struct {
	entity    components.Entity
	transform *components.Transform
	body      *components.Body
	order     *components.Order    // nil without an Intent
	steering  *components.Steering // nil without one
	route     *components.Route    // nil without one

	position   components.Vec2
	clearance  float32         // metres it keeps from walls
	speed      float32         // metres per second that it may walk
	direction  components.Vec2 // unit direction in which it wants to walk; zero when it wants to stand
	pace       float32         // metres per second that it wants to walk
	lookAt     components.Vec2 // unit direction in which it wants to look; zero: where it walks
	goal       components.Vec2 // where the way that it follows ends
	remaining  float32         // metres to there
	newOrder   bool            // whether the order is new
	goalRadius float32         // metres at which it is there
	pause      float32         // seconds to stand at a waypoint
	hasGoal    bool            // whether it has a goal
	fleeing    bool            // whether it flees
}

// step returns where an agent stands at the end of the frame.
func (k *walker) step(a *agent) components.Vec2 {
	a.position = a.transform.Position
	if !k.repair(a) {
		return a.position
	}
	push, f := k.separator.find(a.entity, a.position)
	if f.Passable(0, 0) {
		a.position, _ = f.KeepOff(a.position, a.clearance)
	} else {
		at, ok := space.NearestStandable(k.world, a.position, a.clearance)
		if !ok {
			k.stats.Stranded++
			a.body.Velocity = components.Vec2{}
			return a.position
		}
		k.stats.Freed++
		a.position, f = at, space.FootingAt(k.world, at)
	}
	k.decide(a)

	q, velocity, hit := a.position, components.Vec2{}, false
	look := a.lookAt
	if a.pace > 0 {
		look, velocity = a.direction, vec.Scale(a.direction, a.pace)
		if push != (components.Vec2{}) {
			velocity = sideStep(velocity, push)
		}
		if q, hit = space.Walk(k.world, &f, q, vec.Scale(velocity, k.dt), a.clearance); hit {
			velocity = vec.Scale(vec.Sub(q, a.position), k.perSecond)
		}
		if hit || push != (components.Vec2{}) { // unless it leans against a wall, or somebody, it looks where it goes
			if u, speed := vec.Direction(velocity); speed >= float32(progressShare*a.pace) {
				look = u
			}
		}
	}
	if push != (components.Vec2{}) {
		if d, most := vec.Length(push), min(float32(separationSpeed*k.dt), maxSeparation); d > most {
			push = vec.Scale(push, most/d)
		}
		q, _ = space.Walk(k.world, &f, q, push, a.clearance)
	}
	a.body.Velocity = velocity
	if look != (components.Vec2{}) {
		a.transform.Heading = k.maxTurn.Towards(a.transform.Heading, look)
	}
	switch {
	case a.hasGoal:
		k.reportProgress(a, q, hit)
	case a.fleeing:
		k.reportFlight(a, q)
	}
	return q
}

// repair sees to it that nothing that is not finite is reckoned with; false when the position itself is none.
func (k *walker) repair(a *agent) bool {
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
	k.stats.Nonfinite++
	if !vec.IsFinite(b.Radius) {
		a.clearance = space.MinClearance
	}
	if !vec.IsFinite(b.Speed) {
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

// decide turns an agent's order into the direction and the speed at which it wants to walk.
func (k *walker) decide(a *agent) {
	o := a.order
	if o == nil {
		v := a.body.Velocity
		if longest := max(vec.Absolute(v.X), vec.Absolute(v.Y)); longest > maxSpeed {
			v = vec.Scale(v, maxSpeed/longest)
		}
		a.direction, a.pace = vec.Direction(v)
		return
	}
	if o.Action == 0 {
		return
	}
	factor := o.Numbers[0]
	if factor == 0 || !vec.IsFinite(factor) {
		factor = 1
	}
	a.speed = min(max(a.speed*factor, 0), maxSpeed)
	if s := a.steering; s != nil && s.Serial != o.Serial {
		*s = components.Steering{Serial: o.Serial, Closest: math.MaxFloat32}
		a.newOrder = true
		if o.Action == k.actions.Patrol {
			k.rejoin(a)
		}
	}
	point, ok := o.Point, true
	if !o.Target.IsZero() {
		t := k.transforms.Get(o.Target)
		if ok = t != nil; ok {
			point = t.Position
		}
		// The others look where they go.
		if ok && (o.Outcome != components.Pending || o.Action == k.actions.Stand || o.Action == k.actions.Patrol) {
			a.lookAt, _ = vec.Direction(vec.Sub(point, a.position))
		}
	}
	if o.Outcome != components.Pending {
		return
	}
	if !(vec.Absolute(point.X) < maxCoordinate && vec.Absolute(point.Y) < maxCoordinate) {
		if !vec.FiniteVec(point) {
			k.stats.Nonfinite++
		}
		ok = false
	}
	number := o.Numbers[1]
	if !vec.IsFinite(number) {
		number = 0
	}
	switch o.Action {
	case k.actions.Seek, k.actions.Arrive:
		if !ok {
			o.Outcome = components.Failed
			return
		}
		a.goalRadius = number
		if number <= 0 {
			a.goalRadius = pointRadius
			if !o.Target.IsZero() {
				a.goalRadius = targetRadius
			}
		}
		k.headFor(a, point)
		if near := float32(a.speed * slowingTime); o.Action == k.actions.Arrive && a.remaining < near {
			a.pace = min(a.pace, float32(a.speed*max(a.remaining/near, slowestShare)))
		}
	case k.actions.Flee:
		if !ok {
			o.Outcome = components.Failed
			return
		}
		k.flee(a, point, number)
	case k.actions.Patrol:
		k.patrol(a, number)
	case k.actions.Wander:
		k.wander(a, point, number)
	}
}

// headFor makes an agent walk to a goal, unless it is there: straight, or where that way is shut to a tile on
// a way round.
func (k *walker) headFor(a *agent, goal components.Vec2) {
	a.hasGoal, a.goal = true, goal
	a.direction, a.remaining = vec.Direction(vec.Sub(goal, a.position))
	if a.remaining <= a.goalRadius {
		return
	}
	a.pace = min(a.speed, a.remaining*k.perSecond) // a long frame does not carry it past
	s := a.steering
	if s == nil || k.world == nil {
		return
	}
	if s.Mode < detouring {
		if !a.newOrder || k.straightOpen(a) {
			return
		}
		k.detour(a)
	} else if k.dueToLook(a) {
		if k.straightOpen(a) {
			s.Mode = straight
			return
		}
		// The goal may have moved, or others have pushed the agent off its way.
		if s.Mode == enclosed || !a.order.Target.IsZero() || !space.Walkable(k.world, a.position, k.tileCentre(s.Tile), a.clearance) {
			k.detour(a)
		}
	}
	to, left := vec.Direction(vec.Sub(k.tileCentre(s.Tile), a.position))
	if left < tileRadius && s.Mode != enclosed {
		k.detour(a)
		to, left = vec.Direction(vec.Sub(k.tileCentre(s.Tile), a.position))
	}
	a.direction, a.pace = to, min(a.speed, left*k.perSecond)
	if s.Mode == enclosed {
		a.pace = 0
	}
}

// straightOpen reports whether the straight way to an agent's goal is open as far as it looks.
func (k *walker) straightOpen(a *agent) bool {
	u, d := vec.Direction(vec.Sub(a.goal, a.position))
	return space.Walkable(k.world, a.position, vec.Add(a.position, vec.Scale(u, min(d, straightLookAhead))), a.clearance)
}

// dueToLook reports whether it is time for an agent on a way round to see whether that is still the way, which it
// does once in lookAgain, at an instant of its own.
func (k *walker) dueToLook(a *agent) bool {
	phase := components.Timestamp(a.entity.Index%lookPhases) * (lookInterval / lookPhases)
	return (k.now+phase)/lookInterval != (k.before+phase)/lookInterval
}

// detour looks for the tile to head for on the way round what is between an agent and its goal.
func (k *walker) detour(a *agent) {
	s := a.steering
	x, y, whole, ok := k.wayfinder.Find(k.world, a.position, a.goal, a.clearance)
	switch {
	case !ok:
		s.Mode = enclosed
	case whole:
		s.Mode = detouring
	default:
		s.Mode = searching
	}
	s.Tile = int32(y*k.world.Width + x)
}

// tileCentre returns the middle of a tile by its number.
func (k *walker) tileCentre(number int32) components.Vec2 {
	return space.TileCentre(int(number)%k.world.Width, int(number)/k.world.Width)
}

// reportProgress reports on the way to a goal, once the agent has walked to q.
func (k *walker) reportProgress(a *agent, q components.Vec2, hit bool) {
	s := a.steering
	enough := a.goalRadius
	if s != nil && s.Mode < searching && a.order.Target.IsZero() {
		enough += min(s.Waited, crowdTolerance) // a crowd stands on the point
	}
	left := vec.Length(vec.Sub(a.goal, q))
	if left <= enough {
		k.reachGoal(a)
		return
	}
	if s == nil {
		return
	}
	switch free := k.madeProgress(a, q); {
	case !free:
		s.Waited += k.dt
	case s.Mode == straight || s.Mode == searching && left < s.Closest-searchingGain:
		s.Closest, s.Waited = left, 0
	case s.Mode == searching:
		s.Waited += float32(searchingRate * k.dt)
	default: // it is on its way
		s.Waited = max(s.Waited-k.dt, 0)
	}
	if hit && s.Mode == straight {
		if a.position = q; !k.straightOpen(a) {
			k.detour(a)
		}
	}
	if s.Waited > k.blockedAfter {
		k.failBlocked(a)
		if a.order.Action == k.actions.Patrol {
			k.nextWaypoint(a) // another way next time
		}
	}
}

// reportFlight reports that an agent that flees and has walked to q has not got away for some time.
func (k *walker) reportFlight(a *agent, q components.Vec2) {
	s := a.steering
	switch {
	case s == nil:
	case k.madeProgress(a, q):
		s.Waited = 0
	default:
		if s.Waited += k.dt; s.Waited > k.blockedAfter {
			k.failBlocked(a)
		}
	}
}

// madeProgress reports whether an agent that walked to q made good enough of the way that it wanted to go.
func (k *walker) madeProgress(a *agent, q components.Vec2) bool {
	way := float32(a.pace * k.dt)
	return way > 0 && vec.Dot(vec.Sub(q, a.position), a.direction) >= float32(progressShare*way)
}

// failBlocked reports that an agent is stuck.
func (k *walker) failBlocked(a *agent) {
	a.order.Outcome = components.Failed
	a.steering.Waited = 0
}

// reachGoal ends the way to a goal that has been reached.
func (k *walker) reachGoal(a *agent) {
	s := a.steering
	if a.order.Action != k.actions.Patrol {
		a.order.Outcome = components.Succeeded
		return
	}
	k.nextWaypoint(a)
	if s != nil {
		*s = components.Steering{Serial: s.Serial, Closest: math.MaxFloat32}
		if a.pause > 0 {
			s.Mode = pausing
		}
	}
	if a.pause == 0 {
		a.order.Outcome = components.Succeeded
	}
}

// patrol walks the agent's route.
func (k *walker) patrol(a *agent, pause float32) {
	s := a.steering
	if s != nil && s.Mode == pausing {
		s.Waited += k.dt
		if s.Waited < pause {
			return
		}
		s.Mode, s.Waited = straight, 0
	}
	a.goalRadius, a.pause = pointRadius, pause
	if s != nil && s.Leg {
		k.headFor(a, s.Goal)
		return
	}
	loop := k.waypoints(a)
	if loop == nil {
		a.order.Outcome = components.Failed
		return
	}
	goal := loop[a.route.Next]
	if s != nil {
		s.Goal, s.Leg = goal, true
	}
	k.headFor(a, goal)
}

// waypoints returns the waypoints of an agent's route, with the next one brought into range; nil without any.
func (k *walker) waypoints(a *agent) []components.Vec2 {
	if a.route == nil {
		return nil
	}
	loop := k.routes.Waypoints(a.route.ID)
	if loop != nil {
		if n := int32(len(loop)); a.route.Next < 0 || a.route.Next >= n {
			a.route.Next = max(a.route.Next, 0) % n
		}
	}
	return loop
}

// nextWaypoint sends an agent to the next waypoint of its route.
func (k *walker) nextWaypoint(a *agent) {
	if loop := k.waypoints(a); loop != nil {
		a.route.Next = (a.route.Next + 1) % int32(len(loop))
	}
	if a.steering != nil {
		a.steering.Leg = false
	}
}

// rejoin makes the agent head for the nearest waypoint in line of walk, where the next one is not.
func (k *walker) rejoin(a *agent) {
	loop := k.waypoints(a)
	if loop == nil || space.Walkable(k.world, a.position, loop[a.route.Next], a.clearance) {
		return
	}
	nearest := float32(math.MaxFloat32)
	for i, p := range loop[:min(len(loop), maxRejoinWaypoints)] {
		away := vec.Sub(p, a.position)
		if d := vec.Dot(away, away); d < nearest && space.Walkable(k.world, a.position, p, a.clearance) {
			nearest, a.route.Next = d, int32(i)
		}
	}
}

// flee walks away from a point until it is far enough.
func (k *walker) flee(a *agent, from components.Vec2, far float32) {
	u, d := vec.Direction(vec.Sub(a.position, from))
	if far > 0 && d >= far {
		a.order.Outcome = components.Succeeded
		return
	}
	if d == 0 {
		u = a.transform.Heading
	}
	a.direction, a.pace = fleeDirection(k.world, a.position, u, a.transform.Heading, a.clearance), a.speed
	a.fleeing = true
}

// wander walks about, within a number of metres of a point when that is positive.
func (k *walker) wander(a *agent, around components.Vec2, bounds float32) {
	a.pace = a.speed
	key := random.Mix(k.seed, a.entity.Key())
	heading := a.transform.Heading
	if u, d := vec.Direction(vec.Sub(around, a.position)); bounds > 0 && d > bounds {
		a.direction = k.maxTurn.Towards(heading, u)
		return
	}
	a.direction = wanderDirection(k.world, a.position, heading, key, k.now, k.dt, k.maxTurn)
}
