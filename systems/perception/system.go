package perception

import (
	"fmt"
	"math"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/lod"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// System writes the [components.Percept] of agents: the hostile they see or remember, the noise they heard and how many
// hostiles and allies are near. An agent has a [components.Transform], a [components.Faction], [components.Senses] and
// a Percept. An agent whose [components.Health] is used up perceives nothing. An agent with [components.Candidates]
// also gets a list of the hostiles in sight.
//
// An agent senses in the frames in which it decides: when its [components.LOD] is due, or in each frame if it has none.
// All agents hear the noises of the last frame. An agent that hears one is woken ([lod.Cadence.WakeNow]) before any
// agent senses, so it senses and decides in the same frame. An agent that loses sight of its target or forgets it is
// woken too; that matters to agents that sense although they are not due, see RayBudget.
//
// The system runs after [lod.System] and before the systems that read percepts.
type System struct {
	// RayBudget is the most rays of a frame; 0 is no limit. When the budget is spent, the remaining agents keep their
	// percepts, and sense in the next frame before others, whether they are due or not. The order is: most frames
	// deferred first, then the nearest LOD tier, then the order of entities. The first agent is always served.
	RayBudget int

	// Near is the distance in metres up to which hostiles and allies are counted, in a square around the agent that is
	// extended to whole cells of the grid. Nil stands for 8; 0 counts the cell of the agent.
	Near *float32

	world    *arche.World
	clock    *frame.Clock
	workers  *parallel.Workers
	events   *frame.Events
	columns  *ecs.Columns
	lods     ecs.Lookup[components.LOD]
	cadence  *lod.Cadence // nil in a world without lod.System
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

const (
	defaultNear = 8   // metres
	senseRows   = 256 // agents of one task
)

// Initialize finds the world's resources. It panics when one is missing and when a setting is out of range.
func (p *System) Initialize(w *arche.World) {
	const name = "perception.System"
	p.Finalize(w) // releases the columns of an earlier world
	if p.RayBudget < 0 {
		panic(fmt.Sprintf("%s: a ray budget of %d; use 0 for no limit", name, p.RayBudget))
	}
	near := float32(defaultNear)
	if p.Near != nil {
		near = *p.Near
	}
	if !(near >= 0 && near <= math.MaxFloat32) {
		panic(fmt.Sprintf("%s: Near is %v metres; use nil for %d", name, near, defaultNear))
	}
	p.world = w
	p.clock = ecs.Resource[frame.Clock](w, name)
	p.workers = ecs.Resource[parallel.Workers](w, name)
	p.events = ecs.Resource[frame.Events](w, name)
	p.columns = ecs.NewColumns(w,
		ecs.Need[components.Transform](), ecs.Need[components.Faction](), ecs.Need[components.Senses](),
		ecs.Need[components.Percept](), ecs.Optional[components.LOD](), ecs.Optional[components.Health](),
		ecs.Optional[components.Candidates](), ecs.Optional[components.Attack]())
	p.lods = ecs.NewLookup[components.LOD](w)
	p.healths = ecs.NewLookup[components.Health](w)
	p.factions = ecs.NewLookup[components.Faction](w)
	p.attacked = ecs.NewLookup[components.Attacked](w)
	p.scene = scene{
		grid:       spatial.AttachGrid(w, name),
		terrain:    ecs.FindResource[space.Map](w),
		relations:  ecs.Resource[frame.Relations](w, name),
		near:       near,
		mustForget: func(e components.Entity, observer uint8) bool { return p.isDead(e) || !p.isHostile(e, observer) },
		health:     p.health,
		attackers:  p.attackers,
	}
	p.hearing = newHearing(w, &p.scene, p.workers.Count())
	p.perWorker = make([]workerState, p.workers.Count())
	p.hearingTask = p.maxHearingOfSpan
	p.senseTask = p.senseSpan
	p.budget.init(w, p)
}

// Finalize releases the columns of the world.
func (p *System) Finalize(*arche.World) { scratch.Release(&p.columns) }

// Stats returns the counters of the last frame.
func (p *System) Stats() Stats { return p.stats }

// Update carries noises to all agents and lets the agents sense that decide in this frame.
func (p *System) Update(w *arche.World) {
	p.cadence = ecs.FindResource[lod.Cadence](w)
	p.scene.grid.Refresh()
	p.scene.now = p.clock.Now
	p.scene.updateRelations()
	p.stats = Stats{}

	chunks := p.columns.Open()
	for i := range chunks {
		k := &chunks[i]
		p.chunks = append(p.chunks, chunk{
			entities:   k.Entities(),
			transforms: ecs.Column[components.Transform](k, 0),
			factions:   ecs.Column[components.Faction](k, 1),
			senses:     ecs.Column[components.Senses](k, 2),
			percepts:   ecs.Column[components.Percept](k, 3),
			lods:       ecs.Column[components.LOD](k, 4),
			healths:    ecs.Column[components.Health](k, 5),
			candidates: ecs.Column[components.Candidates](k, 6),
			attacks:    ecs.Column[components.Attack](k, 7),
		})
	}
	p.spans = p.columns.Spans(senseRows)
	agents := p.columns.Len()
	p.hearing.loudness = scratch.Sized(p.hearing.loudness, len(p.scene.grid.Entities))
	p.lostTarget = scratch.Reserve(p.lostTarget[:0], agents)
	p.hearing.hearers = scratch.Reserve(p.hearing.hearers[:0], agents)
	for i := range p.perWorker {
		p.perWorker[i].lostTarget = scratch.Reserve(p.perWorker[i].lostTarget, agents)
		p.hearing.workers[i].hearers = scratch.Reserve(p.hearing.workers[i].hearers, agents)
	}
	p.hear()
	if p.RayBudget > 0 {
		p.budget.run(p)
	} else {
		p.workers.Run(len(p.spans), p.senseTask)
	}
	p.mergeWorkers()
	clear(p.chunks) // columns are valid while open
	p.chunks, p.spans = p.chunks[:0], nil
	p.columns.Close()
}

// wake makes agents decide in this frame or, where the budget of the LOD system does not allow it, in the next. The
// agents are in the order of entities.
func (p *System) wake(agents []components.Entity) {
	for _, entity := range agents {
		switch lod := p.lods.Get(entity); {
		case lod == nil:
		case p.cadence != nil:
			p.cadence.WakeNow(lod)
		case !lod.Due():
			lod.Wake()
		}
	}
}

// senseSpan lets the due agents of a span sense.
func (p *System) senseSpan(worker, task int) {
	span := p.spans[task]
	chunk := &p.chunks[span.Chunk]
	w := &p.perWorker[worker]
	for i := span.Start; i < span.End; i++ {
		if chunk.lods != nil && !chunk.lods[i].Due() || chunk.healths != nil && chunk.healths[i].Current <= 0 {
			continue
		}
		a := chunk.agent(i)
		o := p.scene.sense(&w.scratch, &a, &chunk.percepts[i])
		w.countOutcome(p.events, worker, &a, o)
	}
}

// agent returns the agent of a row.
func (c *chunk) agent(i int) agent {
	a := agent{entity: c.entities[i], transform: &c.transforms[i], senses: &c.senses[i], faction: c.factions[i].ID}
	if c.candidates != nil {
		a.candidates = &c.candidates[i]
	}
	if c.attacks != nil {
		a.attackTarget = c.attacks[i].Target
	}
	return a
}

// countOutcome adds the outcome of a sensing to the counters.
func (w *workerState) countOutcome(events *frame.Events, worker int, a *agent, o outcome) {
	w.stats.Sensed++
	w.stats.Rays += o.rays
	if o.newTarget {
		events.Tally(worker, frame.Sighting, 1)
	}
	if o.lostTarget {
		w.lostTarget = append(w.lostTarget, a.entity)
	}
}

// mergeWorkers sums the counters of the workers and wakes the agents that lost their target.
func (p *System) mergeWorkers() {
	for i := range p.perWorker {
		w := &p.perWorker[i]
		p.stats.Sensed += w.stats.Sensed
		p.stats.Rays += w.stats.Rays
		w.stats = Stats{}
	}
	p.lostTarget = scratch.Merge(p.lostTarget, p.perWorker,
		func(w *workerState) *[]components.Entity { return &w.lostTarget }, components.Entity.Compare)
	p.wake(p.lostTarget)
}

// isDead reports whether an entity was removed or has no health left.
func (p *System) isDead(e components.Entity) bool {
	if !ecs.Alive(p.world, e) {
		return true
	}
	h := p.healths.Get(e)
	return h != nil && h.Current <= 0
}

// isHostile reports whether an observer's faction is hostile to an entity.
func (p *System) isHostile(e components.Entity, observer uint8) bool {
	faction := p.factions.Get(e)
	return faction != nil && p.scene.relations.Between(observer, faction.ID) == frame.Hostile
}

// health returns the health of an entity for a candidate, clamped to 16 bits; 0 if it has none.
func (p *System) health(e components.Entity) int16 {
	if h := p.healths.Get(e); h != nil {
		return int16(min(max(h.Current, math.MinInt16), math.MaxInt16))
	}
	return 0
}

// attackers returns how many agents attack an entity; 0 if it does not count them.
func (p *System) attackers(e components.Entity) uint8 {
	if a := p.attacked.Get(e); a != nil {
		return a.Count
	}
	return 0
}
