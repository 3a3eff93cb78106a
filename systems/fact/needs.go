package fact

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// NeedFacts are ready-made handles of what agents know about their needs and of where they belong: the fields of
// [components.Needs] and [components.Home].
var (
	// Hunger: 0…1
	Hunger = blackboard.FloatFact("hunger", func(n *components.Needs) *float32 { return &n.Hunger }, 0)
	// Fatigue: 0…1
	Fatigue = blackboard.FloatFact("fatigue", func(n *components.Needs) *float32 { return &n.Fatigue }, 0)
	// Loneliness: 0…1
	Loneliness = blackboard.FloatFact("loneliness", func(n *components.Needs) *float32 { return &n.Loneliness }, 0)
	// Food: 0…1: of what one could wish for
	Food = blackboard.FloatFact("food", func(n *components.Needs) *float32 { return &n.Food }, 0)
	// Friends: 0…1: of as many as one could wish for
	Friends = blackboard.FloatFact("friends near", func(n *components.Needs) *float32 { return &n.Friends }, 0)
	// Day: 0…1; night is a range of 1 to 0 of it
	Day = blackboard.FloatFact("day", func(n *components.Needs) *float32 { return &n.Day }, 0)
	// Friend: entity: whom to turn to for company
	Friend = blackboard.EntityFact("friend", func(n *components.Needs) *components.Entity { return &n.Friend })
	// Bed: entity
	Bed = blackboard.EntityFact("bed", func(h *components.Home) *components.Entity { return &h.Bed })
	// Store: entity
	Store = blackboard.EntityFact("store", func(h *components.Home) *components.Entity { return &h.Store })
	// Work: entity
	Work = blackboard.EntityFact("workplace", func(h *components.Home) *components.Entity { return &h.Work })
	// Square: entity
	Square = blackboard.EntityFact("square", func(h *components.Home) *components.Entity { return &h.Square })
)
