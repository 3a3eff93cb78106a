package systems

import "github.com/flockwork-ai/flockwork/components"

// Facts are ready-made handles of what agents know about themselves: what perception wrote into their
// [components.Percept], and their health and ammunition. Trees and evaluators read them as they are. Candidates are the
// targets that perception lists in [components.Candidates], for the actions of an evaluator; the facts of a candidate
// are read of each of them.
var Facts = struct {
	Target     components.Fact // entity: the hostile in sight or in memory
	Visible    components.Fact // bool: whether it is in sight
	Distance   components.Fact // metres to where it was seen last; [NoDistance] without a target
	SeenAge    components.Fact // age: time since it was seen last
	Belief     components.Fact // 1 while it is in sight, 0 when it is forgotten
	LastKnownX components.Fact // metres
	LastKnownY components.Fact // metres
	NoiseAge   components.Fact // age: time since a noise was heard
	NoiseX     components.Fact // metres
	NoiseY     components.Fact // metres
	Hostiles   components.Fact // integer: hostiles near, seen or not
	Allies     components.Fact // integer: allies near
	Health     components.Fact // integer: what is left
	MaxHealth  components.Fact // integer
	HurtAge    components.Fact // age: time since the last blow
	HurtBy     components.Fact // entity: who struck last
	Nearest    components.Fact // metres to the nearest of the candidates; 0 while there are none
	Ammo       components.Fact // integer: rounds left
	AmmoShare  components.Fact // 1 with full ammunition, 0 without any

	Candidates         components.List // the hostiles perceived, nearest first
	CandidateDistance  components.Fact // of a candidate: metres
	CandidateHealth    components.Fact // of a candidate, integer: what was left when it was perceived
	CandidateAttackers components.Fact // of a candidate, integer: how many others attack it
	CandidateVisible   components.Fact // of a candidate, bool: whether it is in sight
}{
	Target:  components.EntityFact("target", func(p *components.Percept) *components.Entity { return &p.Target }),
	Visible: components.BoolFact("target visible", func(p *components.Percept) *bool { return &p.Visible }, false),
	Distance: components.FloatFact("target distance",
		func(p *components.Percept) *float32 { return &p.Distance }, NoDistance),
	SeenAge: components.AgeFact("target seen",
		func(p *components.Percept) *components.Timestamp { return &p.SeenAt }),
	Belief:     components.FloatFact("target belief", func(p *components.Percept) *float32 { return &p.Belief }, 0),
	LastKnownX: components.FloatFact("last known x", func(p *components.Percept) *float32 { return &p.LastKnown.X }, 0),
	LastKnownY: components.FloatFact("last known y", func(p *components.Percept) *float32 { return &p.LastKnown.Y }, 0),
	NoiseAge: components.AgeFact("noise heard",
		func(p *components.Percept) *components.Timestamp { return &p.NoiseAt }),
	NoiseX:    components.FloatFact("noise x", func(p *components.Percept) *float32 { return &p.Noise.X }, 0),
	NoiseY:    components.FloatFact("noise y", func(p *components.Percept) *float32 { return &p.Noise.Y }, 0),
	Hostiles:  components.IntFact("hostiles near", func(p *components.Percept) *uint16 { return &p.Hostiles }, 0),
	Allies:    components.IntFact("allies near", func(p *components.Percept) *uint16 { return &p.Allies }, 0),
	Health:    components.IntFact("health", func(h *components.Health) *int32 { return &h.Current }, 0),
	MaxHealth: components.IntFact("max health", func(h *components.Health) *int32 { return &h.Max }, 0),
	HurtAge:   components.AgeFact("hurt", func(h *components.Health) *components.Timestamp { return &h.HurtAt }),
	HurtBy:    components.EntityFact("hurt by", func(h *components.Health) *components.Entity { return &h.HurtBy }),
	Nearest: components.FloatFact("nearest candidate",
		func(c *components.Candidates) *float32 { return &c.List[0].Distance }, NoDistance),
	Ammo:      components.IntFact("ammo", func(a *components.Ammo) *uint16 { return &a.Left }, 0),
	AmmoShare: components.FloatFact("ammo share", func(a *components.Ammo) *float32 { return &a.Share }, 0),

	Candidates: components.ListOf("candidates",
		func(c *components.Candidates) []components.Candidate { return c.List[:] },
		func(c *components.Candidates) *uint8 { return &c.Count },
		func(c *components.Candidate) *components.Entity { return &c.Entity }),
	CandidateDistance: components.FloatFact("candidate distance",
		func(c *components.Candidate) *float32 { return &c.Distance }, NoDistance),
	CandidateHealth: components.IntFact("candidate health",
		func(c *components.Candidate) *int16 { return &c.Health }, 0),
	CandidateAttackers: components.IntFact("candidate attackers",
		func(c *components.Candidate) *uint8 { return &c.Attackers }, 0),
	CandidateVisible: components.BoolFact("candidate visible",
		func(c *components.Candidate) *bool { return &c.Visible }, false),
}
