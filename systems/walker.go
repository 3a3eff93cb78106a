package systems

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
)

const (
	maxDelta      = 1       // seconds; a longer frame moves agents no farther
	maxSpeed      = 1000    // metres per second
	farthest      = 1 << 24 // metres; a point beyond is on no map
	pointRadius   = 0.5     // metres at which a point is reached
	targetRadius  = 1       // metres at which a target is reached
	patience      = 1       // metres by which a point that one cannot get nearer to counts as reached
	slowing       = 0.75    // seconds before arrival at which one slows down
	slowest       = 0.2     // of the speed, at arrival
	gropes        = 0.25    // seconds of patience that a second of groping takes
	nearer        = 1       // metres by which one who gropes must come nearer to be on its way
	sightOfWay    = 24      // metres of the straight way that are looked at
	legEnd        = 0.35    // metres from the tile headed for at which the next is looked for
	lookPhases    = 64      // instants at which agents look again
	advances      = 0.5     // of the way that must be made good to come nearer
	rejoinNearest = 64      // waypoints among which one looks for the way back to a route

	lookAgain components.Timestamp = 768e6 // nanoseconds between two looks of one on a way round
)

// walker moves one agent after the other on behalf of a worker.
type walker struct {
	world        *Map
	routes       *Routes
	around       *surroundings
	actions      *Standard
	targets      ecs.Lookup[components.Transform]
	seed         uint64
	now, before  components.Timestamp // of this frame and the last
	dt           float32
	perSecond    float32 // 1 / dt
	turn         rotor   // a frame's turn
	blockedAfter float32
	ways         wayfinder
	counts       LocomotionCounts
	_            [64]byte // no two workers count in one cache line
}

func (k *walker) begin(l *Locomotion, dt float32) {
	k.world, k.routes, k.actions, k.targets = l.world, l.routes, &l.actions, l.targets
	k.seed, k.now, k.dt, k.around = l.seed, l.clock.Now, dt, l.around
	k.before = k.now - l.clock.Step
	k.perSecond, k.turn, k.blockedAfter = 1/dt, newRotor(l.TurnRate*dt), l.BlockedAfter
}

// pedestrian is an agent while it is being moved.
type pedestrian struct {
	entity    components.Entity
	transform *components.Transform
	body      *components.Body
	order     *components.Order    // nil without an Intent
	steering  *components.Steering // nil without one
	route     *components.Route    // nil without one

	at      vec2
	clear   float32 // metres it keeps from walls
	speed   float32 // metres per second that it may walk
	toward  vec2    // unit direction in which it wants to walk; zero when it wants to stand
	pace    float32 // metres per second that it wants to walk
	face    vec2    // unit direction in which it wants to look; zero: where it walks
	goal    vec2    // where the way that it follows ends
	left    float32 // metres to there
	posted  bool    // whether the order is new
	enough  float32 // metres at which it is there
	pause   float32 // seconds to stand at a waypoint
	bound   bool    // whether it has a goal
	fleeing bool    // whether it flees
}

// step returns where an agent stands at the end of the frame.
func (k *walker) step(a *pedestrian) vec2 {
	a.at = a.transform.Position
	if !k.mend(a) {
		return a.at
	}
	push, f := k.around.find(a.entity, a.at)
	if f.passable(0, 0) {
		a.at, _ = f.keepOff(a.at, a.clear)
	} else {
		at, ok := free(k.world, a.at, a.clear)
		if !ok {
			k.counts.Stranded++
			a.body.Velocity = vec2{}
			return a.at
		}
		k.counts.Freed++
		a.at, f = at, footingAt(k.world, at)
	}
	k.decide(a)

	q, velocity, hit := a.at, vec2{}, false
	look := a.face
	if a.pace > 0 {
		look, velocity = a.toward, scale(a.toward, a.pace)
		if push != (vec2{}) {
			velocity = yield(velocity, push)
		}
		if q, hit = walk(k.world, &f, q, scale(velocity, k.dt), a.clear); hit {
			velocity = scale(sub(q, a.at), k.perSecond)
		}
		if hit || push != (vec2{}) { // unless it leans against a wall, or somebody, it looks where it goes
			if u, speed := direction(velocity); speed >= float32(advances*a.pace) {
				look = u
			}
		}
	}
	if push != (vec2{}) {
		if d, most := length(push), min(float32(pushSpeed*k.dt), maxPush); d > most {
			push = scale(push, most/d)
		}
		q, _ = walk(k.world, &f, q, push, a.clear)
	}
	a.body.Velocity = velocity
	if look != (vec2{}) {
		a.transform.Heading = k.turn.towards(a.transform.Heading, look)
	}
	switch {
	case a.bound:
		k.arrive(a, q, hit)
	case a.fleeing:
		k.corner(a, q)
	}
	return q
}

