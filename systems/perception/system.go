package perception

import (
	"fmt"
	"math"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/lifecycle"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/setting"
	"github.com/flockwork-ai/flockwork/internal/waker"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/position"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// System writes the [components.Percept] of agents: the hostile they see or remember, the noise they heard and how many
// hostiles and allies are near. An agent has a [components.Transform], a [components.Faction], [components.Senses] and
// a Percept. An agent whose [components.Health] is 0 or less perceives nothing. An agent with [components.Candidates]
// also gets a list of the hostiles in sight.
//
// An agent senses in the frames in which it decides: when its [components.LOD] is due, or in each frame if it has none.
// All agents hear the noises of the last frame. An agent that hears one is woken before any agent senses, so it senses
// and decides in the same frame. An agent that loses sight of its target, or forgets it, is woken too. That matters for
// agents that sense when they are not due (see RayBudget).
//
// The system runs after [lod.System] and before the systems that read percepts.
type System struct {
	// RayBudget is the maximum number of rays in a frame; 0 is no limit. When the budget is spent, the remaining agents
	// keep their percepts, and sense in the next frame before others, whether they are due or not. The order is: most
	// frames deferred first, then the nearest LOD tier, then the order of entities. The first agent is always served.
	RayBudget int

	// Near is the distance in metres up to which hostiles and allies are counted, in a square around the agent that is
	// extended to whole cells of the grid. Nil means 8; 0 counts the cell of the agent.
	Near *float32

	// Stickiness is how many metres nearer than the target in sight someone who hurt the agent in the last two seconds
	// must be to become the target. 0 means 0.5; negative: none, so whoever is nearer does. With a great value, such as
	// 1e6, a target in sight is always kept.
	Stickiness float32

	guard    lifecycle.Guard[arche.World]
	world    *arche.World
	clock    *frame.Clock
	workers  *parallel.Workers
	events   *eventlist.Lists
	columns  *position.Columns
	lods     ecs.Lookup[components.LOD]
	waker    *waker.Waker // nil in a world without lod.System
	healths  ecs.Lookup[components.Health]
	factions ecs.Lookup[components.Faction]
	attacked ecs.Lookup[components.Attacked]

	scene      scene
	hearing    *hearing
	perWorker  []workerState
	chunks     []chunk
	spans      []ecs.Span
	lostTarget []components.Entity
	stats      Stats
	budget     rayBudget

	hearingTask func(worker, task int)
	senseTask   func(worker, task int)
}

// Stats are the counters of one frame.
type Stats struct {
	Sensed   int // agents that sensed
	Rays     int // rays cast
	Deferred int // agents that did not sense because the ray budget was spent
	Heard    int // agents that heard a noise
}

// chunk is the columns of one archetype.
type chunk struct {
	entities   []components.Entity
	transforms []components.Transform
	factions   []components.Faction
	senses     []components.Senses
	percepts   []components.Percept
	lods       []components.LOD        // nil: always due
	healths    []components.Health     // nil: alive
	candidates []components.Candidates // nil: none
	attacks    []components.Attack     // nil: none
}

// workerState is the memory of one worker.
type workerState struct {
	scratch    senseScratch
	stats      Stats
	hearing    [256]float32 // by faction, the greatest Hearing of its agents
	lostTarget []components.Entity
	_          [64]byte // no cache line shared with another worker
}

const name = "perception.System"

const (
	defaultNear       = 8   // metres
	defaultStickiness = 0.5 // metres
	senseRows         = 256 // agents of one task

	hurtMemory components.Timestamp = 2e9 // nanoseconds for which an agent looks for who hurt it
)

// Initialize prepares the system for a world that systems.Install was called on.
//
// Panics when the world lacks a resource and when a setting is out of range.
func (s *System) Initialize(w *arche.World) {
	s.Finalize(w) // releases the columns of an earlier world
	if s.RayBudget < 0 {
		panic(fmt.Sprintf("%s: a ray budget of %d; use 0 for no limit", name, s.RayBudget))
	}
	near := float32(defaultNear)
	if s.Near != nil {
		near = *s.Near
	}
	if !(near >= 0 && near <= math.MaxFloat32) {
		panic(fmt.Sprintf("%s: Near is %v metres; use nil for %d", name, near, defaultNear))
	}
	s.guard.Begin(name, w)
	s.world = w
	s.clock = ecs.Resource[frame.Clock](w)
	s.workers = ecs.Resource[parallel.Workers](w)
	s.events = ecs.Resource[eventlist.Lists](w)
	s.columns = position.NewColumns(w, false,
		ecs.Need[components.Faction](), ecs.Need[components.Senses](),
		ecs.Need[components.Percept](), ecs.Optional[components.LOD](), ecs.Optional[components.Health](),
		ecs.Optional[components.Candidates](), ecs.Optional[components.Attack](),
		ecs.Without[components.Paused]())
	s.lods = ecs.NewLookup[components.LOD](w)
	s.healths = ecs.NewLookup[components.Health](w)
	s.factions = ecs.NewLookup[components.Faction](w)
	s.attacked = ecs.NewLookup[components.Attacked](w)
	s.scene = scene{
		grid:       spatial.AttachGrid(w),
		terrain:    ecs.FindResource[space.Map](w),
		relations:  ecs.Resource[frame.Relations](w),
		near:       near,
		stickiness: setting.NumberOrDefault(name, "Stickiness", s.Stickiness, defaultStickiness),
		mustForget: func(e components.Entity, observer uint8) bool { return s.isDead(e) || !s.isHostile(e, observer) },
		health:     s.health,
		attackers:  s.attackers,
	}
	s.hearing = newHearing(w, &s.scene, s.workers.Count())
	s.perWorker = make([]workerState, s.workers.Count())
	s.hearingTask = s.maxHearingOfSpan
	s.senseTask = s.senseSpan
	s.budget.init(w, s)
}

// Finalize releases the columns of the world.
func (s *System) Finalize(*arche.World) {
	scratch.Release(&s.columns)
	s.guard.End()
}

// Stats returns the counters of the last frame.
func (s *System) Stats() Stats { return s.stats }

// Update carries noises to all agents and lets the agents sense that decide in this frame. While the clock is paused
// nobody hears or senses.
//
// Panics before Initialize, after Finalize and with another world than that of Initialize.
func (s *System) Update(w *arche.World) {
	s.guard.Check(name, w)
	s.stats = Stats{}
	if s.clock.Paused() {
		return
	}
	s.waker = ecs.FindResource[waker.Waker](w)
	s.scene.grid.Refresh()
	s.scene.now = s.clock.Now
	s.scene.updateRelations()

	chunks := s.columns.Open()
	for i := range chunks {
		k := &chunks[i]
		s.chunks = append(s.chunks, chunk{
			entities:   k.Entities(),
			transforms: s.columns.Transforms(i),
			factions:   ecs.Column[components.Faction](k, 0),
			senses:     ecs.Column[components.Senses](k, 1),
			percepts:   ecs.Column[components.Percept](k, 2),
			lods:       ecs.Column[components.LOD](k, 3),
			healths:    ecs.Column[components.Health](k, 4),
			candidates: ecs.Column[components.Candidates](k, 5),
			attacks:    ecs.Column[components.Attack](k, 6),
		})
	}
	s.spans = s.columns.Spans(senseRows)
	agents := s.columns.Len()
	s.hearing.loudness = scratch.Sized(s.hearing.loudness, len(s.scene.grid.Entities))
	s.lostTarget = scratch.Reserve(s.lostTarget[:0], agents)
	s.hearing.hearers = scratch.Reserve(s.hearing.hearers[:0], agents)
	for i := range s.perWorker {
		s.perWorker[i].lostTarget = scratch.Reserve(s.perWorker[i].lostTarget, agents)
		s.hearing.workers[i].hearers = scratch.Reserve(s.hearing.workers[i].hearers, agents)
	}
	s.hear()
	if s.RayBudget > 0 {
		s.budget.run(s)
	} else {
		s.workers.Run(len(s.spans), s.senseTask)
	}
	s.mergeWorkers()
	clear(s.chunks) // columns are valid while open
	s.chunks, s.spans = s.chunks[:0], nil
	s.columns.Close()
}

// wake makes agents decide in this frame or, where the budget of the LOD system does not allow it, in the next. The
// agents are in the order of entities.
func (s *System) wake(agents []components.Entity) {
	for _, entity := range agents {
		switch lod := s.lods.Get(entity); {
		case lod == nil:
		case s.waker != nil:
			s.waker.WakeNow(lod)
		case !lod.Due():
			lod.Flags |= lodflag.Woken
		}
	}
}

// senseSpan lets the due agents of a span sense.
func (s *System) senseSpan(worker, task int) {
	span := s.spans[task]
	chunk := &s.chunks[span.Chunk]
	w := &s.perWorker[worker]
	for i := span.Start; i < span.End; i++ {
		if chunk.lods != nil && !chunk.lods[i].Due() || chunk.healths != nil && chunk.healths[i].Current <= 0 {
			continue
		}
		a := chunk.agent(i)
		o := s.scene.sense(&w.scratch, &a, &chunk.percepts[i])
		w.countOutcome(s.events, worker, &a, o)
	}
}

// agent returns the agent of a row.
func (c *chunk) agent(i int) agent {
	a := agent{entity: c.entities[i], transform: c.transforms[i], senses: &c.senses[i], faction: c.factions[i].ID}
	if c.candidates != nil {
		a.candidates = &c.candidates[i]
	}
	if c.healths != nil {
		a.health = &c.healths[i]
	}
	if c.attacks != nil {
		a.attackTarget = c.attacks[i].Target
	}
	return a
}

// countOutcome adds the outcome of a sensing to the counters.
func (w *workerState) countOutcome(events *eventlist.Lists, worker int, a *agent, o outcome) {
	w.stats.Sensed++
	w.stats.Rays += o.rays
	if o.newTarget {
		events.Count(worker, eventlist.Sighting, 1)
	}
	if o.lostTarget {
		w.lostTarget = append(w.lostTarget, a.entity)
	}
}

// mergeWorkers sums the counters of the workers and wakes the agents that lost their target.
func (s *System) mergeWorkers() {
	for i := range s.perWorker {
		w := &s.perWorker[i]
		s.stats.Sensed += w.stats.Sensed
		s.stats.Rays += w.stats.Rays
		w.stats = Stats{}
	}
	s.lostTarget = scratch.Merge(s.lostTarget, s.perWorker,
		func(w *workerState) *[]components.Entity { return &w.lostTarget }, components.Entity.Compare)
	s.wake(s.lostTarget)
}

// isDead reports whether an entity was removed or has no health left.
func (s *System) isDead(e components.Entity) bool {
	if !ecs.Alive(s.world, e) {
		return true
	}
	h := s.healths.Get(e)
	return h != nil && h.Current <= 0
}

// isHostile reports whether an observer's faction is hostile to an entity.
func (s *System) isHostile(e components.Entity, observer uint8) bool {
	faction := s.factions.Get(e)
	return faction != nil && s.scene.relations.Between(observer, faction.ID) == frame.Hostile
}

// health returns the health of an entity for a candidate, clamped to 16 bits; 0 if it has none.
func (s *System) health(e components.Entity) int16 {
	if h := s.healths.Get(e); h != nil {
		return int16(min(max(h.Current, math.MinInt16), math.MaxInt16))
	}
	return 0
}

// attackers returns how many agents attack an entity; 0 if it does not count them.
func (s *System) attackers(e components.Entity) uint8 {
	if a := s.attacked.Get(e); a != nil {
		return a.Count
	}
	return 0
}
