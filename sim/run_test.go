package sim

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/internal/allocs"
)

func TestASteadyFrameAllocatesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector's own allocations count")
	}
	for _, chosen := range Scenarios() {
		for _, workers := range []int{1, 4} {
			c := DefaultConfig()
			c.Scenario, c.Agents, c.Workers = chosen.Name, 500, workers
			s, err := NewSimulation(c)
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
	run := func(change func(*Config)) string {
		c := DefaultConfig()
		c.Agents, c.Seconds = 600, 8
		if testing.Short() {
			c.Agents, c.Seconds = 300, 3
		}
		change(&c)
		r, err := Run(context.Background(), c, nil)
		require.NoError(t, err)
		return r.WorldHash
	}
	for _, scenario := range []string{"siege", "guards"} {
		one := run(func(c *Config) { c.Scenario = scenario })
		assert.Equal(t, one, run(func(c *Config) { c.Scenario = scenario }), "%s: a second run", scenario)
		assert.Equal(t, one, run(func(c *Config) { c.Scenario, c.Workers = scenario, 2 }), "%s: 2 workers", scenario)
		assert.Equal(t, one, run(func(c *Config) { c.Scenario, c.Workers = scenario, 5 }), "%s: 5 workers", scenario)
		assert.NotEqual(t, one, run(func(c *Config) { c.Scenario = scenario; c.Seed++ }), "%s: another seed", scenario)
		assert.NotEqual(t, one, run(func(c *Config) { c.Scenario, c.LOD = scenario, false }), "%s: everyone thinks in every frame", scenario)
	}
}

func TestGuardsDoWhatGuardsDo(t *testing.T) {
	c := DefaultConfig()
	if testing.Short() {
		t.Skip("long")
	}
	c.Scenario, c.Agents, c.Seconds = "guards", 2000, 30
	r, err := Run(context.Background(), c, nil)
	require.NoError(t, err)
	for _, event := range EventNames() {
		assert.Positive(t, r.Events[event], event)
	}
	for _, action := range []string{"patrol", "seek", "flee", "wander", "strike", "shout"} {
		assert.Positive(t, r.Actions[action].Starts, action)
	}
	assert.Zero(t, r.Nonfinite)
	assert.LessOrEqual(t, r.PerFrame.Flatness, 1.02)
	for _, tier := range []string{"10 Hz", "5 Hz", "1 Hz"} {
		assert.Positive(t, r.Tiers[tier], "the thinking tier %s", tier)
	}
	assert.Positive(t, r.Actions["patrol"].AgentSeconds)
	total := 0.0
	for _, a := range r.Actions {
		total += a.AgentSeconds
	}
	assert.LessOrEqual(t, total, float64(c.Agents)*c.Seconds, "an agent does one thing at a time")
}

func TestAGuardStrikesAtMostOncePerCooldown(t *testing.T) {
	for _, fps := range []int{60, 50, 7} {
		if testing.Short() && fps != 7 {
			continue
		}
		c := DefaultConfig()
		c.Scenario, c.Agents, c.FPS = "guards", 600, fps
		s, err := NewSimulation(c)
		require.NoError(t, err)
		for range 20 * c.FPS {
			s.Step()
		}
		s.Close()
		shortest, ok := s.Combat.ShortestInterval()
		require.True(t, ok, "somebody struck twice")
		assert.GreaterOrEqual(t, int64(shortest), int64(GuardStrikeInterval)-1000, "at %d frames per second; timers have microseconds", fps)
	}
}
