package perception

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/setting"
	"github.com/flockwork-ai/flockwork/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/lod"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// System writes the [components.Percept] of agents: whom they see, whom they remember, what they heard and
// who is near. An agent has a [components.Transform], a [components.Faction], [components.Senses] and a Percept; a
// [components.Health] that is used up ends its perceiving, and [components.Candidates] are filled where it has them.
//
// In each frame those sense who decide in it: the agents whose [components.LOD] is due, and those without one.
// Whatever their turn, all agents hear the noises of the last frame. Who hears one is woken ([lod.Cadence.WakeNow]) before
// anyone senses, so it senses too and the AI serves it in the same frame. Who loses sight of the target or forgets it
// is woken as well; that matters to those who sense out of turn, see RayBudget.
//
// What an agent sees follows from where everyone stood when the frame began, see [spatial.Grid]. Agents sense
// independently, each writes its own percept alone, and all ties end in the entities' order, so neither the
// number of workers nor the storage order can change a result.
//
// Coherence from frame to frame is in the target: it is tested before all others, with one ray, and while it
// is in sight nothing else is looked at. No ray is kept for later, so a percept never depends on when its agent
// sensed before.
type System struct {
	// RayBudget is the most rays of a frame; 0 stands for no limit. Where it does not suffice, those who were passed
	// over most often go first, then those of the nearest tier, then the first in the order of entities. Who is passed
	// over keeps the percept of before and is served in the next frame ahead of others, whether it is due then or not.
	RayBudget int

	// Near is the distance in metres up to which hostiles and allies are counted; 0 stands for 8. It is a square around
	// the agent, extended to whole cells of the grid.
	Near float32

	world     *arche.World
	clock     *frame.Clock
	workers   *parallel.Workers
	events    *frame.Events
	columns   *ecs.Columns
	lods      ecs.Lookup[components.LOD]
	cadenceID arche.ResID  // of a Cadence
	cadence   *lod.Cadence // nil in a world without a LOD system
	healths   ecs.Lookup[components.Health]
	factions  ecs.Lookup[components.Faction]
	attacked  ecs.Lookup[components.Attacked]

	scene      scene
	hearing    *hearing
	perWorker  []workerState
	chunks     []perceivers
	spans      []ecs.Span
	lostTarget []components.Entity
	stats      Stats
	budget     rayBudget

	hearingTask func(worker, task int)
	senseTask   func(worker, task int)
}

// Stats are the figures of one frame.
type Stats struct {
	Sensed   int // agents
	Rays     int
	Deferred int // agents for which the ray budget did not suffice
	Heard    int // agents that heard a noise
}

// perceivers is the columns of one archetype.
type perceivers struct {
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
	hearing    [256]float32 // by faction
	lostTarget []components.Entity
	_          [64]byte // no cache line shared with another worker
}

const (
	defaultNear = 8
	senseRows   = 256 // agents of one task
)

// Initialize finds the world's resources. It panics when one is missing and when a setting is out of range.
func (p *System) Initialize(w *arche.World) {
	const who = "perception.System"
	p.Finalize(w) // of the world before, if nobody did
	if p.RayBudget < 0 {
		panic(fmt.Sprintf("%s: a ray budget of %d; use 0 for no limit", who, p.RayBudget))
	}
	if !(p.Near >= 0 && p.Near <= math.MaxFloat32) {
		panic(fmt.Sprintf("%s: Near is %v metres; use 0 for %d", who, p.Near, defaultNear))
	}
	p.world = w
	p.clock = ecs.Resource[frame.Clock](w, who)
	p.workers = ecs.Resource[parallel.Workers](w, who)
	p.events = ecs.Resource[frame.Events](w, who)
	p.columns = ecs.NewColumns(w,
		ecs.Need[components.Transform](), ecs.Need[components.Faction](), ecs.Need[components.Senses](),
		ecs.Need[components.Percept](), ecs.Optional[components.LOD](), ecs.Optional[components.Health](),
		ecs.Optional[components.Candidates](), ecs.Optional[components.Attack]())
	p.lods = ecs.NewLookup[components.LOD](w)
	p.cadenceID = arche.ResourceID[lod.Cadence](w)
	p.healths = ecs.NewLookup[components.Health](w)
	p.factions = ecs.NewLookup[components.Faction](w)
	p.attacked = ecs.NewLookup[components.Attacked](w)
	p.scene = scene{
		grid:       spatial.AttachGrid(w, who),
		terrain:    setting.OptionalResource[space.Map](w),
		relations:  ecs.Resource[frame.Relations](w, who),
		near:       p.Near,
		mustForget: func(e components.Entity, observer uint8) bool { return p.isDead(e) || !p.isHostile(e, observer) },
		health:     p.health,
		attackers:  p.attackers,
	}
	if p.Near == 0 {
		p.scene.near = defaultNear
	}
	p.hearing = newHearing(w, &p.scene, p.workers.Count())
	p.perWorker = make([]workerState, p.workers.Count())
	p.hearingTask = p.maxHearingOfSpan
	p.senseTask = p.senseSpan
	p.budget.init(w, p)
}

