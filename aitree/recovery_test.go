package aitree_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
)

func TestARecoveryTriesItsChildAgainAfterTheRecovery(t *testing.T) {
	type returning = map[string]aitree.Status
	const f, r, s = aitree.Failure, aitree.Running, aitree.Success
	type step struct {
		returns returning
		took    string
		status  aitree.Status
	}
	for name, c := range map[string]struct {
		n     int
		steps []step
	}{
		"the child succeeds": {1, []step{{nil, "c", s}, {nil, "c", s}}},
		"it succeeds after one recovery": {1, []step{
			{returning{"c": f}, "cr", r}, {returning{"c": r}, "c", r}, {nil, "c", s}, {returning{"c": f}, "cr", r},
		}},
		"no recovery is left": {2, []step{
			{returning{"c": f}, "cr", r}, {returning{"c": f}, "cr", r}, {returning{"c": f}, "c", f},
			{returning{"c": f}, "cr", r}, // it begins anew
		}},
		"the recovery fails": {3, []step{{returning{"c": f}, "cr", r}, {returning{"c": f, "r": f}, "cr", f}}},
		"the recovery takes its time": {1, []step{
			{returning{"c": f, "r": r}, "cr", r}, {returning{"r": r}, "r", r}, {nil, "r", r},
			{returning{"c": f}, "c", f},
		}},
		"the recovery takes its time and fails": {1, []step{
			{returning{"c": f, "r": r}, "cr", r}, {returning{"r": f}, "r", f}, {nil, "c", s},
		}},
		"no limit": {0, []step{
			{returning{"c": f}, "cr", r}, {returning{"c": f}, "cr", r}, {returning{"c": f}, "cr", r}, {nil, "c", s},
		}},
	} {
		turn := &turns{}
		b := newBlock(t, nil, aitree.Recovery(c.n, turn.leaf("c"), turn.leaf("r")))
		for i, at := range c.steps {
			require.Equal(t, at.took, turn.tick(b, at.returns), "%s, step %d", name, i)
			require.Equal(t, at.status == f, b.Failed() != 0, "%s, step %d", name, i)
			require.Equal(t, at.status == r, b.Running() != 0, "%s, step %d", name, i)
		}
	}
}

func TestAnAbortOfARecoveryClearsItsCount(t *testing.T) {
	turn := &turns{}
	b := newBlock(t, nil, aitree.Guard(aitree.Not(aitree.True(alarm)),
		aitree.Recovery(1, turn.leaf("c"), turn.leaf("r"))))
	fails := map[string]aitree.Status{"c": aitree.Failure}
	assert.Equal(t, "cr", turn.tick(b, fails))
	b.Facts.SetBool(alarm, 0, true) // while it rests between the recovery and the child
	assert.Empty(t, turn.tick(b, nil))
	b.Facts.SetBool(alarm, 0, false)
	assert.Equal(t, "cr", turn.tick(b, fails))
	assert.Equal(t, "c", turn.tick(b, fails))
	assert.NotZero(t, b.Failed())
}

// The child's cooldown ends with the round, since it is cleared by aborts; the other one holds.
func TestTheRoundsOfARecoveryClearCooldownsAsThoseOfALoop(t *testing.T) {
	for cleared, want := range map[bool][]float64{true: {0, 1, 2}, false: {0}} {
		var invoked []float64
		c := aitree.Cooldown(time.Minute, scripted(&invoked, aitree.Failure)).StartedByCompletion()
		if cleared {
			c.ClearedByAbort()
		}
		tickAt(t, newBlock(t, nil, aitree.Recovery(0, c, aitree.Succeed())), 0, 1, 2)
		assert.Equal(t, want, invoked, "cleared by abort: %v", cleared)
	}
}

func TestMoreRoundsThanACountHoldsAreRefused(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("an int holds no more")
	}
	_, err := aitree.Build("t", nil, aitree.Recovery(math.MaxInt, aitree.Fail(), aitree.Succeed()))
	assert.EqualError(t, err, `aitree: tree "t" > Recovery: 9223372036854775807 rounds; the limit is 2147483647`)
}

// A robot follows its path. When that fails, it backs up and tries again, twice at most.
func ExampleRecovery() {
	actions := aitree.NewActions()
	for _, name := range []string{"follow path", "back up"} {
		if _, err := actions.Register(name, components.Move); err != nil {
			fmt.Println(err)
			return
		}
	}
	robot, err := aitree.Build("robot", actions,
		aitree.Recovery(2, aitree.Do("follow path"), aitree.Do("back up").For(2*time.Second)))
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(robot, 1)
	for second := range 8 {
		if order := block.Order(0, components.Move); actions.Name(order.Action) == "follow path" {
			block.Report(0, components.Move, components.Failed) // there is something in the way
		}
		block.Tick(components.Timestamp(second) * 1e9)
		fmt.Printf("%d s: %q\n", second, actions.Name(block.Order(0, components.Move).Action))
	}
	fmt.Println("failed:", block.Failed() != 0)
	// Output:
	// 0 s: "follow path"
	// 1 s: "back up"
	// 2 s: "back up"
	// 3 s: ""
	// 4 s: "follow path"
	// 5 s: "back up"
	// 6 s: "back up"
	// 7 s: ""
	// failed: false
}
