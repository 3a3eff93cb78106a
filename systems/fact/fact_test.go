package fact_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/systems/fact"
)

func TestFactsAreUsable(t *testing.T) {
	facts := []blackboard.Fact{
		fact.Target, fact.Visible, fact.Distance, fact.SeenAge, fact.Belief, fact.LastKnownX, fact.LastKnownY,
		fact.NoiseAge, fact.NoiseX, fact.NoiseY,
		fact.Hostiles, fact.Allies, fact.Health, fact.MaxHealth, fact.HurtAge, fact.HurtBy, fact.Nearest, fact.Ammo,
		fact.AmmoShare,
		fact.CandidateDistance, fact.CandidateHealth, fact.CandidateAttackers, fact.CandidateVisible,
	}
	require.NoError(t, fact.Candidates.Err())
	assert.True(t, fact.Nearest.Field().Offset == fact.Candidates.Field(0, fact.CandidateDistance).Field().Offset,
		"the nearest comes first")
	var names []string
	for i, fact := range facts {
		require.NoError(t, fact.Err(), fact.Name())
		names = append(names, fact.Name())
		for _, other := range facts[:i] {
			assert.False(t, fact.Same(other), "%s and %s", fact.Name(), other.Name())
		}
	}
	slices.Sort(names)
	assert.Len(t, slices.Compact(names), len(facts), "each has a name of its own")
	assert.Equal(t, blackboard.Age, fact.SeenAge.Kind())
	assert.Equal(t, blackboard.Age, fact.NoiseAge.Kind())
	assert.EqualValues(t, components.NoDistance, fact.Distance.Field().DefaultFloat)
}
