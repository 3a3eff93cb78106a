package aitree_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/conformance"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// selectorLane is the lane of the case's agent; its neighbours are others that run other cases' trees no further.
const selectorLane = 11

// The conformance cases of the UtilitySelector; the notation is explained in package utility's testdata. A guard above
// the node stands for the ancestor that abandons it.
func TestUtilitySelectorCases(t *testing.T) {
	all, err := conformance.UtilityCases("../internal/conformance/testdata")
	require.NoError(t, err)
	ran := 0
	for _, c := range all {
		if c.Kind == "selector" {
			ran++
			runSelectorCase(t, &c)
		}
	}
	assert.Equal(t, 9+31, ran)
}

func runSelectorCase(t *testing.T, c *conformance.UtilityCase) {
	t.Helper()
	f := conformance.NewFacts()
	evaluator, err := c.Build(f)
	require.NoError(t, err, c.ID)
	var branches []aitree.Branch
	for i, a := range c.Evaluator.Actions {
		returns := c.Returns[i]
		leaf := aitree.AgentLeaf(fmt.Sprint(i), func(a aitree.Agent) aitree.Status {
			k := &a.State()[0]
			r := returns[min(int(*k), len(returns)-1)]
			*k++
			return map[string]aitree.Status{"R": aitree.Running, "S": aitree.Success, "F": aitree.Failure}[r]
		}).Keeps(1)
		branches = append(branches, aitree.On(a.Name, leaf))
	}
	node := aitree.UtilitySelector(evaluator, branches...)
	if c.Hold {
		node.HoldUntilDone()
	}
	abandoned := false
	wanted := aitree.Predicate("wanted", func(c *blackboard.Context) uint64 {
		if abandoned {
			return 0
		}
		return c.Mask
	})
	p, err := compile(c.ID, nil, aitree.Guard(wanted, node))
	require.NoError(t, err, c.ID)

	x := executor.NewExecutor()
	x.EveryLeaf = true
	lanes := blackboard.NewLanes(p.Facts)
	mind := make([]uint32, p.MindBytes()/4)
	b := &executor.Block{Mask: 1 << selectorLane, Facts: lanes, Now: 7e9}
	b.Minds[selectorLane] = mind
	for i, tick := range c.Ticks {
		where := fmt.Sprintf("%s, tick %d: %s", c.ID, i, c.Purpose)
		b.Now += components.Timestamp(math.Round(tick.Dt * 1e9))
		abandoned = tick.Op == "reset"
		if !abandoned {
			f.Set(lanes, evaluator, selectorLane, tick.Facts, tick.Targets)
		}
		scored, _ := x.Scorings()
		x.Tick(p, b)
		after, _ := x.Scorings()

		if tick.Expect.Status != "" {
			status := map[bool]string{true: "S"}[x.Succeeded != 0] + map[bool]string{true: "R"}[x.Running != 0] +
				map[bool]string{true: "F"}[x.Failed != 0]
			require.Equal(t, tick.Expect.Status, status, where)
		}
		if tick.Expect.Rescored != nil {
			require.Equal(t, *tick.Expect.Rescored, after > scored, where)
		}
		want, given, err := tick.Expect.ChoiceOf()
		require.NoError(t, err)
		if given {
			action, target := x.LastChoice(selectorLane)
			require.Equal(t, int(want.Action)-1, action, where)
			require.Equal(t, want.Target, target, where)
		}
		exits, enters := [][2]any{}, []int{}
		for _, e := range x.Events {
			if e.Kind == executor.Enter {
				enters = append(enters, int(e.Leaf))
			} else {
				how := map[executor.EventKind]string{executor.ExitSuccess: "succeeded", executor.ExitFailure: "failed",
					executor.ExitAborted: "aborted"}
				exits = append(exits, [2]any{float64(e.Leaf), how[e.Kind]})
			}
		}
		assert.ElementsMatch(t, tick.Expect.Exits, exits, where)
		assert.ElementsMatch(t, tick.Expect.Enters, enters, where)
	}
}