// Finalize releases what the system holds of the world.
func (p *System) Finalize(*arche.World) { scratch.Release(&p.columns) }

// Stats returns the figures of the last frame.
func (p *System) Stats() Stats { return p.stats }

// Update lets everyone hear, and those sense who decide in this frame.
func (p *System) Update(w *arche.World) {
	p.cadence, _ = w.Resources().Get(p.cadenceID).(*lod.Cadence)
	p.scene.grid.Refresh()
	p.scene.now = p.clock.Now
	p.scene.updateRelations()
	p.stats = Stats{}

	chunks := p.columns.Open()
	for i := range chunks {
		chunk := &chunks[i]
		p.chunks = append(p.chunks, perceivers{
			entities:   chunk.Entities(),
			transforms: ecs.Column[components.Transform](chunk, 0),
			factions:   ecs.Column[components.Faction](chunk, 1),
			senses:     ecs.Column[components.Senses](chunk, 2),
			percepts:   ecs.Column[components.Percept](chunk, 3),
			lods:       ecs.Column[components.LOD](chunk, 4),
			healths:    ecs.Column[components.Health](chunk, 5),
			candidates: ecs.Column[components.Candidates](chunk, 6),
			attacks:    ecs.Column[components.Attack](chunk, 7),
		})
	}
	p.spans = p.columns.Spans(senseRows)
	agents := p.columns.Len()
	p.hearing.loudness = scratch.Sized(p.hearing.loudness, len(p.scene.grid.Entities))
	p.lostTarget, p.hearing.hearers = scratch.Roomy(p.lostTarget[:0], agents), scratch.Roomy(p.hearing.hearers[:0], agents)
	for i := range p.perWorker {
		p.perWorker[i].lostTarget = scratch.Roomy(p.perWorker[i].lostTarget, agents)
		p.hearing.workers[i].hearers = scratch.Roomy(p.hearing.workers[i].hearers, agents)
	}
	p.hear()
	if p.RayBudget > 0 {
		p.budget.run(p)
	} else {
		p.workers.Run(len(p.spans), p.senseTask)
	}
	p.mergeWorkers()
	clear(p.chunks) // columns hold only while open
	p.chunks, p.spans = p.chunks[:0], nil
	p.columns.Close()
}

// hear carries the noises to the agents and wakes who heard any.
func (p *System) hear() {
	noises := p.events.MergeNoises()
	if len(noises) == 0 {
		return
	}
	p.workers.Run(len(p.spans), p.hearingTask)
	p.hearing.maxHearing = [256]float32{}
	for i := range p.perWorker {
		for faction, keen := range p.perWorker[i].hearing {
			p.hearing.maxHearing[faction] = max(p.hearing.maxHearing[faction], keen)
		}
		p.perWorker[i].hearing = [256]float32{}
	}
	woken := p.hearing.carryNoises(noises, p.workers)
	p.stats.Heard = len(woken)
	p.events.Tally(0, frame.NoiseHeard, len(woken))
	p.wake(woken)
}

// maxHearingOfSpan finds the sharpest hearing of some agents, for each faction.
func (p *System) maxHearingOfSpan(worker, task int) {
	span := p.spans[task]
	chunk := &p.chunks[span.Chunk]
	senses, factions := chunk.senses[span.Start:span.End], chunk.factions[span.Start:span.End]
	keen := &p.perWorker[worker].hearing
	for i := range senses {
		if hearing := senses[i].Hearing; hearing > keen[factions[i].ID] {
			keen[factions[i].ID] = hearing
		}
	}
}

