package guardtree

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/benchmarks/internal/pointertree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// FactWriter writes the facts of guards into blackboards.
type FactWriter struct {
	World      *arche.World
	Clock      *frame.Clock
	Dictionary bool // the blackboards are dictionaries
}

func (p *FactWriter) Alive(e components.Entity) bool {
	return !e.IsZero() && p.World.Alive(ecs.ToArche(e))
}

// Write writes a guard's facts into its blackboard.
func (p *FactWriter) Write(
	bb *pointertree.Blackboard, now int64, percept *components.Percept, health *components.Health, post *sim.Post,
) {
	if p.Dictionary {
		p.writeDictionary(bb, now, percept, health, post)
	} else {
		p.WriteFields(bb, now, percept, health, post)
	}
}

func (p *FactWriter) WriteFields(bb *pointertree.Blackboard, now int64, percept *components.Percept, health *components.Health, post *sim.Post) {
	bb.Now = now
	bb.Health = health.Current
	bb.Target = components.Entity{}
	if p.Alive(percept.Target) {
		bb.Target = percept.Target
	}
	bb.Visible = percept.Visible
	bb.Distance = percept.Distance
	bb.LastKnown = percept.LastKnown
	bb.Noise = percept.Noise
	bb.NoiseAge = blackboard.NeverAge
	if percept.NoiseAt != 0 {
		bb.NoiseAge = p.Clock.Now - percept.NoiseAt
	}
	bb.PostDistance, bb.Post = post.Distance, post.Position
}

func (p *FactWriter) writeDictionary(bb *pointertree.Blackboard, now int64, percept *components.Percept, health *components.Health, post *sim.Post) {
	pointertree.SetValue(bb, "time", now)
	pointertree.SetValue(bb, "health", health.Current)
	if p.Alive(percept.Target) {
		pointertree.SetValue(bb, "target", percept.Target)
	} else {
		delete(bb.Values, "target")
	}
	pointertree.SetValue(bb, "target visible", percept.Visible)
	pointertree.SetValue(bb, "target distance", percept.Distance)
	pointertree.SetValue(bb, "last known", percept.LastKnown)
	pointertree.SetValue(bb, "noise", percept.Noise)
	if percept.NoiseAt != 0 {
		pointertree.SetValue(bb, "noise age", p.Clock.Now-percept.NoiseAt)
	} else {
		delete(bb.Values, "noise age")
	}
	pointertree.SetValue(bb, "post distance", post.Distance)
	pointertree.SetValue(bb, "post", post.Position)
}
