package aitree_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
)

func TestAFailedChoiceIsNamedByTheExplanationAndToTheHook(t *testing.T) {
	var failures []string
	option := func(n *aitree.Node) *aitree.Node {
		return n.NextBest().OnBranchFailed(func(who components.Entity, action string, target components.Entity) {
			failures = append(failures, action)
			assert.Equal(t, components.Entity{Index: 1}, who)
			assert.True(t, target.IsZero())
		})
	}
	b := wolf(t, option)
	b.Tick(0)
	assert.Empty(t, failures, "it howls")
	b.Tick(second)
	assert.Equal(t, []string{"howl"}, failures, "no leaf of it was entered")
	howl := &b.Explain(0).Choices()[0].Options[0]
	assert.True(t, howl.Failed)
	assert.Zero(t, howl.Out, "it fails in this tick, and is not kept out")
	assert.Contains(t, b.Explain(0).String(), "howl                     score 0.9000, failed\n")
	assert.Equal(t, []string{"howl"}, failures, "an explanation calls no hook")

	failures = nil
	b = wolf(t, func(n *aitree.Node) *aitree.Node { return option(n).BackOff(time.Minute) })
	b.Tick(0)
	b.Tick(second)
	b.Tick(2 * second)
	assert.Equal(t, []string{"howl"}, failures, "it is not tried again")
}

func TestEachTryOfATargetThatFailsIsNamedToTheHook(t *testing.T) {
	var failures []uint32
	p, err := aitree.Build("t", nil, aitree.UtilitySelector(nearest(t), aitree.On("go", aitree.Leaf("go", fails))).
		NextBest().OnBranchFailed(func(who components.Entity, _ string, target components.Entity) {
		failures = append(failures, who.Index, target.Index)
	}))
	require.NoError(t, err)
	b := aitree.NewBlock(p, 2)
	offer(b.Facts, 0, 0.5, 1)
	offer(b.Facts, 1, 0.25, 0.125)
	b.Tick(0)
	assert.Equal(t, []uint32{1, 101, 2, 100, 1, 100, 2, 101}, failures, "by try; each from the best to the worst")
}

// The first target fails at the last node; for the second the cooldown, which has begun for the first, fails.
func TestABranchThatIsTriedAgainIsExplainedAsItsLastTryWent(t *testing.T) {
	p, err := aitree.Build("t", nil, aitree.UtilitySelector(nearest(t), aitree.On("go",
		aitree.Sequence(aitree.Cooldown(time.Second, aitree.Succeed()), aitree.Fail()))).NextBest())
	require.NoError(t, err)
	b := aitree.NewBlock(p, 1)
	offer(b.Facts, 0, 0.5, 1)
	var states []aitree.NodeState
	for _, n := range b.Explain(0).Nodes {
		states = append(states, n.State)
	}
	assert.Equal(t, []aitree.NodeState{aitree.NodeFailed, aitree.NodeFailed, aitree.NodeFailed, aitree.NotReached,
		aitree.NotReached}, states)
}
