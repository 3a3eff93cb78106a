package fact

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// Facts of the fields of [components.Needs] and [components.Home].
var (
	// Hunger is 0…1; 0 is none.
	Hunger = blackboard.FloatFact("hunger", func(n *components.Needs) *float32 { return &n.Hunger }, 0)
	// Fatigue is 0…1; 0 is none.
	Fatigue = blackboard.FloatFact("fatigue", func(n *components.Needs) *float32 { return &n.Fatigue }, 0)
	// Loneliness is 0…1; 0 is none.
	Loneliness = blackboard.FloatFact("loneliness", func(n *components.Needs) *float32 { return &n.Loneliness }, 0)
	// Food is how well the agent's store is stocked, 0…1; 0 without a store.
	Food = blackboard.FloatFact("food", func(n *components.Needs) *float32 { return &n.Food }, 0)
	// Friends is how much company is near and awake, 0…1; 1 is enough.
	Friends = blackboard.FloatFact("friends near", func(n *components.Needs) *float32 { return &n.Friends }, 0)
	// Day is 1 by day and 0 by night, with values between at dawn and dusk.
	Day = blackboard.FloatFact("day", func(n *components.Needs) *float32 { return &n.Day }, 0)
	// Friend is the entity to socialise with; none while no agent is near and awake.
	Friend = blackboard.EntityFact("friend", func(n *components.Needs) *components.Entity { return &n.Companion })
	// Bed is the entity of the agent's bed, if any.
	Bed = blackboard.EntityFact("bed", func(h *components.Home) *components.Entity { return &h.Bed })
	// Store is the entity of the agent's store, if any.
	Store = blackboard.EntityFact("store", func(h *components.Home) *components.Entity { return &h.Store })
	// Work is the entity of the agent's workplace, if any.
	Work = blackboard.EntityFact("workplace", func(h *components.Home) *components.Entity { return &h.Work })
	// Square is the entity of the place where the agent goes when it has nothing to do, if any.
	Square = blackboard.EntityFact("square", func(h *components.Home) *components.Entity { return &h.Square })
)
