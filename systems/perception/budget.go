package perception

import (
	"cmp"
	"slices"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems/internal/position"
)

// rayBudget lets agents sense in order of priority until the rays of a frame are spent.
//
// The number of rays of an agent is known only after it has sensed. So agents sense in batches, split over the workers,
// into scratch memory. Then their rays are added up in order, and results that exceed the budget are discarded. The
// size of a batch is fixed, so the outcome equals that of one agent after the other.
type rayBudget struct {
	framesDeferred ecs.Table[uint32]   // consecutive frames in which an agent was deferred
	deferred       []components.Entity // agents whose framesDeferred is not 0, in no particular order
	requests       []request
	batch          []request // the part of requests that is processed
	results        []result  // of the batch
	perWorker      []workerState
	task           func(worker, task int)
	scene          *scene

	transforms position.Lookup
	senses     ecs.Lookup[components.Senses]
	percepts   ecs.Lookup[components.Percept]
	candidates ecs.Lookup[components.Candidates]
	attacks    ecs.Lookup[components.Attack]
}

// request is an agent that is to sense in this frame.
type request struct {
	agent          agent
	percept        *components.Percept
	framesDeferred uint32
	tier           uint8
}

// result is what an agent would perceive.
type result struct {
	percept    components.Percept
	candidates components.Candidates
	outcome    outcome
}

const (
	budgetBatch = 512 // agents of one batch
	budgetTask  = 32  // agents of one task
)

// init prepares the budget for a world.
func (b *rayBudget) init(w *arche.World, p *System) {
	b.perWorker, b.scene = p.perWorker, &p.scene
	b.task = b.senseTask
	b.results = make([]result, budgetBatch)
	b.transforms = position.NewLookup(w)
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
			q, r := &b.batch[served], &b.results[served]
			// The first agent is always served, so that an agent that needs more than the budget does not wait for
			// ever.
			if r.outcome.rays > left && at+served > 0 {
				break
			}
			left -= r.outcome.rays
			*q.percept = r.percept
			if q.agent.candidates != nil {
				*q.agent.candidates = r.candidates
			}
			b.framesDeferred.Set(q.agent.entity, 0)
			b.perWorker[0].countOutcome(p.events, 0, &q.agent, r.outcome)
		}
		at += served
		if served < len(b.batch) {
			p.stats.Deferred = len(b.requests) - at
			for i := range b.requests[at:] {
				q := &b.requests[at+i]
				entity := q.agent.entity
				knowNobody(q)
				*b.framesDeferred.Entry(entity)++
				b.deferred = append(b.deferred, entity)
			}
			break
		}
	}
	clear(b.requests) // pointers into columns are valid while these are open
	b.requests, b.batch = b.requests[:0], nil
}

// knowNobody makes the distances of an agent those to nobody if it has never perceived and its components are zero,
// since it decides before it does.
func knowNobody(q *request) {
	if p := q.percept; p.Target.IsZero() {
		p.Distance = components.NoDistance
	}
	if c := q.agent.candidates; c != nil && c.Count == 0 {
		*c = noCandidates
	}
}

// collectRequests lists the agents that decide in this frame and those that were deferred.
func (b *rayBudget) collectRequests(p *System) {
	for _, entity := range b.deferred {
		if p.isDead(entity) {
			b.framesDeferred.Set(entity, 0)
			continue
		}
		l := p.lods.Get(entity)
		if l == nil || l.Due() {
			continue // due: listed below
		}
		q := request{percept: b.percepts.Get(entity), framesDeferred: b.framesDeferred.Get(entity), tier: l.Tier}
		q.agent = agent{
			entity: entity, senses: b.senses.Get(entity), candidates: b.candidates.Get(entity),
			health: p.healths.Get(entity),
		}
		var placed bool
		q.agent.transform, placed = b.transforms.Get(entity)
		faction := p.factions.Get(entity)
		if q.percept == nil || !placed || q.agent.senses == nil || faction == nil {
			b.framesDeferred.Set(entity, 0)
			continue
		}
		q.agent.faction = faction.ID
		if attack := b.attacks.Get(entity); attack != nil {
			q.agent.attackTarget = attack.Target
		}
		b.requests = append(b.requests, q)
	}
	for k := range p.chunks {
		chunk := &p.chunks[k]
		for i, entity := range chunk.entities {
			if chunk.lods != nil && !chunk.lods[i].Due() || chunk.healths != nil && chunk.healths[i].Current <= 0 {
				continue
			}
			q := request{agent: chunk.agent(i), percept: &chunk.percepts[i]}
			q.framesDeferred = b.framesDeferred.Get(entity)
			if chunk.lods != nil {
				q.tier = chunk.lods[i].Tier
			}
			b.requests = append(b.requests, q)
		}
	}
}

// senseTask computes the results of a part of a batch.
func (b *rayBudget) senseTask(worker, task int) {
	for i := task * budgetTask; i < min((task+1)*budgetTask, len(b.batch)); i++ {
		q, r := &b.batch[i], &b.results[i]
		a := q.agent
		r.percept = *q.percept
		if a.candidates != nil {
			a.candidates = &r.candidates
		}
		r.outcome = b.scene.sense(&b.perWorker[worker].scratch, &a, &r.percept)
	}
}
