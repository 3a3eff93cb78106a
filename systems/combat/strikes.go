package combat

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/elementary"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// strikeSpan consumes the triggers of a task's agents. It writes to these agents only; effects on other agents go to
// the events.
func (s *System) strikeSpan(worker, task int) {
	span := s.spans[task]
	chunk := &s.chunks[span.Chunk]
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
			case s.actions.Strike:
				if !s.strikeLands(entities[i], at, factions[i].ID, trigger.Target) {
					continue
				}
				s.events.Hurt(worker, entities[i], trigger.Target, damageOf(trigger.Number, s.settings.damage))
				s.events.Count(worker, eventlist.Strike, 1)
				s.recordAttack(worker, entities[i], at, s.settings.strikeNoise,
					scratch.RowOf(fighters, i), scratch.RowOf(lods, i))
			case s.actions.Shout:
				loudness := trigger.Number
				if !(loudness > 0 && elementary.IsFinite(loudness)) {
					loudness = s.settings.shoutNoise
				}
				if loudness > 0 && vec.FiniteVec(at) {
					s.events.Noise(worker, entities[i], at, loudness)
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
func (s *System) recordAttack(
	worker int, e components.Entity, at components.Vec2, loudness float32, f *components.Fighter, l *components.LOD,
) {
	if loudness > 0 {
		s.events.Noise(worker, e, at, loudness)
	}
	if f == nil {
		return
	}
	s.perWorker[worker].recordInterval(f.LastAttackAt, s.clock.Now)
	f.LastAttackAt = s.clock.Now
	if l != nil {
		raiseImportance(f, l)
	}
}

// strikeLands reports whether a strike reaches its target.
func (s *System) strikeLands(e components.Entity, at components.Vec2, faction uint8, target components.Entity) bool {
	place, ok := s.attackable(e, faction, target)
	away := vec.Sub(place, at)
	return ok && vec.Dot(away, away) <= float32(s.settings.reach*s.settings.reach)
}

// attackable returns where a target stands that an agent of a faction can attack: one that is alive and hostile. ok is
// false for any other target.
func (s *System) attackable(
	attacker components.Entity, faction uint8, target components.Entity,
) (at components.Vec2, ok bool) {
	health, transform, other := s.healths.Get(target), s.transforms.Get(target), s.factions.Get(target)
	if target == attacker || health == nil || transform == nil || other == nil || health.Current <= 0 {
		return components.Vec2{}, false
	}
	return transform.Position, s.relations.Between(faction, other.ID) == frame.Hostile
}

// damageOf returns the damage for the number of an order or a trigger: the number, or fallback if it is below 1.
func damageOf(number float32, fallback int32) int32 {
	if !(number >= 1) { // or NaN
		return fallback
	}
	return int32(min(number, 1<<30))
}
