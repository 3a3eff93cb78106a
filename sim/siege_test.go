package sim

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	assert.Equal(t, r.Attacks.MaxAttackers, SoldierAttackers)
	assert.LessOrEqual(t, r.Attacks.MostAttackers, r.Attacks.MaxAttackers)
	require.NotNil(t, r.Village)
	assert.Zero(t, r.Village.Starved)
	assert.Positive(t, r.Village.Shares["working"])
	assert.Positive(t, r.Utility.Scored)
	assert.Positive(t, r.Utility.Spared, "some decisions stood without scoring")
	assert.Positive(t, r.Utility.Switches)
	assert.Zero(t, r.Nonfinite)
}

func TestAReportExplainsAnAgentsChoices(t *testing.T) {
	c := villagers(40, 10, 1)
	for index, part := range map[int]string{5: "no agent has this index", 80: "UtilitySelector at node 0 runs\nvillager: "} {
		c.Explain = index
		r, err := Run(context.Background(), c, nil)
		require.NoError(t, err)
		assert.Contains(t, r.Explained, part, "entity %d", index)
	}
	c.Scenario, c.Explain = "guards", 3
	r, err := Run(context.Background(), c, nil)
	require.NoError(t, err)
	assert.Contains(t, r.Explained, "chooses nothing by utility")
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
