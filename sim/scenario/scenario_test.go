package scenario

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEachScenarioIsFoundByItsName(t *testing.T) {
	for i, name := range Names() {
		found, err := Named(name)
		require.NoError(t, err)
		assert.Equal(t, name, found.Name)
		assert.Equal(t, All()[i].Summary, found.Summary)
		assert.NotNil(t, found.SetUp)
	}
	_, err := Named("orcs")
	assert.EqualError(t, err, `scenario: unknown scenario "orcs"; known are: guards, skirmish, siege, villagers`)
}
