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
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/allocs"
)

func TestABlockCallsHooksExitsFirst(t *testing.T) {
	var calls []string
	hooked := func(n *aitree.Node, name string) *aitree.Node {
		return n.OnEnter(func(e components.Entity) { calls = append(calls, fmt.Sprint(name, " enter ", e.Index)) }).
			OnExit(func(e components.Entity, how aitree.Exit) {
				calls = append(calls, fmt.Sprint(name, " ", how, " ", e.Index))
			})
	}
	for _, x := range []struct {
		status aitree.Status
		exit   string
	}{{aitree.Success, "done"}, {aitree.Failure, "failed"}} {
		status := aitree.Running
		p, err := aitree.Build("t", nil, aitree.Sequence(
			aitree.ForceSuccess(hooked(aitree.AgentLeaf("a", func(aitree.Agent) aitree.Status { return status }), "a")),
			hooked(aitree.Wait(time.Second), "b")))
		require.NoError(t, err)
		b := aitree.NewBlock(p, 2)
		b.SetEntity(1, components.Entity{Index: 9})
		calls = nil
		b.Tick(0)
		assert.Equal(t, []string{"a enter 1", "a enter 9"}, calls)
		assert.EqualValues(t, 0b11, b.Running())
		calls, status = nil, x.status
		b.Tick(1)
		assert.Equal(t, []string{"a " + x.exit + " 1", "a " + x.exit + " 9", "b enter 1", "b enter 9"}, calls)
		calls = nil
		b.Reset(1)
		assert.Equal(t, []string{"b aborted 9"}, calls)
		assert.EqualValues(t, 0b01, b.Running())
	}
}

// A leaf has an enter hook, an exit hook, both or none.
func TestALeafMayHaveEitherHook(t *testing.T) {
	for hooks := range 4 {
		var calls []string
		status := aitree.Running
		leaf := aitree.AgentLeaf("l", func(aitree.Agent) aitree.Status { return status })
		var enter, done, aborted []string
		if hooks&1 != 0 {
			leaf = leaf.OnEnter(func(components.Entity) { calls = append(calls, "enter") })
			enter = []string{"enter"}
		}
		if hooks&2 != 0 {
			leaf = leaf.OnExit(func(_ components.Entity, how aitree.Exit) { calls = append(calls, how.String()) })
			done, aborted = []string{"done"}, []string{"aborted"}
		}
		p, err := aitree.Build("t", nil, aitree.Sequence(leaf, aitree.Wait(time.Second)))
		require.NoError(t, err)
		b := aitree.NewBlock(p, 1)
		expect := func(want []string, when string) {
			t.Helper()
			assert.Equal(t, want, calls, "%s, hooks %b", when, hooks)
			calls = nil
		}
		b.Tick(0)
		expect(enter, "entered")
		b.Tick(1)
		expect(nil, "runs on")
		b.Reset(0)
		expect(aborted, "reset")
		b.Tick(2)
		expect(enter, "entered again")
		status = aitree.Success
		b.Tick(3)
		expect(done, "done")
	}
}

// A leaf panics after another of its tick was entered, and after events of an earlier tick: neither are told twice, nor
// does the tick that was not finished post or enter anything.
func TestATickThatPanicsIsAsIfItHadNotBeen(t *testing.T) {
	var calls []string
	fail := false
	hooked := func(n *aitree.Node, name string) *aitree.Node {
		return n.OnEnter(func(components.Entity) { calls = append(calls, name+" enter") }).
			OnExit(func(_ components.Entity, how aitree.Exit) { calls = append(calls, fmt.Sprint(name, " ", how)) })
	}
	p, err := aitree.Build("t", testActions(t), aitree.Sequence(hooked(aitree.Wait(time.Second), "wait"),
		aitree.Parallel(aitree.All, aitree.One, hooked(aitree.Do("walk"), "walk"),
			hooked(aitree.AgentLeaf("fragile", func(aitree.Agent) aitree.Status {
				if fail {
					panic("no idea")
				}
				return aitree.Running
			}), "fragile"))))
	require.NoError(t, err)
	b := aitree.NewBlock(p, 1)
	b.Tick(1e9)
	assert.Equal(t, []string{"wait enter"}, calls)
	fail, calls = true, nil
	assert.PanicsWithValue(t, "no idea", func() { b.Tick(2e9) })
	assert.Empty(t, calls)
	assert.Zero(t, b.Order(0, components.Move).Action)
	fail = false
	b.Tick(2e9)
	assert.Equal(t, []string{"wait done", "walk enter", "fragile enter"}, calls)
	assert.NotZero(t, b.Order(0, components.Move).Action)
	assert.EqualValues(t, 1, b.Order(0, components.Move).Serial)
}

