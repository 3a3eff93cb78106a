package guards

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// Every contestant must be the same guard: the test compares its orders and triggers with those of the tree, agent by
// agent and tick by tick, to the bit.
func TestContestantsDecideAsTheTreeDoes(t *testing.T) {
	const agents, ticks = 640, 200
	for _, cadence := range cadences {
		for seed := range uint64(2) {
			t.Run(fmt.Sprintf("%s, seed %d", cadence.name, seed), func(t *testing.T) {
				all := newContestants(agents, seed)
				tree := find(t, all, byBlock)
				for tick := range ticks {
					for _, c := range all {
						c.tick()
					}
					for _, c := range all {
						if !c.idle && c != tree {
							require.Empty(t, sameOrders(tree.crowd, c.crowd),
								"the tree's guard and that of %s in tick %d", c.name, tick)
						}
					}
					for _, c := range all {
						c.crowd.between(cadence.advance)
					}
				}
				for _, c := range all {
					c.crowd.close()
				}
			})
		}
	}
}

func find(t *testing.T, all []*contestant, name string) *contestant {
	t.Helper()
	for _, c := range all {
		if c.name == name {
			return c
		}
	}
	require.Failf(t, "no such contestant", "%q", name)
	return nil
}

// The comparison means something only if the guards go through the whole tree.
func TestTheCrowdGoesThroughTheWholeTree(t *testing.T) {
	c := newBlockContestant(byBlock, 1500, 1, 1)
	defer c.crowd.close()
	seen := make([]bool, len(c.program.Leaves()))
	both := 0 // how often a guard called for help and struck in one tick
	for range 200 {
		c.tick()
		for leaf, n := range c.leafCounts() {
			seen[leaf] = seen[leaf] || n > 0
		}
		fired := map[components.Entity]int{}
		for _, trigger := range c.crowd.triggers() {
			if fired[trigger.Agent]++; fired[trigger.Agent] == 2 {
				both++
			}
		}
		c.crowd.between((*frame.Clock).Advance)
	}
	for i, leaf := range c.program.Leaves() {
		assert.True(t, seen[i], "no guard was ever in %q", leaf.Name)
	}
	assert.Positive(t, both, "no guard called for help and struck in one tick")
}
