package siege

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/benchmarks/scenarios"
	"github.com/flockwork-ai/flockwork/sim"
)

// BenchmarkSiege steps the siege at 10,000 agents with LOD, one worker: what a profile of the whole frame is made with.
func BenchmarkSiege(b *testing.B) {
	s, err := sim.NewSimulation(config(10_000))
	require.NoError(b, err)
	defer s.Close()
	scenarios.NewStopwatch(s, 0).Settle(300)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		s.Step()
	}
}
