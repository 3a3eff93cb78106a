package sim_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

func TestAReportExplainsAnAgentsChoices(t *testing.T) {
	for name, part := range map[string]string{
		"villagers": "> UtilitySelector \"villager\", held until done",
		"siege":     "> UtilitySelector \"villager\", held until done",
		"skirmish":  "UtilitySelector \"",
		"guards":    "x   Guard health < 30  [health < 30: false, it is 100]\n",
	} {
		chosen, err := scenario.Named(name)
		require.NoError(t, err)
		c := sim.DefaultConfig(chosen)
		c.Agents, c.Seconds, c.FPS = 40, 1, 10
		for _, c.Explain = range []int{1, 7, 20} {
			r, err := sim.Run(context.Background(), c, nil)
			require.NoError(t, err)
			assert.Regexp(t, fmt.Sprintf(`^agent %d, entity \d+, tree "\w+": running\n`, c.Explain), r.Explained, name)
			assert.Contains(t, r.Explained, part, name)
		}
		c.Explain = 40
		s, err := sim.NewSimulation(c)
		require.NoError(t, err)
		assert.Len(t, sim.ExplainedAgents(s), c.Agents, "%s: every agent has a number", name)
		assert.Equal(t, "agent 41: there is none; agents are 1 to 40", sim.Explain(s, 41))
		s.Close()
	}
}

func TestTheAgentThatRespawnedInItsPlaceIsExplained(t *testing.T) {
	c := sim.DefaultConfig(scenario.Villagers())
	c.Agents, c.FPS, c.Seconds, c.Explain = 40, 10, 1, 3
	s, err := sim.NewSimulation(c)
	require.NoError(t, err)
	defer s.Close()
	s.Step()
	third := sim.ExplainedAgents(s)[2]
	s.World().RemoveEntity(ecs.ToArche(third))
	who := fmt.Sprintf("agent 3, entity %d", third.Index)
	assert.Equal(t, who+": has fallen and not come back", sim.Explain(s, 3))
	ecs.NewPrefab(s.World(), components.Mind64{}).SpawnNow(s.World(), 1, func(_ int, e components.Entity) {
		require.Equal(t, third.Index, e.Index)
	})
	assert.Equal(t, who+", which has come back since: has no tree", sim.Explain(s, 3))
}
