package scenario

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/sim"
)

func TestGuardsDoWhatGuardsDo(t *testing.T) {
	c := sim.DefaultConfig(Guards())
	if testing.Short() {
		t.Skip("long")
	}
	c.Agents, c.Seconds = 2000, 30
	r, err := sim.Run(context.Background(), c, nil)
	require.NoError(t, err)
	for _, event := range sim.EventNames() {
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
		c := sim.DefaultConfig(Guards())
		c.Agents, c.FPS = 600, fps
		s, err := sim.NewSimulation(c)
		require.NoError(t, err)
		for range 20 * c.FPS {
			s.Step()
		}
		s.Close()
		shortest, ok := s.Combat.ShortestInterval()
		require.True(t, ok, "somebody struck twice")
		assert.GreaterOrEqual(t, int64(shortest), int64(GuardStrikeInterval)-1000,
			"at %d frames per second; timers have microseconds", fps)
	}
}
