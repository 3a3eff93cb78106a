package aitree_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
)

// scripted is a leaf that returns one result after another and notes when it is invoked.
func scripted(invoked *[]float64, results ...aitree.Status) *aitree.Node {
	return aitree.AgentLeaf("scripted", func(a aitree.Agent) aitree.Status {
		*invoked = append(*invoked, float64(a.Now())/1e9)
		return results[min(len(*invoked), len(results))-1]
	})
}

// tickAt ticks one agent of a tree at moments in seconds and returns what its root returned.
func tickAt(t *testing.T, b *aitree.Block, moments ...float64) (results []aitree.Status) {
	t.Helper()
	for _, at := range moments {
		b.Tick(components.Timestamp(at * 1e9))
		switch {
		case b.Running() != 0:
			results = append(results, aitree.Running)
		case b.Succeeded() != 0:
			results = append(results, aitree.Success)
		default:
			require.NotZero(t, b.Failed())
			results = append(results, aitree.Failure)
		}
	}
	return results
}

func newBlock(t *testing.T, actions *aitree.Actions, root *aitree.Node) *aitree.Block {
	t.Helper()
	p, err := aitree.Build("t", actions, root)
	require.NoError(t, err)
	return aitree.NewBlock(p, 1)
}

func TestACooldownStartsOnSuccessOrOnAnyCompletion(t *testing.T) {
	seconds := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}

	var invoked []float64
	tickAt(t, newBlock(t, nil, aitree.Cooldown(5*time.Second, scripted(&invoked, aitree.Failure))), seconds...)
	assert.Equal(t, seconds, invoked, "failure does not start it")

	invoked = nil
	tickAt(t, newBlock(t, nil,
		aitree.Cooldown(5*time.Second, scripted(&invoked, aitree.Failure)).StartedByCompletion()), seconds...)
	assert.Equal(t, []float64{0, 5, 10}, invoked)

	invoked = nil
	tickAt(t, newBlock(t, nil,
		aitree.Cooldown(4*time.Second, scripted(&invoked, aitree.Running, aitree.Success, aitree.Running,
			aitree.Running, aitree.Failure, aitree.Success)).StartedByCompletion()), seconds...)
	assert.Equal(t, []float64{0, 1, 5, 6, 7}, invoked, "ready at 1 + 4, then at 7 + 4")
}

func TestAnAbortOfTheChildStartsNoCooldown(t *testing.T) {
	var invoked []float64
	b := newBlock(t, nil, aitree.Guard(aitree.Not(aitree.True(alarm)),
		aitree.Cooldown(5*time.Second, scripted(&invoked, aitree.Running)).StartedByCompletion()))
	tickAt(t, b, 0)
	b.Facts.SetBool(alarm, 0, true)
	tickAt(t, b, 1)
	b.Facts.SetBool(alarm, 0, false)
	tickAt(t, b, 2)
	assert.Equal(t, []float64{0, 2}, invoked)
}

func TestACooldownStartedByFailureSurvivesItsLoopUnlessCleared(t *testing.T) {
	for _, cleared := range []bool{false, true} {
		var invoked []float64
		c := aitree.Cooldown(3*time.Second, scripted(&invoked, aitree.Failure)).StartedByCompletion()
		want := []float64{0, 3}
		if cleared {
			c.ClearedByAbort()
			want = []float64{0, 1, 2, 3}
		}
		tickAt(t, newBlock(t, nil, aitree.UntilSuccess(c)), 0, 1, 2, 3)
		assert.Equal(t, want, invoked, "cleared by abort: %v", cleared)
	}
}

// A beggar whom nobody gives anything begs again after a while, and not in every tick.
func ExampleNode_StartedByCompletion() {
	program, err := aitree.Build("beggar", nil, aitree.Cooldown(10*time.Second,
		aitree.AgentLeaf("beg", func(a aitree.Agent) aitree.Status {
			fmt.Printf("%v s: begs\n", a.Now()/1e9)
			return aitree.Failure
		})).StartedByCompletion())
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(program, 1)
	for second := range 25 {
		block.Tick(components.Timestamp(second) * 1e9)
	}
	// Output:
	// 0 s: begs
	// 10 s: begs
	// 20 s: begs
}
