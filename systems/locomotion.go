package systems

import (
	"math"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Locomotion moves agents, all of them in every frame, and reports on the orders of the move channel (see
// [SeekAction]). It writes Transform, Body.Velocity, Steering, Route.Next and the move order's outcome.
//
// An agent needs [components.Transform] and [components.Body]. With a [components.Intent] it does what its move
// order says, and stands when it has none, or one that is no standard action; without one it goes on at its
// velocity. With a [components.Steering] it finds its way round buildings and knows when it is stuck.
// Agents slide along walls and never enter one, whatever their speed.
//
// Where agents stand in one another they are pushed apart. Every agent sees all the others where they
// stood when the frame began, and what pushes it is added up in whole numbers, so neither the order of the
// agents nor the number of workers can change a bit.
//
// Its zero value is ready to be initialized. It needs a world set up by [Install].
type Locomotion struct {
	TurnRate     float32 // radians per second; 0 stands for 6
	BlockedAfter float32 // seconds without coming nearer after which an order fails; 0 stands for 5

	clock   *Clock
	workers *Workers
	world   *Map
	routes  *Routes
	actions Standard
	seed    uint64
	columns *ecs.Columns
	targets ecs.Lookup[components.Transform]

	chunks  []ecs.Chunk
	spans   []ecs.Span
	bases   []int  // number of the first agent of each chunk
	next    []vec2 // where each agent will stand
	walkers []walker
	move    func(worker, task int) // made once: a literal in Update would be allocated
	commit  func(worker, task int)
}

// LocomotionCounts are what went wrong since the start.
type LocomotionCounts struct {
	Nonfinite int64 // agents and frames in which something of a Transform, Body or order was NaN or infinite
	Freed     int64 // agents that stood in a wall and were put beside it
	Stranded  int64 // agents and frames in which one stood in a wall too thick to be freed
}

// Terms of the columns.
const (
	moveTransform = iota
	moveBody
	moveIntent
	moveSteering
	moveRoute
)

const (
	moveRows      = 512 // agents of a task
	maxDelta      = 1   // seconds; a longer frame moves agents no farther
	maxSpeed      = 1000
	farthest      = 1 << 24 // metres; a point beyond is on no map
	pointRadius   = 0.5     // metres at which a point is reached
	targetRadius  = 1       // metres at which a target is reached
	patience      = 1       // metres by which a point that one cannot get nearer to counts as reached
	slowing       = 0.75    // seconds before arrival at which one slows down
	slowest       = 0.2     // of the speed, at arrival
	detour        = 0.25    // seconds of patience that a second along a wall takes
	advances      = 0.5     // of the way that must be made good to come nearer
	rejoinNearest = 64      // waypoints among which one looks for the way back to a route
)

// Initialize prepares the system. It panics, naming it, when the world lacks one of its resources.
func (l *Locomotion) Initialize(w *arche.World) {
	const who = "systems.Locomotion"
	l.clock = ecs.Resource[Clock](w, who)
	l.workers = ecs.Resource[Workers](w, who)
	l.world = ecs.Resource[Map](w, who)
	l.routes = ecs.Resource[Routes](w, who)
	l.seed = random.Mix(random.String(who), uint64(*ecs.Resource[Seed](w, who)))
	actions, err := StandardActions(ecs.Resource[aitree.Actions](w, who))
	if err != nil {
		panic(who + ": " + err.Error())
	}
	l.actions = actions
	if l.TurnRate == 0 {
		l.TurnRate = 6
	}
	if l.BlockedAfter == 0 {
		l.BlockedAfter = 5
	}
	l.columns = ecs.NewColumns(w, ecs.Need[components.Transform](), ecs.Need[components.Body](),
		ecs.Optional[components.Intent](), ecs.Optional[components.Steering](), ecs.Optional[components.Route]())
	l.targets = ecs.NewLookup[components.Transform](w)
	l.walkers = make([]walker, l.workers.Count())
	l.move, l.commit = l.moveSpan, l.commitSpan
}

// Update moves all agents. A frame in which no time passes moves nobody.
func (l *Locomotion) Update(*arche.World) {
	dt := l.clock.Delta
	if !(dt > 0) {
		return
	}
	l.chunks = l.columns.Open()
	l.spans = l.columns.Spans(moveRows)
	l.bases = l.bases[:0]
	agents := 0
	for i := range l.chunks {
		l.bases = append(l.bases, agents)
		agents += l.chunks[i].Len()
	}
	if cap(l.next) < agents {
		l.next = make([]vec2, agents+agents/4)
	}
	for i := range l.walkers {
		l.walkers[i].begin(l, min(dt, maxDelta))
	}
	l.workers.Run(len(l.spans), l.move)
	l.workers.Run(len(l.spans), l.commit)
	l.columns.Close()
}

// Finalize does nothing.
func (l *Locomotion) Finalize(*arche.World) {}

// Counts returns what went wrong since the start.
func (l *Locomotion) Counts() LocomotionCounts {
	var sum LocomotionCounts
	for i := range l.walkers {
		c := &l.walkers[i].counts
		sum.Nonfinite += c.Nonfinite
		sum.Freed += c.Freed
		sum.Stranded += c.Stranded
	}
	return sum
}

// moveSpan finds where the agents of a task go. All but their positions is written at once, since no other
// agent reads it.
func (l *Locomotion) moveSpan(worker, task int) {
	span := l.spans[task]
	k := &l.chunks[span.Chunk]
	next := l.next[l.bases[span.Chunk]:]
	entities := k.Entities()
	transforms := ecs.Column[components.Transform](k, moveTransform)
	bodies := ecs.Column[components.Body](k, moveBody)
	intents := ecs.Column[components.Intent](k, moveIntent)
	steerings := ecs.Column[components.Steering](k, moveSteering)
	routes := ecs.Column[components.Route](k, moveRoute)
	walker := &l.walkers[worker]
	for i := span.Start; i < span.End; i++ {
		a := pedestrian{entity: entities[i], transform: &transforms[i], body: &bodies[i]}
		if intents != nil {
			a.order = &intents[i].Orders[components.Move]
		}
		if steerings != nil {
			a.steering = &steerings[i]
		}
		if routes != nil {
			a.route = &routes[i]
		}
		next[i] = walker.step(&a)
	}
}

// commitSpan writes the positions.
func (l *Locomotion) commitSpan(_, task int) {
	span := l.spans[task]
	transforms := ecs.Column[components.Transform](&l.chunks[span.Chunk], moveTransform)[span.Start:span.End]
	next := l.next[l.bases[span.Chunk]+span.Start:][:len(transforms)]
	for i := range transforms {
		transforms[i].Position = next[i]
	}
}

// walker moves one agent after the other on behalf of a worker.
type walker struct {
	world        *Map
	routes       *Routes
	actions      *Standard
	targets      ecs.Lookup[components.Transform]
	seed         uint64
	now          components.Timestamp
	dt           float32
	turnRate     float32
	blockedAfter float32
	counts       LocomotionCounts
	_            [64]byte // no two workers count in one cache line
}

func (k *walker) begin(l *Locomotion, dt float32) {
	k.world, k.routes, k.actions, k.targets = l.world, l.routes, &l.actions, l.targets
	k.seed, k.now, k.dt = l.seed, l.clock.Now, dt
	k.turnRate, k.blockedAfter = l.TurnRate, l.BlockedAfter
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
	if !standable(k.world, a.at) {
		at, ok := free(k.world, a.at, a.clear)
		if !ok {
			k.counts.Stranded++
			a.body.Velocity = vec2{}
			return a.at
		}
		k.counts.Freed++
		a.at = at
	}
	k.decide(a)

	q, hit := a.at, false
	if a.pace > 0 {
		d := scale(a.toward, a.pace*k.dt)
		q, hit = walk(k.world, a.at, d, a.clear)
	}
	velocity := vec2{}
	if a.pace > 0 {
		velocity = scale(a.toward, a.pace)
		if hit {
			made := sub(q, a.at)
			velocity = vec2{X: made.X / k.dt, Y: made.Y / k.dt}
		}
	}
	a.body.Velocity = velocity
	k.look(a)
	if a.bound {
		k.arrive(a, q, hit)
	}
	return q
}

// mend sees to it that nothing that is not finite is reckoned with; false when the position itself is none.
func (k *walker) mend(a *pedestrian) bool {
	t, b := a.transform, a.body
	a.clear, a.speed = clearance(b.Radius), b.Speed
	// A sum of x-x is zero unless one of them is NaN or infinite.
	if odd := (t.Position.X - t.Position.X) + (t.Position.Y - t.Position.Y) + (t.Heading.X - t.Heading.X) +
		(t.Heading.Y - t.Heading.Y) + (b.Velocity.X - b.Velocity.X) + (b.Velocity.Y - b.Velocity.Y) +
		(b.Radius - b.Radius) + (b.Speed - b.Speed); odd == 0 {
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
		t.Heading = vec2{X: 1}
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
		*s = components.Steering{Serial: o.Serial, Closest: math.MaxFloat32}
		if o.Action == k.actions.Patrol {
			k.rejoin(a)
		}
	}
	point, ok := o.Point, true
	if !o.Target.IsZero() {
		if t := k.targets.Get(o.Target); t != nil {
			point = t.Position
			a.face, _ = direction(sub(point, a.at))
		} else {
			ok = false
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
		a.face = vec2{}
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
	case k.actions.Stand:
	default:
		a.face = vec2{} // another system's action
	}
}

// head makes an agent walk to a goal, unless it is there.
func (k *walker) head(a *pedestrian, goal vec2) {
	a.bound, a.goal = true, goal
	a.toward, a.left = approach(k.world, a.steering, a.at, goal, a.clear)
	if a.left > a.enough {
		a.pace = min(a.speed, a.left/k.dt) // a long frame does not carry it past
	}
}

// arrive reports on the way to a goal, once the agent has walked to q.
func (k *walker) arrive(a *pedestrian, q vec2, hit bool) {
	u, left := direction(sub(a.goal, q))
	s := a.steering
	enough := a.enough
	if s != nil && s.Mode == straight && a.order.Target.IsZero() {
		enough += min(s.Waited, patience) // a crowd stands on the point
	}
	if left <= enough {
		k.reach(a)
		return
	}
	if s == nil {
		return
	}
	made := sub(q, a.at)
	made2 := dot(made, a.toward)
	free := made2 >= float32(advances*a.pace)*k.dt && a.pace > 0
	switch {
	case s.Mode >= following && free:
		s.Waited += float32(detour * k.dt)
	case s.Mode >= following, !free:
		s.Waited += k.dt
	case s.Hand == 0 || left < s.Closest:
		s.Hand, s.Closest, s.Waited = 0, left, 0
	}
	if hit && s.Mode == straight {
		meetWall(k.world, s, q, a.goal, u, left, a.clear)
	}
	if s.Waited > k.blockedAfter {
		a.order.Outcome = components.Failed
		s.Waited = 0
	}
}

// reach ends the way to a goal that has been reached.
func (k *walker) reach(a *pedestrian) {
	s := a.steering
	if a.order.Action != k.actions.Patrol {
		a.order.Outcome = components.Succeeded
		return
	}
	a.route.Next++ // wraps when it is read
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
func (k *walker) patrol(a *pedestrian, pause float32) {
	loop := k.loop(a)
	if loop == nil {
		a.order.Outcome = components.Failed
		return
	}
	if s := a.steering; s != nil && s.Mode == pausing {
		s.Waited += k.dt
		if s.Waited < pause {
			return
		}
		s.Mode, s.Waited = straight, 0
	}
	a.enough, a.pause = pointRadius, pause
	k.head(a, loop[a.route.Next])
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
	a.face = vec2{}
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
	a.face = vec2{}
	a.pace = a.speed
	key := random.Mix(k.seed, uint64(a.entity.Generation)<<32|uint64(a.entity.Index))
	heading, _ := direction(a.transform.Heading)
	if heading == (vec2{}) {
		heading = vec2{X: 1}
	}
	if u, d := direction(sub(around, a.at)); bounds > 0 && d > bounds {
		a.toward = turn(heading, u, k.turnRate*k.dt)
		return
	}
	a.toward = wander(k.world, a.at, heading, key, k.now, k.dt, k.turnRate)
}

// look turns the agent's heading to where it walks, or else to what it looks at.
func (k *walker) look(a *pedestrian) {
	to := a.face
	if a.pace > 0 {
		to, _ = direction(a.body.Velocity)
	}
	if to != (vec2{}) {
		a.transform.Heading = turn(a.transform.Heading, to, k.turnRate*k.dt)
	}
}
