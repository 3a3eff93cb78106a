package scenario

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/sim"
)

func TestASiegeIsVillagersGuardsAndBesiegersAtOnce(t *testing.T) {
	c := sim.DefaultConfig(Siege())
	c.Agents, c.Seconds = 1200, 20
	if testing.Short() {
		c.Seconds = 6
	}
	r, err := sim.Run(context.Background(), c, nil)
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

func TestTheSmallestSiegeHasAReport(t *testing.T) {
	for agents := range 5 {
		c := sim.DefaultConfig(Siege())
		c.Agents, c.Seconds = agents+1, 0.5
		r, err := sim.Run(context.Background(), c, nil)
		require.NoError(t, err)
		_, err = json.Marshal(r)
		require.NoError(t, err, "%d agents", c.Agents)
	}
}
