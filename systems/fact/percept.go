package fact

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// Facts of the fields of [components.Percept]: what an agent sees, remembers and hears.
var (
	// Target is the hostile in sight or in memory, an entity; none without a target.
	Target = blackboard.EntityFact("target", func(p *components.Percept) *components.Entity { return &p.Target })
	// Visible is whether the target is in sight, a bool.
	Visible = blackboard.BoolFact("target visible", func(p *components.Percept) *bool { return &p.Visible }, false)
	// Distance is the distance in metres to where the target was seen last; [components.NoDistance] without a target.
	Distance = blackboard.FloatFact("target distance",
		func(p *components.Percept) *float32 { return &p.Distance }, components.NoDistance)
	// SeenAge is the seconds since a target was seen last, an age.
	SeenAge = blackboard.AgeFact("target seen",
		func(p *components.Percept) *components.Timestamp { return &p.SeenAt })
	// Belief is 1 while the target is in sight and decreases to 0 until it is forgotten; 0 without a target.
	Belief = blackboard.FloatFact("target belief", func(p *components.Percept) *float32 { return &p.Belief }, 0)
	// LastKnownX is the X coordinate in metres of where a target was seen last.
	LastKnownX = blackboard.FloatFact("last known x", func(p *components.Percept) *float32 { return &p.LastKnown.X }, 0)
	// LastKnownY is the Y coordinate in metres of where a target was seen last.
	LastKnownY = blackboard.FloatFact("last known y", func(p *components.Percept) *float32 { return &p.LastKnown.Y }, 0)
	// NoiseAge is the seconds since a noise was heard last, an age.
	NoiseAge = blackboard.AgeFact("noise heard",
		func(p *components.Percept) *components.Timestamp { return &p.NoiseAt })
	// NoiseX is the X coordinate in metres of the last noise.
	NoiseX = blackboard.FloatFact("noise x", func(p *components.Percept) *float32 { return &p.Noise.X }, 0)
	// NoiseY is the Y coordinate in metres of the last noise.
	NoiseY = blackboard.FloatFact("noise y", func(p *components.Percept) *float32 { return &p.Noise.Y }, 0)
	// Hostiles is the number of hostiles near, in sight or not, an integer.
	Hostiles = blackboard.IntFact("hostiles near", func(p *components.Percept) *uint16 { return &p.Hostiles }, 0)
	// Allies is the number of allies near without the agent itself, an integer.
	Allies = blackboard.IntFact("allies near", func(p *components.Percept) *uint16 { return &p.Allies }, 0)
)
