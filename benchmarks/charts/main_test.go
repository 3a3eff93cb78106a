package main

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/benchmarks/guards"
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
