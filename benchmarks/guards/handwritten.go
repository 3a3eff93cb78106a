package guards

import (
	arche "github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/benchmarks/internal/draws"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/guardtree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/scenario"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// handwritten is the guard as a Go programmer would write it by hand for an arche world: one pass of a query or over
// the columns, a chain of ifs, early returns, and a component for its memory. It knows this tree only, has no hooks,
// counts nothing and requires finite facts.
type handwritten struct {
	crowd   *crowd
	world   *arche.World
	clock   *frame.Clock
	guards  *handFilter
	columns *ecs.Columns
	actions guardtree.Handles
	moves   [pausing + 1]components.Action // by what a guard is doing; 0 is none
	waits   draws.Waits

	now int64 // microseconds
}

type handFilter = generic.Filter5[
	components.Percept, components.Health, sim.Post, components.Intent, handMemory,
]

// handMemory is the memory of a guard. Times are microseconds of the clock.
type handMemory struct {
	shoutFleeing  int64 // when it may call for help again
	shoutFighting int64
	strike        int64 // when it may strike again
	timeout       int64 // when it gives up fleeing or looking around
	wait          int64 // when its pause is over
	state         state
	rounds        uint8 // of looking around
}

// state is what a guard is doing.
type state uint8

const (
	nothing state = iota
	fleeing
	catchingBreath
	chasing
	recovering
	searching
	lookingAround
	listening
	betweenRounds
	investigating
	looking
	returning
	patrolling
	pausing
)

func newHandwritten(c *crowd) *handwritten {
	h := &handwritten{
		crowd:  c,
		world:  c.world,
		clock:  c.clock,
		guards: generic.NewFilter5[components.Percept, components.Health, sim.Post, components.Intent, handMemory](),
		columns: ecs.NewColumns(c.world, ecs.Need[components.Percept](), ecs.Need[components.Health](),
			ecs.Need[sim.Post](), ecs.Need[components.Intent](), ecs.Need[handMemory]()),
		actions: guardtree.NewHandles(),
		waits:   draws.NewWaits(c.seed, guardtree.TreeName),
	}
	h.guards.Register(c.world)
	a := &h.actions
	h.moves[fleeing], h.moves[lookingAround], h.moves[patrolling] = a.Flee, a.Wander, a.Patrol
	h.moves[chasing], h.moves[searching], h.moves[investigating], h.moves[returning] = a.Seek, a.Seek, a.Seek, a.Seek
	return h
}

// handGuard is the components of one guard. instant is the time that it has reached in this tick: now, or the end of a
// timeout.
type handGuard struct {
	percept *components.Percept
	memory  *handMemory
	entity  components.Entity
	outcome components.Outcome // of what it was doing
	instant int64
}

// tick decides for all guards of a query.
func (h *handwritten) tick() {
	h.now = int64(h.clock.Now) / 1000
	query := h.guards.Query(h.world)
	for query.Next() {
		percept, health, post, intent, memory := query.Get()
		h.tickGuard(ecs.FromArche(query.Entity()), percept, health, post, &intent.Orders[components.Move], memory)
	}
}

// tickColumns decides for all guards, over the columns that the library reads.
func (h *handwritten) tickColumns() {
	h.now = int64(h.clock.Now) / 1000
	for _, k := range h.columns.Open() {
		entities := k.Entities()
		percepts := ecs.Column[components.Percept](&k, 0)[:len(entities)]
		healths := ecs.Column[components.Health](&k, 1)[:len(entities)]
		posts := ecs.Column[sim.Post](&k, 2)[:len(entities)]
		intents := ecs.Column[components.Intent](&k, 3)[:len(entities)]
		memories := ecs.Column[handMemory](&k, 4)[:len(entities)]
		for i, e := range entities {
			h.tickGuard(e, &percepts[i], &healths[i], &posts[i], &intents[i].Orders[components.Move], &memories[i])
		}
	}
	h.columns.Close()
}

// tickGuard decides for a guard.
func (h *handwritten) tickGuard(
	e components.Entity, percept *components.Percept, health *components.Health, post *sim.Post,
	order *components.Order, memory *handMemory,
) {
	a := handGuard{percept: percept, memory: memory, entity: e, outcome: order.Outcome, instant: h.now}
	was := memory.state
	is := h.decide(&a, was, health, post)
	if is != was {
		memory.state = is
		h.changeOrder(order, was, is)
	}
	h.follow(order, is, is != was, percept, post)
}

// decide returns what a guard does from now on.
func (h *handwritten) decide(a *handGuard, was state, health *components.Health, post *sim.Post) state {
	if health.Current < scenario.GuardFleeHealth {
		if is, ok := h.flee(a, was); ok {
			return is
		}
	}
	if a.percept.Visible {
		if is, ok := h.engage(a, was); ok {
			return is
		}
	}
	if h.alive(a.percept.Target) {
		if is, ok := h.search(a, was); ok {
			return is
		}
	}
	if at := a.percept.NoiseAt; at != 0 && h.clock.Now-at < guardtree.NoiseMemory {
		if is, ok := h.investigate(a, was); ok {
			return is
		}
	}
	return h.patrol(a, was, post)
}

// flee returns what a badly hurt guard does. ok is false where this branch of the tree fails; so it is for the other
// branches.
func (h *handwritten) flee(a *handGuard, was state) (is state, ok bool) {
	m := a.memory
	switch was {
	case catchingBreath:
		if h.now >= m.wait {
			return nothing, true
		}
		is = catchingBreath
	case fleeing:
		switch {
		case !h.alive(a.percept.Target):
			return nothing, false
		case a.percept.Distance >= scenario.GuardSafeDistance || a.outcome == components.Succeeded:
			m.wait = h.now + 2_000_000 + h.waits.UpTo(2_000_000, a.entity, h.now, guardtree.BreathNode)
			is = catchingBreath
		case a.outcome == components.Failed:
			return nothing, false
		default:
			is = fleeing
		}
	default:
		if h.now >= m.shoutFleeing {
			m.shoutFleeing = h.now + guardtree.CallInterval
			h.shout(a)
		}
		if !h.alive(a.percept.Target) {
			return nothing, false
		}
		m.timeout = h.now + 10_000_000
		if a.percept.Distance < scenario.GuardSafeDistance {
			return fleeing, true
		}
		m.wait = h.now + 2_000_000 + h.waits.UpTo(2_000_000, a.entity, h.now, guardtree.BreathNode)
		return catchingBreath, true
	}
	if h.now >= m.timeout {
		a.instant = m.timeout
		return nothing, false
	}
	return is, true
}

// engage chases an intruder in sight and strikes.
func (h *handwritten) engage(a *handGuard, was state) (is state, ok bool) {
	m := a.memory
	switch was {
	case recovering:
		if h.now < m.wait {
			return recovering, true
		}
		return nothing, true
	case chasing:
		if a.percept.Distance > scenario.GuardCloseDistance && a.outcome != components.Succeeded {
			if a.outcome == components.Failed {
				return nothing, false
			}
			return chasing, true
		}
	default:
		if h.now >= m.shoutFighting {
			m.shoutFighting = h.now + guardtree.CallInterval
			h.shout(a)
		}
		if a.percept.Distance > scenario.GuardReach {
			return chasing, true
		}
	}
	if h.now >= m.strike {
		m.strike = h.now + 800_000
		h.fire(a, components.Trigger{Action: h.actions.Strike, Target: h.livingTarget(a.percept.Target)})
		return nothing, true
	}
	m.wait = a.instant + 100_000
	if h.now >= m.wait {
		return nothing, true
	}
	return recovering, true
}

// search walks to where the intruder was last seen and looks around there three times.
func (h *handwritten) search(a *handGuard, was state) (is state, ok bool) {
	m := a.memory
	switch was {
	case searching:
		switch a.outcome {
		case components.Pending:
			return searching, true
		case components.Failed:
			return nothing, false
		}
		m.rounds = 0
		m.timeout = h.now + 2_000_000
		return lookingAround, true
	case betweenRounds:
		m.timeout = h.now + 2_000_000
		return lookingAround, true
	case lookingAround:
		switch {
		case a.outcome != components.Pending:
		case h.now >= m.timeout:
			a.instant = m.timeout
		default:
			return lookingAround, true
		}
		m.wait = a.instant + 500_000
		if h.now < m.wait {
			return listening, true
		}
	case listening:
		if h.now < m.wait {
			return listening, true
		}
	default:
		return searching, true
	}
	m.rounds++
	if m.rounds == 3 {
		return nothing, true
	}
	return betweenRounds, true
}

// investigate walks to the source of a noise and looks.
func (h *handwritten) investigate(a *handGuard, was state) (is state, ok bool) {
	switch was {
	case investigating:
		switch a.outcome {
		case components.Pending:
			return investigating, true
		case components.Failed:
			return nothing, false
		}
		a.memory.wait = h.now + 1_500_000
		return looking, true
	case looking:
		if h.now < a.memory.wait {
			return looking, true
		}
		return nothing, true
	}
	return investigating, true
}

// patrol returns to the post where it is too far away, then walks the guard's route.
func (h *handwritten) patrol(a *handGuard, was state, post *sim.Post) state {
	switch was {
	case patrolling:
		switch a.outcome {
		case components.Pending:
			return patrolling
		case components.Failed:
			return nothing
		}
		a.memory.wait = h.now + 500_000 + h.waits.UpTo(1_000_000, a.entity, h.now, guardtree.PauseNode)
		return pausing
	case pausing:
		if h.now < a.memory.wait {
			return pausing
		}
		return nothing
	case returning:
		switch a.outcome {
		case components.Pending:
			return returning
		case components.Failed:
			return nothing
		}
		return patrolling
	}
	if post.Distance > scenario.GuardRouteTolerance {
		return returning
	}
	return patrolling
}

// changeOrder replaces the order of the former state by that of the new one.
func (h *handwritten) changeOrder(order *components.Order, was, is state) {
	if action := h.moves[is]; action != 0 {
		*order = components.Order{Action: action, Serial: order.Serial + 1}
	} else if h.moves[was] != 0 {
		order.Action, order.Outcome = 0, components.Pending
	}
}

// follow updates the target and the point of an order.
func (h *handwritten) follow(
	order *components.Order, is state, begun bool, percept *components.Percept, post *sim.Post,
) {
	switch is {
	case fleeing:
		order.Target = percept.Target // it is alive, or the guard would not flee
	case chasing:
		order.Target, order.Point = h.livingTarget(percept.Target), percept.LastKnown
	case searching:
		order.Point = percept.LastKnown
	case investigating:
		order.Point = percept.Noise
		return
	case returning:
		order.Point = post.Position
		return
	default:
		return
	}
	if begun {
		order.Numbers[0] = scenario.GuardRunFactor
	}
}

func (h *handwritten) alive(e components.Entity) bool {
	return !e.IsZero() && h.world.Alive(ecs.ToArche(e))
}

// livingTarget returns e, or the zero entity if it is dead.
func (h *handwritten) livingTarget(e components.Entity) components.Entity {
	if h.alive(e) {
		return e
	}
	return components.Entity{}
}

func (h *handwritten) shout(a *handGuard) {
	h.fire(a, components.Trigger{Action: h.actions.Shout, Number: scenario.GuardCallRadius})
}

func (h *handwritten) fire(a *handGuard, t components.Trigger) {
	t.Agent = a.entity
	h.crowd.fired = append(h.crowd.fired, t)
}
