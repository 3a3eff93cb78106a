package siege

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBytesOfTheSiegeAreThoseOfItsComponents(t *testing.T) {
	kinds, mean, err := MeanBytes()
	require.NoError(t, err)
	require.Len(t, kinds, 3)
	shares := 0.0
	for _, k := range kinds {
		shares += k.Share
		assert.Equal(t, 64, k.Intent, "two orders of 32 bytes")
		assert.Equal(t, 16, k.LOD)
	}
	assert.InDelta(t, 1, shares, 1e-9, "all agents have a tree")
	assert.Equal(t, "villager", kinds[0].Kind)
	assert.InDelta(t, 0.5, kinds[0].Share, 1e-9)
	assert.Equal(t, 48+32, kinds[0].Facts, "Needs and Home")
	assert.Equal(t, 56+24+12, kinds[1].Facts, "a guard's Percept, Health and Post")
	assert.InDelta(t, 0.5*float64(kinds[0].Sum())+0.25*float64(kinds[1].Sum())+0.25*float64(kinds[2].Sum()), mean, 1e-9)
}
