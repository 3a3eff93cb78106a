package benchmarks

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// factWriter writes the facts of guards into blackboards.
type factWriter struct {
	world      *arche.World
	clock      *frame.Clock
	dictionary bool // the blackboards are dictionaries
}

func (p *factWriter) alive(e components.Entity) bool {
	return !e.IsZero() && p.world.Alive(ecs.ToArche(e))
}

// write writes a guard's facts into its blackboard.
func (p *factWriter) write(
	bb *pointerBoard, now int64, percept *components.Percept, health *components.Health, post *sim.Post,
) {
	if p.dictionary {
		p.writeDictionary(bb, now, percept, health, post)
	} else {
		p.writeFields(bb, now, percept, health, post)
	}
}

func (p *factWriter) writeFields(bb *pointerBoard, now int64, percept *components.Percept, health *components.Health, post *sim.Post) {
	bb.now = now
	bb.health = health.Current
	bb.target = components.Entity{}
	if p.alive(percept.Target) {
		bb.target = percept.Target
	}
	bb.visible = percept.Visible
	bb.distance = percept.Distance
	bb.lastKnown = percept.LastKnown
	bb.noise = percept.Noise
	bb.noiseAge = blackboard.NeverAge
	if percept.NoiseAt != 0 {
		bb.noiseAge = p.clock.Now - percept.NoiseAt
	}
	bb.postDistance, bb.post = post.Distance, post.Position
}

func (p *factWriter) writeDictionary(bb *pointerBoard, now int64, percept *components.Percept, health *components.Health, post *sim.Post) {
	set(bb, "time", now)
	set(bb, "health", health.Current)
	if p.alive(percept.Target) {
		set(bb, "target", percept.Target)
	} else {
		delete(bb.values, "target")
	}
	set(bb, "target visible", percept.Visible)
	set(bb, "target distance", percept.Distance)
	set(bb, "last known", percept.LastKnown)
	set(bb, "noise", percept.Noise)
	if percept.NoiseAt != 0 {
		set(bb, "noise age", p.clock.Now-percept.NoiseAt)
	} else {
		delete(bb.values, "noise age")
	}
	set(bb, "post distance", post.Distance)
	set(bb, "post", post.Position)
}
