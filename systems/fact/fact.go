package fact

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/systems/perception"
)

// Facts are ready-made handles of what agents know about themselves: what perception wrote into their
// [components.Percept], and their health and ammunition. Trees and evaluators read them as they are. Candidates are the
// targets that perception lists in [components.Candidates], for the actions of an evaluator; the facts of a candidate
// are read of each of them.
var (
	// Target: entity: the hostile in sight or in memory
	Target = blackboard.EntityFact("target", func(p *components.Percept) *components.Entity { return &p.Target })
	// Visible: bool: whether it is in sight
	Visible = blackboard.BoolFact("target visible", func(p *components.Percept) *bool { return &p.Visible }, false)
	// Distance: metres to where it was seen last; [perception.NoDistance] without a target
	Distance = blackboard.FloatFact("target distance",
		func(p *components.Percept) *float32 { return &p.Distance }, perception.NoDistance)
	// SeenAge: age: time since it was seen last
	SeenAge = blackboard.AgeFact("target seen",
		func(p *components.Percept) *components.Timestamp { return &p.SeenAt })
	// Belief: 1 while it is in sight, 0 when it is forgotten
	Belief = blackboard.FloatFact("target belief", func(p *components.Percept) *float32 { return &p.Belief }, 0)
	// LastKnownX: metres
	LastKnownX = blackboard.FloatFact("last known x", func(p *components.Percept) *float32 { return &p.LastKnown.X }, 0)
	// LastKnownY: metres
	LastKnownY = blackboard.FloatFact("last known y", func(p *components.Percept) *float32 { return &p.LastKnown.Y }, 0)
	// NoiseAge: age: time since a noise was heard
	NoiseAge = blackboard.AgeFact("noise heard",
		func(p *components.Percept) *components.Timestamp { return &p.NoiseAt })
	// NoiseX: metres
	NoiseX = blackboard.FloatFact("noise x", func(p *components.Percept) *float32 { return &p.Noise.X }, 0)
	// NoiseY: metres
	NoiseY = blackboard.FloatFact("noise y", func(p *components.Percept) *float32 { return &p.Noise.Y }, 0)
	// Hostiles: integer: hostiles near, seen or not
	Hostiles = blackboard.IntFact("hostiles near", func(p *components.Percept) *uint16 { return &p.Hostiles }, 0)
	// Allies: integer: allies near
	Allies = blackboard.IntFact("allies near", func(p *components.Percept) *uint16 { return &p.Allies }, 0)
	// Health: integer: what is left
	Health = blackboard.IntFact("health", func(h *components.Health) *int32 { return &h.Current }, 0)
	// MaxHealth: integer
	MaxHealth = blackboard.IntFact("max health", func(h *components.Health) *int32 { return &h.Max }, 0)
	// HurtAge: age: time since the last blow
	HurtAge = blackboard.AgeFact("hurt", func(h *components.Health) *components.Timestamp { return &h.HurtAt })
	// HurtBy: entity: who struck last
	HurtBy = blackboard.EntityFact("hurt by", func(h *components.Health) *components.Entity { return &h.HurtBy })
	// Nearest: metres to the nearest of the candidates; 0 while there are none
	Nearest = blackboard.FloatFact("nearest candidate",
		func(c *components.Candidates) *float32 { return &c.List[0].Distance }, perception.NoDistance)
	// Ammo: integer: rounds left
	Ammo = blackboard.IntFact("ammo", func(a *components.Ammo) *uint16 { return &a.Left }, 0)
	// AmmoShare: 1 with full ammunition, 0 without any
	AmmoShare = blackboard.FloatFact("ammo share", func(a *components.Ammo) *float32 { return &a.Share }, 0)

	// Candidates: the hostiles perceived, nearest first
	Candidates = blackboard.ListOf("candidates",
		func(c *components.Candidates) []components.Candidate { return c.List[:] },
		func(c *components.Candidates) *uint8 { return &c.Count },
		func(c *components.Candidate) *components.Entity { return &c.Entity })
	// CandidateDistance: of a candidate: metres
	CandidateDistance = blackboard.FloatFact("candidate distance",
		func(c *components.Candidate) *float32 { return &c.Distance }, perception.NoDistance)
	// CandidateHealth: of a candidate, integer: what was left when it was perceived
	CandidateHealth = blackboard.IntFact("candidate health",
		func(c *components.Candidate) *int16 { return &c.Health }, 0)
	// CandidateAttackers: of a candidate, integer: how many others attack it
	CandidateAttackers = blackboard.IntFact("candidate attackers",
		func(c *components.Candidate) *uint8 { return &c.Attackers }, 0)
	// CandidateVisible: of a candidate, bool: whether it is in sight
	CandidateVisible = blackboard.BoolFact("candidate visible",
		func(c *components.Candidate) *bool { return &c.Visible }, false)
)
