package combat

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/scratch"
)

// claimRequest is a claim that an attacker asks for.
type claimRequest struct{ attacker, target components.Entity }

// compare orders requests by attacker.
func (r claimRequest) compare(o claimRequest) int { return r.attacker.Compare(o.attacker) }

// grant counts the valid claims and grants requests in the order of attackers, up to MaxAttackers per target.
func (a *attacks) grant() {
	c := a.combat
	a.count.Reset()
	for i := range a.perWorker {
		w := &a.perWorker[i]
		a.count.Grow(int(w.highest) + 1) // most targets are attackers themselves
		for _, target := range w.claims {
			a.add(target)
		}
		w.claims = w.claims[:0]
	}
	requests := func(w *attackWorker) *[]claimRequest { return &w.requests }
	a.requests = scratch.Merge(a.requests, a.perWorker, requests, claimRequest.compare)
	for _, r := range a.requests {
		order, attack := &a.intents.Get(r.attacker).Orders[components.Act], a.claims.Get(r.attacker)
		if a.claimsOn(r.target) >= c.settings.maxAttackers {
			order.Outcome = components.Failed
			a.stats.Refused++
			continue
		}
		attack.Target, attack.Serial, attack.Since = r.target, order.Serial, c.clock.Now
		a.add(r.target)
		a.stats.Granted++
	}
}

// add counts a claim.
func (a *attacks) add(target components.Entity) {
	n := a.count.Entry(target)
	*n = min(*n, 254) + 1
	a.stats.MostAttackers = max(a.stats.MostAttackers, int(*n))
}

// claimsOn returns the number of claims on an entity. The generation need not be compared: a removed entity has
// no claims.
func (a *attacks) claimsOn(e components.Entity) uint8 { return a.count.Get(e) }

// writeSpan writes the counts of a task's targets.
func (a *attacks) writeSpan(_, task int) {
	span := a.spans[task]
	chunk := &a.chunks[span.Chunk]
	attacked := ecs.Column[components.Attacked](chunk, 0)
	for i, e := range chunk.Entities()[span.Start:span.End] {
		attacked[span.Start+i].Count = a.claimsOn(e)
	}
}

// onLeave releases the claim of an agent that is removed or gets another mind, so that the counts of a frame stay valid
// after its commands.
func (a *attacks) onLeave(_ *arche.World, e components.Entity, _ ecs.LeaveReason) {
	attack := a.claims.Get(e)
	if attack == nil || attack.Target.IsZero() {
		return
	}
	// An agent that lacks a component of an attacker was not counted in this frame.
	counted := a.intents.Get(e) != nil && a.combat.transforms.Get(e) != nil && a.combat.factions.Get(e) != nil
	if attacked := a.attackedOf.Get(attack.Target); attacked != nil && attacked.Count > 0 && counted {
		attacked.Count--
	}
	attack.Target = components.Entity{}
}
