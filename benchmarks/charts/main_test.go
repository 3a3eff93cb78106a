package main

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"

	"github.com/flockwork-ai/flockwork/benchmarks/guards"
	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/report"
	"github.com/flockwork-ai/flockwork/benchmarks/scenarios"
	"github.com/flockwork-ai/flockwork/benchmarks/siege"
	"github.com/flockwork-ai/flockwork/benchmarks/villagers"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

func TestChartsAreDrawnOfAResult(t *testing.T) {
	h := report.Herd{
		Tree:    guards.Compare(64, 1, 1),
		Utility: villagers.Compare(64, 1, 1),
		Siege: &siege.Comparison{Agents: 100, Costs: []siege.Cost{
			{Name: "one", Stages: map[string]float64{"ai": 1e6}},
			{Name: "another", Stages: map[string]float64{"ai": 2e6, "lod": 1e6}},
		}},
	}
	for _, chosen := range scenario.All() {
		for i, agents := range []int{100, 1000} {
			for _, lod := range []bool{true, false} {
				h.Costs = append(h.Costs, scenarios.Cost{
					Scenario: chosen.Name, Agents: agents, LOD: lod, PerAgent: 200 + float64(i),
				})
			}
		}
	}
	dir := t.TempDir()
	text, err := json.Marshal(h)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "herd.json"), text, 0o600))
	require.NoError(t, run([]string{dir}))
	for _, name := range []string{"cost.png", "siege.png", "deciding.png"} {
		file, err := os.Open(filepath.Join(dir, name))
		require.NoError(t, err)
		image, err := png.Decode(file)
		require.NoError(t, err, name)
		assert.Greater(t, image.Bounds().Dx(), 500, name)
		assert.NoError(t, file.Close())
	}
}

func TestChartsNameWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	assert.ErrorContains(t, run(nil), "name the directory")
	assert.ErrorContains(t, run([]string{dir}), "herd.json")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "herd.json"), []byte("{}"), 0o600))
	assert.ErrorContains(t, run([]string{dir}), "lacks tree")
	empty := []byte(`{"tree":{},"utility":{},"siege":{}}`)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "herd.json"), empty, 0o600))
	assert.ErrorContains(t, run([]string{dir}), "it lacks costs of guards with LOD true")
}

func TestTheLibrarysContestantsAreFound(t *testing.T) {
	for _, c := range []*harness.Comparison{guards.Compare(64, 1, 1), villagers.Compare(64, 1, 1)} {
		assert.True(t, slices.ContainsFunc(c.Costs, func(cost harness.Cost) bool { return ofLibrary(cost.Name) }),
			c.Subject)
	}
	assert.False(t, ofLibrary("handwritten"))
}

func TestNumbersAreReadable(t *testing.T) {
	assert.Equal(t, []string{"7", "100", "1,000", "1,000,000"},
		[]string{thousands(7), thousands(100), thousands(1000), thousands(1_000_000)})
	assert.Equal(t, []string{"5.4 ns", "441 ns"}, []string{nanoseconds(5.39), nanoseconds(441.1)})
	assert.Equal(t, []plot.Tick{{Value: 1, Label: "10 ns"}, {Value: 2, Label: "100 ns"}}, decimalTicks(0.5, 2.5))
}
