package sim_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

func TestASteadyFrameAllocatesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector's own allocations count")
	}
	for _, chosen := range scenario.All() {
		for _, workers := range []int{1, 4} {
			c := sim.DefaultConfig(chosen)
			c.Agents, c.Workers = 500, workers
			s, err := sim.NewSimulation(c)
			require.NoError(t, err)
			for range c.FPS { // a report counts from then on
				s.Step()
			}
			allocs.None(t, 300, s.Step)
			s.Close()
		}
	}
}

func TestTheOutcomeDependsOnTheConfigurationAndNotOnTheWorkers(t *testing.T) {
	run := func(change func(*sim.Config)) string {
		c := sim.DefaultConfig(scenario.Siege())
		c.Agents, c.Seconds = 600, 8
		if testing.Short() {
			c.Agents, c.Seconds = 300, 3
		}
		change(&c)
		r, err := sim.Run(context.Background(), c, nil)
		require.NoError(t, err)
		return r.WorldHash
	}
	for _, chosen := range []sim.Scenario{scenario.Siege(), scenario.Guards()} {
		one := run(func(c *sim.Config) { c.Scenario = chosen })
		assert.Equal(t, one, run(func(c *sim.Config) { c.Scenario = chosen }), "%s: a second run", chosen.Name)
		assert.Equal(t, one, run(func(c *sim.Config) { c.Scenario, c.Workers = chosen, 2 }), "%s: 2 workers",
			chosen.Name)
		assert.Equal(t, one, run(func(c *sim.Config) { c.Scenario, c.Workers = chosen, 5 }), "%s: 5 workers",
			chosen.Name)
		assert.NotEqual(t, one, run(func(c *sim.Config) { c.Scenario = chosen; c.Seed++ }), "%s: another seed",
			chosen.Name)
		assert.NotEqual(t, one, run(func(c *sim.Config) { c.Scenario, c.LOD = chosen, false }),
			"%s: everyone thinks in every frame", chosen.Name)
	}
}
