package sim_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

// worldHashes are the world hashes after two seconds of the scenarios with 300 agents and seed 1. They are the same for
// any number of workers, kernel and platform.
//
// A change that should not change behaviour leaves them as they are. One that should says which rule changed them, in
// its commit and in CHANGELOG.md, and puts in the values that this test prints.
var worldHashes = map[string]string{
	"guards":    "686d8156ba6dbec5",
	"skirmish":  "11795d1286251d31",
	"siege":     "be6fa2171e6107be",
	"villagers": "7d715b8ae82768c0",
}

func TestWorldHashesOfTheScenarios(t *testing.T) {
	for _, chosen := range scenario.All() {
		for _, workers := range []int{1, 2} {
			c := sim.DefaultConfig(chosen)
			c.Agents, c.Seconds, c.Seed, c.Workers = 300, 2, 1, workers
			report, err := sim.Run(context.Background(), c, nil)
			require.NoError(t, err)
			assert.Equal(t, worldHashes[chosen.Name], report.WorldHash, "%s with %d workers", chosen.Name, workers)
		}
	}
}
