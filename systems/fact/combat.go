package fact

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// Facts of the fields of [components.Health] and [components.Ammo].
var (
	// Health is the agent's remaining health, an integer; 0 is dead.
	Health = blackboard.IntFact("health", func(h *components.Health) *int32 { return &h.Current }, 0)
	// MaxHealth is the agent's full health, an integer.
	MaxHealth = blackboard.IntFact("max health", func(h *components.Health) *int32 { return &h.Max }, 0)
	// HurtAge is the seconds since the agent was hit last, an age.
	HurtAge = blackboard.AgeFact("hurt", func(h *components.Health) *components.Timestamp { return &h.HurtAt })
	// HurtBy is the entity that hit the agent last; none before the first hit.
	HurtBy = blackboard.EntityFact("hurt by", func(h *components.Health) *components.Entity { return &h.HurtBy })
	// Ammo is the number of rounds left, an integer.
	Ammo = blackboard.IntFact("ammo", func(a *components.Ammo) *uint16 { return &a.Left }, 0)
	// AmmoShare is the rounds left divided by the full number, 0…1.
	AmmoShare = blackboard.FloatFact("ammo share", func(a *components.Ammo) *float32 { return &a.Fraction }, 0)
)
