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
	Dictionary bool // into dictionaries, not fields
}

// Alive reports whether e is an entity that is alive.
func (w *FactWriter) Alive(e components.Entity) bool {
	return !e.IsZero() && w.World.Alive(ecs.ToArche(e))
}

// Write writes the facts of a guard into its blackboard. now is the clock in microseconds.
func (w *FactWriter) Write(
	bb *pointertree.Blackboard, now int64, percept *components.Percept, health *components.Health, post *sim.Post,
) {
	if w.Dictionary {
		w.writeDictionary(bb, now, percept, health, post)
	} else {
		w.WriteStruct(bb, now, percept, health, post)
	}
}

// WriteStruct writes the facts of a guard into the fields of its blackboard. now is the clock in microseconds.
func (w *FactWriter) WriteStruct(
	bb *pointertree.Blackboard, now int64, percept *components.Percept, health *components.Health, post *sim.Post,
) {
	bb.Now = now
	bb.Health = health.Current
	bb.Target = components.Entity{}
	if w.Alive(percept.Target) {
		bb.Target = percept.Target
	}
	bb.Visible = percept.Visible
	bb.Distance = percept.Distance
	bb.LastKnown = percept.LastKnown
	bb.Noise = percept.Noise
	bb.NoiseAge = blackboard.NeverAge
	if percept.NoiseAt != 0 {
		bb.NoiseAge = w.Clock.Now - percept.NoiseAt
	}
	bb.PostDistance, bb.Post = post.Distance, post.Position
}

func (w *FactWriter) writeDictionary(
	bb *pointertree.Blackboard, now int64, percept *components.Percept, health *components.Health, post *sim.Post,
) {
	pointertree.SetValue(bb, "time", now)
	pointertree.SetValue(bb, "health", health.Current)
	if w.Alive(percept.Target) {
		pointertree.SetValue(bb, "target", percept.Target)
	} else {
		delete(bb.Values, "target")
	}
	pointertree.SetValue(bb, "target visible", percept.Visible)
	pointertree.SetValue(bb, "target distance", percept.Distance)
	pointertree.SetValue(bb, "last known", percept.LastKnown)
	pointertree.SetValue(bb, "noise", percept.Noise)
	if percept.NoiseAt != 0 {
		pointertree.SetValue(bb, "noise age", w.Clock.Now-percept.NoiseAt)
	} else {
		delete(bb.Values, "noise age")
	}
	pointertree.SetValue(bb, "post distance", post.Distance)
	pointertree.SetValue(bb, "post", post.Position)
}
