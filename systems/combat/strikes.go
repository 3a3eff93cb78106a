package combat

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/elementary"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/vec"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// takeTriggers carries out the strikes and the shouts that agents have fired.
func (s *System) takeTriggers() {
	for _, kind := range [...]components.Action{s.actions.Strike, s.actions.Shout} {
		s.fired = s.triggers.Take(kind)
		s.firedBy = s.firedBy[:0]
		for start := 0; start < len(s.fired); {
			end := min(start+combatRows, len(s.fired))
			for end < len(s.fired) && s.fired[end].Agent == s.fired[end-1].Agent {
				end++ // one task serves all triggers of an agent
			}
			s.firedBy = append(s.firedBy, ecs.Span{Start: start, End: end})
			start = end
		}
		s.workers.Run(len(s.firedBy), s.fire)
	}
	s.fired = nil
}

// fireSpan carries out the triggers of a task. It writes to the agents that fired them only; effects on other agents go
// to the events.
func (s *System) fireSpan(worker, task int) {
	span := s.firedBy[task]
	for _, t := range s.fired[span.Start:span.End] {
		transform, faction := s.transforms.Get(t.Agent), s.factions.Get(t.Agent)
		if transform == nil || faction == nil {
			continue
		}
		at := transform.Position
		if t.Action == s.actions.Shout {
			loudness := t.Number
			if !(loudness > 0 && elementary.IsFinite(loudness)) {
				loudness = s.settings.shoutNoise
			}
			if loudness > 0 && vec.FiniteVec(at) {
				s.events.Noise(worker, t.Agent, at, loudness)
			}
			continue
		}
		if !s.strikeLands(t.Agent, at, faction.ID, t.Target) {
			continue
		}
		s.events.Hurt(worker, t.Agent, t.Target, damageOf(t.Number, s.settings.damage))
		s.events.Count(worker, eventlist.Strike, 1)
		s.recordAttack(worker, t.Agent, at, s.settings.strikeNoise, s.fighterOf.Get(t.Agent), s.lods.Get(t.Agent))
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
