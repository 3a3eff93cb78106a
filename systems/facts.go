package systems

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// Facts are ready-made handles of what agents know about themselves: what perception wrote into their
// [components.Percept], and their health and ammunition. Trees and evaluators read them as they are. Candidates are the
// targets that perception lists in [components.Candidates], for the actions of an evaluator; the facts of a candidate
// are read of each of them.
var Facts = struct {
	Target     blackboard.Fact // entity: the hostile in sight or in memory
	Visible    blackboard.Fact // bool: whether it is in sight
	Distance   blackboard.Fact // metres to where it was seen last; [NoDistance] without a target
	SeenAge    blackboard.Fact // age: time since it was seen last
	Belief     blackboard.Fact // 1 while it is in sight, 0 when it is forgotten
	LastKnownX blackboard.Fact // metres
	LastKnownY blackboard.Fact // metres
	NoiseAge   blackboard.Fact // age: time since a noise was heard
	NoiseX     blackboard.Fact // metres
	NoiseY     blackboard.Fact // metres
	Hostiles   blackboard.Fact // integer: hostiles near, seen or not
	Allies     blackboard.Fact // integer: allies near
	Health     blackboard.Fact // integer: what is left
	MaxHealth  blackboard.Fact // integer
	HurtAge    blackboard.Fact // age: time since the last blow
	HurtBy     blackboard.Fact // entity: who struck last
	Nearest    blackboard.Fact // metres to the nearest of the candidates; 0 while there are none
	Ammo       blackboard.Fact // integer: rounds left
	AmmoShare  blackboard.Fact // 1 with full ammunition, 0 without any

	Candidates         blackboard.List // the hostiles perceived, nearest first
	CandidateDistance  blackboard.Fact // of a candidate: metres
	CandidateHealth    blackboard.Fact // of a candidate, integer: what was left when it was perceived
	CandidateAttackers blackboard.Fact // of a candidate, integer: how many others attack it
	CandidateVisible   blackboard.Fact // of a candidate, bool: whether it is in sight
}{
	Target:  blackboard.EntityFact("target", func(p *components.Percept) *components.Entity { return &p.Target }),
	Visible: blackboard.BoolFact("target visible", func(p *components.Percept) *bool { return &p.Visible }, false),
	Distance: blackboard.FloatFact("target distance",
		func(p *components.Percept) *float32 { return &p.Distance }, NoDistance),
	SeenAge: blackboard.AgeFact("target seen",
		func(p *components.Percept) *components.Timestamp { return &p.SeenAt }),
	Belief:     blackboard.FloatFact("target belief", func(p *components.Percept) *float32 { return &p.Belief }, 0),
	LastKnownX: blackboard.FloatFact("last known x", func(p *components.Percept) *float32 { return &p.LastKnown.X }, 0),
	LastKnownY: blackboard.FloatFact("last known y", func(p *components.Percept) *float32 { return &p.LastKnown.Y }, 0),
	NoiseAge: blackboard.AgeFact("noise heard",
		func(p *components.Percept) *components.Timestamp { return &p.NoiseAt }),
	NoiseX:    blackboard.FloatFact("noise x", func(p *components.Percept) *float32 { return &p.Noise.X }, 0),
	NoiseY:    blackboard.FloatFact("noise y", func(p *components.Percept) *float32 { return &p.Noise.Y }, 0),
	Hostiles:  blackboard.IntFact("hostiles near", func(p *components.Percept) *uint16 { return &p.Hostiles }, 0),
	Allies:    blackboard.IntFact("allies near", func(p *components.Percept) *uint16 { return &p.Allies }, 0),
	Health:    blackboard.IntFact("health", func(h *components.Health) *int32 { return &h.Current }, 0),
	MaxHealth: blackboard.IntFact("max health", func(h *components.Health) *int32 { return &h.Max }, 0),
	HurtAge:   blackboard.AgeFact("hurt", func(h *components.Health) *components.Timestamp { return &h.HurtAt }),
	HurtBy:    blackboard.EntityFact("hurt by", func(h *components.Health) *components.Entity { return &h.HurtBy }),
	Nearest: blackboard.FloatFact("nearest candidate",
		func(c *components.Candidates) *float32 { return &c.List[0].Distance }, NoDistance),
	Ammo:      blackboard.IntFact("ammo", func(a *components.Ammo) *uint16 { return &a.Left }, 0),
	AmmoShare: blackboard.FloatFact("ammo share", func(a *components.Ammo) *float32 { return &a.Fraction }, 0),

	Candidates: blackboard.ListOf("candidates",
		func(c *components.Candidates) []components.Candidate { return c.List[:] },
		func(c *components.Candidates) *uint8 { return &c.Count },
		func(c *components.Candidate) *components.Entity { return &c.Entity }),
	CandidateDistance: blackboard.FloatFact("candidate distance",
		func(c *components.Candidate) *float32 { return &c.Distance }, NoDistance),
	CandidateHealth: blackboard.IntFact("candidate health",
		func(c *components.Candidate) *int16 { return &c.Health }, 0),
	CandidateAttackers: blackboard.IntFact("candidate attackers",
		func(c *components.Candidate) *uint8 { return &c.Attackers }, 0),
	CandidateVisible: blackboard.BoolFact("candidate visible",
		func(c *components.Candidate) *bool { return &c.Visible }, false),
}