// mend sees to it that nothing that is not finite is reckoned with; false when the position itself is none.
func (k *walker) mend(a *pedestrian) bool {
	t, b := a.transform, a.body
	a.clear, a.speed = clearance(b.Radius), b.Speed
	// A sum of x-x is zero unless one of them is NaN or infinite.
	p, h, v := t.Position, t.Heading, b.Velocity
	if ((p.X-p.X)+(p.Y-p.Y))+((h.X-h.X)+(h.Y-h.Y))+((v.X-v.X)+(v.Y-v.Y))+((b.Radius-b.Radius)+(b.Speed-b.Speed)) == 0 {
		if d := dot(h, h); !(d > 0.5 && d < 2) {
			t.Heading = unit(h) // never set, or not a unit vector
		}
		return true
	}
	k.counts.Nonfinite++
	if !isFinite(b.Radius) {
		a.clear = minClearance
	}
	if !isFinite(b.Speed) {
		a.speed = 0
	}
	if !finiteVec(t.Heading) {
		t.Heading = unit(vec2{})
	}
	if !finiteVec(b.Velocity) {
		b.Velocity = vec2{}
	}
	return finiteVec(t.Position)
}

// decide turns an agent's order into the direction and the speed at which it wants to walk.
func (k *walker) decide(a *pedestrian) {
	o := a.order
	if o == nil {
		v := a.body.Velocity
		if longest := max(absolute(v.X), absolute(v.Y)); longest > maxSpeed {
			v = scale(v, maxSpeed/longest)
		}
		a.toward, a.pace = direction(v)
		return
	}
	if o.Action == 0 {
		return
	}
	factor := o.Numbers[0]
	if factor == 0 || !isFinite(factor) {
		factor = 1
	}
	a.speed = min(max(a.speed*factor, 0), maxSpeed)
	if s := a.steering; s != nil && s.Serial != o.Serial {
		*s = components.Steering{Serial: o.Serial, ClosestDistance: math.MaxFloat32}
		a.posted = true
		if o.Action == k.actions.Patrol {
			k.rejoin(a)
		}
	}
	point, ok := o.Point, true
	if !o.Target.IsZero() {
		t := k.targets.Get(o.Target)
		if ok = t != nil; ok {
			point = t.Position
		}
		// The others look where they go.
		if ok && (o.Outcome != components.Pending || o.Action == k.actions.Stand || o.Action == k.actions.Patrol) {
			a.face, _ = direction(sub(point, a.at))
		}
	}
	if o.Outcome != components.Pending {
		return
	}
	if !(absolute(point.X) < farthest && absolute(point.Y) < farthest) {
		if !finiteVec(point) {
			k.counts.Nonfinite++
		}
		ok = false
	}
	number := o.Numbers[1]
	if !isFinite(number) {
		number = 0
	}
	switch o.Action {
	case k.actions.Seek, k.actions.Arrive:
		if !ok {
			o.Outcome = components.Failed
			return
		}
		a.enough = number
		if number <= 0 {
			a.enough = pointRadius
			if !o.Target.IsZero() {
				a.enough = targetRadius
			}
		}
		k.head(a, point)
		if near := float32(a.speed * slowing); o.Action == k.actions.Arrive && a.left < near {
			a.pace = min(a.pace, float32(a.speed*max(a.left/near, slowest)))
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

// head makes an agent walk to a goal, unless it is there: straight, or where that way is shut to a tile on
// a way round.
func (k *walker) head(a *pedestrian, goal vec2) {
	a.bound, a.goal = true, goal
	a.toward, a.left = direction(sub(goal, a.at))
	if a.left <= a.enough {
		return
	}
	a.pace = min(a.speed, a.left*k.perSecond) // a long frame does not carry it past
	s := a.steering
	if s == nil || k.world == nil {
		return
	}
	if s.Mode < detouring {
		if !a.posted || k.straightOpen(a) {
			return
		}
		k.detour(a)
	} else if k.looks(a) {
		if k.straightOpen(a) {
			s.Mode = straight
			return
		}
		// The goal may have moved, or others have pushed the agent off its way.
		if s.Mode == shutIn || !a.order.Target.IsZero() || !walkable(k.world, a.at, k.tile(s.DetourTile), a.clear) {
			k.detour(a)
		}
	}
	to, left := direction(sub(k.tile(s.DetourTile), a.at))
	if left < legEnd && s.Mode != shutIn {
		k.detour(a)
		to, left = direction(sub(k.tile(s.DetourTile), a.at))
	}
	a.toward, a.pace = to, min(a.speed, left*k.perSecond)
	if s.Mode == shutIn {
		a.pace = 0
	}
}

// straightOpen reports whether the straight way to an agent's goal is open as far as it looks.
func (k *walker) straightOpen(a *pedestrian) bool {
	u, d := direction(sub(a.goal, a.at))
	return walkable(k.world, a.at, add(a.at, scale(u, min(d, sightOfWay))), a.clear)
}

// looks reports whether it is time for an agent on a way round to see whether that is still the way, which it
// does once in lookAgain, at an instant of its own.
func (k *walker) looks(a *pedestrian) bool {
	phase := components.Timestamp(a.entity.Index%lookPhases) * (lookAgain / lookPhases)
	return (k.now+phase)/lookAgain != (k.before+phase)/lookAgain
}

// detour looks for the tile to head for on the way round what is between an agent and its goal.
func (k *walker) detour(a *pedestrian) {
	s := a.steering
	x, y, whole, ok := k.ways.find(k.world, a.at, a.goal, a.clear)
	switch {
	case !ok:
		s.Mode = shutIn
	case whole:
		s.Mode = detouring
	default:
		s.Mode = groping
	}
	s.DetourTile = int32(y*k.world.Width + x)
}

// tile returns the middle of a tile by its number.
func (k *walker) tile(number int32) vec2 {
	return center(int(number)%k.world.Width, int(number)/k.world.Width)
}

// arrive reports on the way to a goal, once the agent has walked to q.
func (k *walker) arrive(a *pedestrian, q vec2, hit bool) {
	s := a.steering
	enough := a.enough
	if s != nil && s.Mode < groping && a.order.Target.IsZero() {
		enough += min(s.Timer, patience) // a crowd stands on the point
	}
	left := length(sub(a.goal, q))
	if left <= enough {
		k.reach(a)
		return
	}
	if s == nil {
		return
	}
	switch free := k.advanced(a, q); {
	case !free:
		s.Timer += k.dt
	case s.Mode == straight || s.Mode == groping && left < s.ClosestDistance-nearer:
		s.ClosestDistance, s.Timer = left, 0
	case s.Mode == groping:
		s.Timer += float32(gropes * k.dt)
	default: // it is on its way
		s.Timer = max(s.Timer-k.dt, 0)
	}
	if hit && s.Mode == straight {
		if a.at = q; !k.straightOpen(a) {
			k.detour(a)
		}
	}
	if s.Timer > k.blockedAfter {
		k.fail(a)
		if a.order.Action == k.actions.Patrol {
			k.next(a) // another way next time
		}
	}
}

// corner reports that an agent that flees and has walked to q has not got away for some time.
func (k *walker) corner(a *pedestrian, q vec2) {
	s := a.steering
	switch {
	case s == nil:
	case k.advanced(a, q):
		s.Timer = 0
	default:
		if s.Timer += k.dt; s.Timer > k.blockedAfter {
			k.fail(a)
		}
	}
}

// advanced reports whether an agent that walked to q made good enough of the way that it wanted to go.
func (k *walker) advanced(a *pedestrian, q vec2) bool {
	way := float32(a.pace * k.dt)
	return way > 0 && dot(sub(q, a.at), a.toward) >= float32(advances*way)
}

// fail reports that an agent is stuck.
func (k *walker) fail(a *pedestrian) {
	a.order.Outcome = components.Failed
	a.steering.Timer = 0
}

// reach ends the way to a goal that has been reached.
func (k *walker) reach(a *pedestrian) {
	s := a.steering
	if a.order.Action != k.actions.Patrol {
		a.order.Outcome = components.Succeeded
		return
	}
	k.next(a)
	if s != nil {
		*s = components.Steering{Serial: s.Serial, ClosestDistance: math.MaxFloat32}
		if a.pause > 0 {
			s.Mode = pausing
		}
	}
	if a.pause == 0 {
		a.order.Outcome = components.Succeeded
	}
}

// patrol walks the agent's route.
func (k *walker) patrol(a *pedestrian, pause float32) {
	s := a.steering
	if s != nil && s.Mode == pausing {
		s.Timer += k.dt
		if s.Timer < pause {
			return
		}
		s.Mode, s.Timer = straight, 0
	}
	a.enough, a.pause = pointRadius, pause
	if s != nil && s.HasGoal {
		k.head(a, s.Goal)
		return
	}
	loop := k.loop(a)
	if loop == nil {
		a.order.Outcome = components.Failed
		return
	}
	goal := loop[a.route.Next]
	if s != nil {
		s.Goal, s.HasGoal = goal, true
	}
	k.head(a, goal)
}

// loop returns the waypoints of an agent's route, with the next one brought into range; nil without any.
func (k *walker) loop(a *pedestrian) []vec2 {
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

// next sends an agent to the next waypoint of its route.
func (k *walker) next(a *pedestrian) {
	if loop := k.loop(a); loop != nil {
		a.route.Next = (a.route.Next + 1) % int32(len(loop))
	}
	if a.steering != nil {
		a.steering.HasGoal = false
	}
}

// rejoin makes the agent head for the nearest waypoint in line of walk, where the next one is not.
func (k *walker) rejoin(a *pedestrian) {
	loop := k.loop(a)
	if loop == nil || walkable(k.world, a.at, loop[a.route.Next], a.clear) {
		return
	}
	nearest := float32(math.MaxFloat32)
	for i, p := range loop[:min(len(loop), rejoinNearest)] {
		away := sub(p, a.at)
		if d := dot(away, away); d < nearest && walkable(k.world, a.at, p, a.clear) {
			nearest, a.route.Next = d, int32(i)
		}
	}
}

// flee walks away from a point until it is far enough.
func (k *walker) flee(a *pedestrian, from vec2, far float32) {
	u, d := direction(sub(a.at, from))
	if far > 0 && d >= far {
		a.order.Outcome = components.Succeeded
		return
	}
	if d == 0 {
		u = a.transform.Heading
	}
	a.toward, a.pace = escape(k.world, a.at, u, a.transform.Heading, a.clear), a.speed
	a.fleeing = true
}

// wander walks about, within a number of metres of a point when that is positive.
func (k *walker) wander(a *pedestrian, around vec2, bounds float32) {
	a.pace = a.speed
	key := random.Mix(k.seed, a.entity.Key())
	heading := a.transform.Heading
	if u, d := direction(sub(around, a.at)); bounds > 0 && d > bounds {
		a.toward = k.turn.towards(heading, u)
		return
	}
	a.toward = wander(k.world, a.at, heading, key, k.now, k.dt, k.turn)
}
