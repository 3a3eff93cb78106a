package combat

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/elementary"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// strikeSpan consumes the triggers of a task's agents. It writes to these agents alone; what they do to others goes to
// the events.
func (c *System) strikeSpan(worker, task int) {
	span := c.spans[task]
	chunk := &c.chunks[span.Chunk]
	entities := chunk.Entities()
	triggers := ecs.Column[components.Triggers](chunk, triggeredTriggers)
	transforms := ecs.Column[components.Transform](chunk, triggeredTransform)
	factions := ecs.Column[components.Faction](chunk, triggeredFaction)
	fighters := ecs.Column[components.Fighter](chunk, triggeredFighter)
	lods := ecs.Column[components.LOD](chunk, triggeredLOD)
	for i := span.Start; i < span.End; i++ {
		list := &triggers[i].List
		if list[0].Action == 0 {
			continue
		}
		at := transforms[i].Position
		kept := 0
		for j := 0; j < len(list) && list[j].Action != 0; j++ {
			trigger := list[j]
			switch trigger.Action {
			case c.actions.Strike:
				if !c.strikeLands(entities[i], at, factions[i].ID, trigger.Target) {
					continue
				}
				c.events.Hurt(worker, entities[i], trigger.Target, damageOf(trigger.Number, c.settings.damage))
				c.events.Tally(worker, frame.Strike, 1)
				c.recordAttack(worker, entities[i], at, c.settings.strikeNoise,
					scratch.RowOf(fighters, i), scratch.RowOf(lods, i))
			case c.actions.Shout:
				loudness := trigger.Number
				if !(loudness > 0 && elementary.IsFinite(loudness)) {
					loudness = c.settings.shoutNoise
				}
				if loudness > 0 && vec.FiniteVec(at) {
					c.events.Noise(worker, entities[i], at, loudness)
				}
			default: // another system's
				list[kept] = trigger
				kept++
			}
		}
		clear(list[kept:])
	}
}

// recordAttack makes the noise of a strike or a shot, which carries for loudness metres if that is positive, records
// when the agent attacked and raises its importance. The agent may lack a Fighter and a LOD.
func (c *System) recordAttack(
	worker int, e components.Entity, at components.Vec2, loudness float32, f *components.Fighter, l *components.LOD,
) {
	if loudness > 0 {
		c.events.Noise(worker, e, at, loudness)
	}
	if f == nil {
		return
	}
	c.perWorker[worker].recordInterval(f.LastAttackAt, c.clock.Now)
	f.LastAttackAt = c.clock.Now
	if l != nil {
		raiseImportance(f, l)
	}
}

// strikeLands reports whether a strike reaches its target.
func (c *System) strikeLands(e components.Entity, at components.Vec2, faction uint8, target components.Entity) bool {
	place, ok := c.attackable(e, faction, target)
	away := vec.Sub(place, at)
	return ok && vec.Dot(away, away) <= float32(c.settings.reach*c.settings.reach)
}

// attackable returns where a target stands that an agent of a faction can attack: one that is alive and hostile. ok is
// false for any other target.
func (c *System) attackable(
	attacker components.Entity, faction uint8, target components.Entity,
) (at components.Vec2, ok bool) {
	health, transform, other := c.healths.Get(target), c.transforms.Get(target), c.factions.Get(target)
	if target == attacker || health == nil || transform == nil || other == nil || health.Current <= 0 {
		return components.Vec2{}, false
	}
	return transform.Position, c.relations.Between(faction, other.ID) == frame.Hostile
}

// damageOf returns the damage that an order's or a trigger's number stands for.
func damageOf(number float32, standard int32) int32 {
	if !(number >= 1) { // or NaN
		return standard
	}
	return int32(min(number, 1<<30))
}
