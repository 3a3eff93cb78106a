package combat

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// OnDeath registers a function that is called for each death, in the order of victims, on the goroutine that calls
// Update. The victim still has its components. The function must not change the structure of the world; it can use the
// command queue.
func (c *System) OnDeath(f func(victim, killer components.Entity)) { c.onDeath = append(c.onDeath, f) }

// applyWound takes the damage of a wound from its target's health.
func (c *System) applyWound(w *frame.Wound) {
	health := c.healths.Get(w.Target)
	if health == nil || health.Current <= 0 || w.Amount <= 0 {
		return // dead already, or not hurt
	}
	health.Current = int32(max(int64(health.Current)-int64(w.Amount), math.MinInt32))
	health.HurtBy, health.HurtAt = w.By, c.clock.Now
	if lod := c.lods.Get(w.Target); lod != nil {
		c.events.Wake(0, w.Target)
		if fighter := c.fighterOf.Get(w.Target); fighter != nil {
			raiseImportance(fighter, lod)
		}
	}
	if health.Current <= 0 {
		c.die(w.Target, w.By)
	}
}

// die queues the removal of an agent, and its respawn if its Fighter names a prefab.
func (c *System) die(victim, killer components.Entity) {
	c.events.Tally(0, frame.Death, 1)
	for _, f := range c.onDeath {
		f(victim, killer)
	}
	c.commands.Queue(0).Remove(victim, victim)
	c.queueRespawn(victim)
}

// dead reports whether a former target is dead or was removed.
func (c *System) dead(target components.Entity) bool {
	health := c.healths.Get(target)
	return health == nil || health.Current <= 0
}
