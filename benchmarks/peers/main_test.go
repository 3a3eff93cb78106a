package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/benchmarks/guards"
)

// A peer must be the same guard, or the comparison of costs means nothing.
func TestThePeerDecidesAsTheTreeDoes(t *testing.T) {
	require.NoError(t, guards.CheckPeer(goBehaviorTree, 640, 200))
}

func TestAGuardThatDecidesOtherwiseIsFound(t *testing.T) {
	idle := guards.Peer{Name: "idle", Tree: func(*guards.Guard) func() { return func() {} }}
	assert.ErrorContains(t, guards.CheckPeer(idle, 64, 2), "that of idle, 10 Hz, in tick 0")
}

func TestTheComparisonHasARatioOfThePeer(t *testing.T) {
	c := guards.ComparePeer(goBehaviorTree, 128, 3, 2)
	assert.True(t, c.Equal)
	require.Len(t, c.Costs, 4)
	assert.InDelta(t, c.Costs[3].Median/c.Costs[2].Median, c.Ratios["tree_vs_peer"], 1e-12)
	assert.Positive(t, c.Ratios["tree_vs_handwritten"])
}
