package combat

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
)

// A death has two sides. Here the victim is removed and its respawn is queued. Its attackers learn of it in carryOut of
// attacks.go: their order succeeds and their claim ends.

// OnDeath registers a function that is called for each death, in the order of victims, on the goroutine that calls
// Update. The victim still has its components. The function must not change the structure of the world; it can use the
// command queue.
func (s *System) OnDeath(f func(victim, killer components.Entity)) { s.onDeath = append(s.onDeath, f) }

// applyWound takes the damage of a wound from its target's health.
func (s *System) applyWound(w *eventlist.Wound) {
	health := s.healths.Get(w.Target)
	if health == nil || health.Current <= 0 || w.Amount <= 0 {
		return // already dead, or not hurt
	}
	health.Current = int32(max(int64(health.Current)-int64(w.Amount), math.MinInt32))
	health.HurtBy, health.HurtAt = w.By, s.clock.Now
	if lod := s.lods.Get(w.Target); lod != nil {
		s.events.Wake(0, w.Target)
		if fighter := s.fighterOf.Get(w.Target); fighter != nil {
			raiseImportance(fighter, lod)
		}
	}
	if health.Current <= 0 {
		s.die(w.Target, w.By)
	}
}

// die queues the removal of an agent, and its respawn if its Fighter names a prefab.
func (s *System) die(victim, killer components.Entity) {
	s.events.Count(0, eventlist.Death, 1)
	for _, f := range s.onDeath {
		f(victim, killer)
	}
	s.commands.Queue(0).Remove(victim, victim)
	s.queueRespawn(victim)
}

// dead reports whether a former target is dead or was removed.
func (s *System) dead(target components.Entity) bool {
	health := s.healths.Get(target)
	return health == nil || health.Current <= 0
}
