package aitree_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/utility"
)

// nearest is an evaluator of one action, "go", for the best of the few things.
func nearest(t testing.TB) *utility.Evaluator {
	t.Helper()
	e, err := utility.Build("nearest", utility.Choose(
		utility.NewAction("go", utility.Consider(thingFacts[1], utility.Linear())).For(lists[0])))
	require.NoError(t, err)
	return e
}

// offer gives a lane things to choose from, of the given worths.
func offer(l *Lanes, lane int, worths ...float32) {
	l.SetInt(lists[0].Count(), lane, int64(len(worths)))
	for i, worth := range worths {
		l.SetEntity(lists[0].Entity(i), lane, components.Entity{Index: uint32(100 + i)})
		l.SetFloat(lists[0].Field(i, thingFacts[1]), lane, worth)
	}
}

// The Parallel shares words with the Repeat before it, which counts a round anew when the branch is ticked afresh.
func TestABranchThatBeginsAnewRunsOnWhereItRanBefore(t *testing.T) {
	p, err := Build("t", nil, UtilitySelector(nearest(t), On("go", Sequence(
		Repeat(1, Leaf("at once", succeed)),
		Parallel(All, All, Leaf("a", stay), Leaf("b", stay)),
	))))
	require.NoError(t, err)
	lanes := NewLanes(p)
	b := newManyAgents(p, 1<<5, lanes)
	x := NewExecutor()
	x.EveryLeaf = true
	for i, worths := range [][]float32{{1, 0.5}, {0.5, 1}, {1, 0.5}} {
		offer(lanes, 5, worths...)
		x.Tick(p, &b.Block)
		assert.Equal(t, b.Mask, x.Running)
		assert.Equal(t, []int{1, 2}, p.RunningLeaves(b.Minds[5], nil), "tick %d", i)
		assert.Len(t, x.Events, map[bool]int{true: 2}[i == 0], "nothing enters or exits but on the first tick")
	}
}

func stay(c *Context) (uint64, uint64) { return 0, c.Mask }
