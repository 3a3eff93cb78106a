package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

func TestASiegeIsVillagersGuardsAndBesiegersAtOnce(t *testing.T) {
	c := DefaultConfig()
	require.Equal(t, "siege", c.Scenario, "what loads the library is the default")
	c.Agents, c.Seconds = 1200, 20
	if testing.Short() {
		c.Seconds = 6
	}
	r, err := Run(context.Background(), c, nil)
	require.NoError(t, err)
	for _, action := range []string{"patrol", "seek", "strike", "melee", "shoot", "work", "eat"} {
		assert.Positive(t, r.Actions[action].Starts, action)
	}
	assert.Positive(t, r.Events["death"])
	require.NotNil(t, r.Attacks)
	assert.Positive(t, r.Attacks.Strikes)
	assert.Positive(t, r.Attacks.Hits)
	assert.Equal(t, r.Attacks.MaxAttackers, SoldierMaxAttackers)
	assert.LessOrEqual(t, r.Attacks.MostAttackers, r.Attacks.MaxAttackers)
	require.NotNil(t, r.Village)
	assert.Zero(t, r.Village.Starved)
	assert.Positive(t, r.Village.Shares["working"])
	assert.Positive(t, r.Utility.Scored)
	assert.Positive(t, r.Utility.Switches)
	assert.Zero(t, r.Nonfinite)
}

func TestAReportExplainsAnAgentsChoices(t *testing.T) {
	for scenario, part := range map[string]string{
		"villagers": "its UtilitySelector at node 0 runs\nvillager: ",
		"siege":     "its UtilitySelector at node 0 runs\nvillager: ",
		"skirmish":  "its UtilitySelector at node ",
		"guards":    "its tree chooses nothing by utility",
	} {
		c := DefaultConfig()
		c.Scenario, c.Agents, c.Seconds, c.FPS = scenario, 40, 1, 10
		for _, c.Explain = range []int{1, 7, 20} {
			r, err := Run(context.Background(), c, nil)
			require.NoError(t, err)
			assert.Regexp(t, fmt.Sprintf(`^agent %d, entity \d+: `, c.Explain), r.Explained, scenario)
			assert.Contains(t, r.Explained, part, scenario)
		}
		c.Explain = 40
		s, err := NewSimulation(c)
		require.NoError(t, err)
		assert.Len(t, s.agents, c.Agents, "%s: every agent has a number", scenario)
		assert.Equal(t, "agent 41: there is none; agents are 1 to 40", s.explain(41, s.agents))
		s.Close()
	}
}

func TestWhoFellIsExplainedByWhoCameInItsPlace(t *testing.T) {
	c := villagers(40, 10, 1)
	c.Explain = 3
	s, err := NewSimulation(c)
	require.NoError(t, err)
	defer s.Close()
	s.Step()
	third := s.agents[2]
	s.World.RemoveEntity(ecs.ToArche(third))
	who := fmt.Sprintf("agent 3, entity %d", third.Index)
	assert.Equal(t, who+": has fallen and not come back", s.explain(3, s.agents))
	ecs.NewPrefab(s.World, components.Mind64{}).SpawnNow(s.World, 1, func(_ int, e components.Entity) {
		require.Equal(t, third.Index, e.Index)
	})
	assert.Equal(t, who+", which has come back since: its tree chooses nothing by utility", s.explain(3, s.agents))
}

func TestTheSmallestSiegeHasAReport(t *testing.T) {
	for agents := range 5 {
		c := DefaultConfig()
		c.Agents, c.Seconds = agents+1, 0.5
		r, err := Run(context.Background(), c, nil)
		require.NoError(t, err)
		_, err = json.Marshal(r)
		require.NoError(t, err, "%d agents", c.Agents)
	}
}
