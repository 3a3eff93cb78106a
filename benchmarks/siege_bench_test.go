package benchmarks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/sim"
)

// BenchmarkSiege steps the siege at 10,000 agents with LOD, one worker: what a profile of the whole frame is made with.
func BenchmarkSiege(b *testing.B) {
	s, err := sim.NewSimulation(siegeConfig(10_000))
	require.NoError(b, err)
	defer s.Close()
	newStopwatch(s, 0).settle(300)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		s.Step()
	}
}