// wake makes agents decide in this frame, or where the LOD system's budget does not allow it in the next. They
// come in the order of entities.
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

// senseSpan lets some agents sense.
func (p *System) senseSpan(worker, task int) {
	span := p.spans[task]
	chunk := &p.chunks[span.Chunk]
	w := &p.perWorker[worker]
	for i := span.Start; i < span.End; i++ {
		if chunk.lods != nil && !chunk.lods[i].Due() || chunk.healths != nil && chunk.healths[i].Current <= 0 {
			continue
		}
		a := chunk.agent(i)
		n := p.scene.sense(&w.scratch, &a, &chunk.percepts[i])
		w.countOutcome(p.events, worker, &a, n)
	}
}

// agent returns who stands in a row.
func (c *perceivers) agent(i int) agent {
	a := agent{entity: c.entities[i], transform: &c.transforms[i], senses: &c.senses[i], faction: c.factions[i].ID}
	if c.candidates != nil {
		a.candidates = &c.candidates[i]
	}
	if c.attacks != nil {
		a.attackTarget = c.attacks[i].Target
	}
	return a
}

// countOutcome keeps count of what a sensing led to.
func (w *workerState) countOutcome(events *frame.Events, worker int, a *agent, n outcome) {
	w.stats.Sensed++
	w.stats.Rays += n.rays
	if n.newTarget {
		events.Tally(worker, frame.Sighting, 1)
	}
	if n.lostTarget {
		w.lostTarget = append(w.lostTarget, a.entity)
	}
}

// mergeWorkers sums up the workers' figures and wakes who lost the target.
func (p *System) mergeWorkers() {
	for i := range p.perWorker {
		w := &p.perWorker[i]
		p.stats.Sensed += w.stats.Sensed
		p.stats.Rays += w.stats.Rays
		w.stats = Stats{}
	}
	p.lostTarget = scratch.Merged(p.lostTarget, p.perWorker, func(w *workerState) *[]components.Entity { return &w.lostTarget }, components.Entity.Compare)
	p.wake(p.lostTarget)
}

// isDead reports whether an entity was removed or killed.
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

// health returns what is left of an entity's health, as far as a candidate tells; 0 when it has none.
func (p *System) health(e components.Entity) int16 {
	if h := p.healths.Get(e); h != nil {
		return int16(min(max(h.Current, math.MinInt16), math.MaxInt16))
	}
	return 0
}

// attackers returns how many hold a claim on an entity, 0 when it does not keep count.
func (p *System) attackers(e components.Entity) uint8 {
	if a := p.attacked.Get(e); a != nil {
		return a.Count
	}
	return 0
}

// rayBudget serves agents in the order of their claims until the rays of a frame are spent.
//
// How many rays an agent casts is known only when it has sensed. So agents sense in batches, split over the
// workers, into scratch memory; then their rays are added up in order, and what exceeds the budget is
// thrown away. The size of a batch is fixed, so the outcome is that of serving one after the other.
type rayBudget struct {
	framesDeferred []uint8             // frames that an agent has been passed over, by entity index
	deferred       []components.Entity // for whom that is not 0, in no particular order
	requests       []request
	batch          []request // the part of claims under way
	results        []result  // of the batch
	perWorker      []workerState
	task           func(worker, task int)
	scene          *scene

	transforms ecs.Lookup[components.Transform]
	senses     ecs.Lookup[components.Senses]
	percepts   ecs.Lookup[components.Percept]
	candidates ecs.Lookup[components.Candidates]
	attacks    ecs.Lookup[components.Attack]
}

// request is an agent that wants to sense.
type request struct {
	agent          agent
	percept        *components.Percept
	framesDeferred uint8
	tier           uint8
}

// result is what an agent would perceive.
type result struct {
	percept    components.Percept
	candidates components.Candidates
	outcome    outcome
}

const (
	budgetBatch = 512 // agents
	budgetTask  = 32
)

func (b *rayBudget) init(w *arche.World, p *System) {
	b.perWorker, b.scene = p.perWorker, &p.scene
	b.task = b.senseTask
	b.results = make([]result, budgetBatch)
	b.transforms = ecs.NewLookup[components.Transform](w)
	b.senses = ecs.NewLookup[components.Senses](w)
	b.percepts = ecs.NewLookup[components.Percept](w)
	b.candidates = ecs.NewLookup[components.Candidates](w)
	b.attacks = ecs.NewLookup[components.Attack](w)
}

