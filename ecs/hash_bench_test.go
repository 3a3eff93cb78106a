package ecs

import (
	"testing"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
)

func BenchmarkHash(b *testing.B) {
	w := arche.NewWorld()
	const agents = 100_000
	NewPrefab(&w, components.Transform{}, components.Body{}, components.Percept{}, components.NewLOD(),
		components.Intent{}, components.Health{}, components.Needs{}, blackboard.Board{}, mindlayout.NewMind64(1)).
		SpawnNow(&w, agents, nil)
	for b.Loop() {
		Hash(&w)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/agents, "ns/agent")
}