func TestABlockSaysHowLongAgoTheLastTickWas(t *testing.T) {
	var since []int64
	p, err := aitree.Build("t", nil, aitree.AgentLeaf("l", func(a aitree.Agent) aitree.Status {
		since = append(since, int64(a.Since()))
		return aitree.Running
	}))
	require.NoError(t, err)
	b := aitree.NewBlock(p, 2)
	b.Tick(100)
	b.Tick(130)
	b.Reset(0)
	b.Tick(170)
	b.Tick(200)
	assert.Equal(t, []int64{0, 0, 30, 30, 0, 40, 30, 30}, since)
}

func TestABlockPostsOrdersAndTriggersAndReadsReports(t *testing.T) {
	actions := testActions(t)
	p, err := aitree.Build("t", actions, aitree.Selector(
		aitree.Inverter(aitree.Fire("bang", aitree.NumberOf(0, 3))), aitree.Do("walk", aitree.PointAt(1, 2))))
	require.NoError(t, err)
	b := aitree.NewBlock(p, 64)
	b.Tick(1)
	for lane := range 64 {
		require.Len(t, b.Triggers(lane), 1)
		assert.EqualValues(t, 3, b.Triggers(lane)[0].Number)
		assert.Equal(t, components.Vec2{X: 1, Y: 2}, b.Order(lane, components.Move).Point)
		assert.Equal(t, components.Entity{Index: uint32(lane + 1)}, b.Entity(lane))
	}
	b.Report(63, components.Move, components.Failed)
	b.Report(7, components.Move, components.Succeeded)
	b.Tick(2)
	assert.Empty(t, b.Triggers(0))
	assert.EqualValues(t, uint64(1<<63), b.Failed())
	assert.EqualValues(t, 1<<7, b.Succeeded())
	assert.Equal(t, ^uint64(1<<63|1<<7), b.Running())
	assert.PanicsWithValue(t, "aitree: Report for lane 7, which has no order on channel move",
		func() { b.Report(7, components.Move, components.Failed) })
}

func TestMisuseOfABlockPanics(t *testing.T) {
	p, err := aitree.Build("t", nil, aitree.Wait(0))
	require.NoError(t, err)
	for _, n := range []int{-1, 0, 65, math.MaxInt} {
		assert.PanicsWithValue(t, fmt.Sprintf("aitree: NewBlock of %d agents; a block has 1 to 64", n),
			func() { aitree.NewBlock(p, n) })
	}
	assert.PanicsWithValue(t, "aitree: NewBlock of a nil program; make one with Build",
		func() { aitree.NewBlock(nil, 1) })
	b := aitree.NewBlock(p, 2)
	for _, lane := range []int{-1, 2, 64} {
		want := fmt.Sprintf("aitree: lane %d of a block of 2 agents", lane)
		for _, use := range []func(){
			func() { b.Entity(lane) }, func() { b.SetEntity(lane, components.Entity{}) },
			func() { b.Order(lane, components.Act) },
			func() { b.Triggers(lane) }, func() { b.Report(lane, components.Act, components.Failed) },
			func() { b.Reset(lane) },
			func() { b.Explain(lane) },
		} {
			assert.PanicsWithValue(t, want, use)
		}
	}
}

func TestATickOfABlockAllocatesNothing(t *testing.T) {
	p, err := aitree.Build("t", testActions(t), aitree.Sequence(
		aitree.AgentLeaf("l",
			func(a aitree.Agent) aitree.Status { return aitree.Status(uint64(a.Now()) / 7 % 3) }).Keeps(1).
			OnEnter(func(components.Entity) {}).OnExit(func(components.Entity, aitree.Exit) {}),
		aitree.Fire("bang"), aitree.Wait(time.Microsecond)))
	require.NoError(t, err)
	b := aitree.NewBlock(p, 64)
	now := components.Timestamp(0)
	allocs.None(t, 100, func() { now += 977; b.Tick(now) })
}

func TestAPredicateHasNoState(t *testing.T) {
	p, err := aitree.Build("t", nil, aitree.Check(aitree.Predicate("p", func(c *blackboard.Context) uint64 {
		assert.PanicsWithValue(t, "aitree: State of a predicate, which keeps none; use a custom leaf with Keeps",
			func() { c.State(0) })
		return c.Mask
	})))
	require.NoError(t, err)
	b := aitree.NewBlock(p, 1)
	b.Tick(0)
	assert.EqualValues(t, 1, b.Succeeded())
}