// run lets agents sense within the budget.
func (b *rayBudget) run(p *System) {
	b.collectRequests(p)
	slices.SortFunc(b.requests, func(x, y request) int {
		return cmp.Or(
			cmp.Compare(y.framesDeferred, x.framesDeferred),
			cmp.Compare(x.tier, y.tier),
			x.agent.entity.Compare(y.agent.entity),
		)
	})
	b.deferred = b.deferred[:0]
	left := p.RayBudget
	for at := 0; at < len(b.requests); {
		b.batch = b.requests[at:min(at+budgetBatch, len(b.requests))]
		p.workers.Run((len(b.batch)+budgetTask-1)/budgetTask, b.task)
		served := 0
		for ; served < len(b.batch); served++ {
			c, d := &b.batch[served], &b.results[served]
			// The first is served whatever it takes, or one that needs more than the budget would wait for ever.
			if d.outcome.rays > left && at+served > 0 {
				break
			}
			left -= d.outcome.rays
			*c.percept = d.percept
			if c.agent.candidates != nil {
				*c.agent.candidates = d.candidates
			}
			b.framesDeferred[c.agent.entity.Index] = 0
			b.perWorker[0].countOutcome(p.events, 0, &c.agent, d.outcome)
		}
		at += served
		if served < len(b.batch) {
			p.stats.Deferred = len(b.requests) - at
			for i := range b.requests[at:] {
				entity := b.requests[at+i].agent.entity
				if waited := &b.framesDeferred[entity.Index]; *waited < math.MaxUint8 {
					*waited++
				}
				b.deferred = append(b.deferred, entity)
			}
			break
		}
	}
	clear(b.requests) // pointers into columns hold only while these are open
	b.requests, b.batch = b.requests[:0], nil
}

// collectRequests makes the list of those who decide in this frame and those who were passed over before.
func (b *rayBudget) collectRequests(p *System) {
	for _, entity := range b.deferred {
		if p.isDead(entity) {
			b.framesDeferred[entity.Index] = 0
			continue
		}
		lod := p.lods.Get(entity)
		if lod == nil || lod.Due() {
			continue // is among those below
		}
		c := request{percept: b.percepts.Get(entity), framesDeferred: b.framesDeferred[entity.Index], tier: lod.Tier}
		c.agent = agent{
			entity: entity, transform: b.transforms.Get(entity), senses: b.senses.Get(entity),
			candidates: b.candidates.Get(entity),
		}
		faction := p.factions.Get(entity)
		if c.percept == nil || c.agent.transform == nil || c.agent.senses == nil || faction == nil {
			b.framesDeferred[entity.Index] = 0
			continue
		}
		c.agent.faction = faction.ID
		if attack := b.attacks.Get(entity); attack != nil {
			c.agent.attackTarget = attack.Target
		}
		b.requests = append(b.requests, c)
	}
	for k := range p.chunks {
		chunk := &p.chunks[k]
		for i, entity := range chunk.entities {
			if chunk.lods != nil && !chunk.lods[i].Due() || chunk.healths != nil && chunk.healths[i].Current <= 0 {
				continue
			}
			if int(entity.Index) >= len(b.framesDeferred) {
				b.framesDeferred = append(b.framesDeferred, make([]uint8, int(entity.Index)+1-len(b.framesDeferred))...)
			}
			c := request{agent: chunk.agent(i), percept: &chunk.percepts[i], framesDeferred: b.framesDeferred[entity.Index]}
			if chunk.lods != nil {
				c.tier = chunk.lods[i].Tier
			}
			b.requests = append(b.requests, c)
		}
	}
}

// senseTask drafts percepts of a batch.
func (b *rayBudget) senseTask(worker, task int) {
	for i := task * budgetTask; i < min((task+1)*budgetTask, len(b.batch)); i++ {
		c, d := &b.batch[i], &b.results[i]
		a := c.agent
		d.percept = *c.percept
		if a.candidates != nil {
			a.candidates = &d.candidates
		}
		d.outcome = b.scene.sense(&b.perWorker[worker].scratch, &a, &d.percept)
	}
}
