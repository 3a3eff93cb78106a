package siege

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/sim"
)

// The naive siege must be the same siege, or the comparison of costs means nothing. The test compares it with the
// library's siege without LOD, agent by agent and frame by frame, to the bit, through the fights.
func TestTheNaiveSiegeDecidesAsTheLibraryDoes(t *testing.T) {
	frames := 15 * 60
	if testing.Short() {
		frames = 240
	}
	for _, dictionary := range []bool{false, true} {
		t.Run(fmt.Sprintf("dictionary %v", dictionary), func(t *testing.T) {
			c := config(600)
			c.LOD = false
			library, err := sim.NewSimulation(c)
			require.NoError(t, err)
			defer library.Close()
			naive, err := newNaive(c.Agents, dictionary)
			require.NoError(t, err)
			defer naive.Close()
			for frame := range frames {
				library.Step()
				naive.Step()
				require.Empty(t, sameSiege(library, naive), "in frame %d", frame)
			}
			assert.Equal(t, library.Combat.Stats(), naive.Combat.Stats())
			if counts := naive.Combat.Stats(); !testing.Short() {
				assert.Positive(t, counts.Strikes, "they fought")
				assert.Positive(t, counts.Hits, "they shot")
			}
		})
	}
}
