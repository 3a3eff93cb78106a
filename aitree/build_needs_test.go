package aitree_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

func TestAProgramKnowsWhatItsAgentsNeed(t *testing.T) {
	leaf := func() *aitree.Node {
		return aitree.Leaf("l", func(*blackboard.Context) (success, running uint64) { return 0, 0 })
	}
	predicate := aitree.Predicate("p", func(*blackboard.Context) uint64 { return 0 })
	enter, exit := func(components.Entity) {}, func(components.Entity, aitree.Exit) {}
	type needs struct{ custom, do, hook bool }
	for _, c := range []struct {
		name string
		root *aitree.Node
		want needs
	}{
		{"run", aitree.Run(), needs{}},
		{"wait", aitree.Wait(0), needs{}},
		{"check of a fact", aitree.Check(aitree.True(alarm)), needs{}},
		{"custom leaf", leaf(), needs{custom: true}},
		{"predicate", aitree.Check(predicate), needs{custom: true}},
		{"predicate among others", aitree.Guard(aitree.AnyOf(aitree.True(alarm), predicate), aitree.Run()),
			needs{custom: true}},
		{"do", aitree.Do("walk"), needs{do: true}},
		{"fire", aitree.Fire("bang"), needs{}},
		{"enter hook", aitree.Run().OnEnter(enter), needs{hook: true}},
		{"exit hook", aitree.Run().OnExit(exit), needs{hook: true}},
	} {
		// First, last and between leaves that need nothing.
		for place, root := range map[string]*aitree.Node{
			"alone": c.root, "first": aitree.Sequence(c.root, aitree.Wait(0), aitree.Check(aitree.True(alarm))),
			"last":  aitree.Sequence(aitree.Wait(0), c.root),
			"below": aitree.Selector(aitree.Run(), aitree.Inverter(c.root)),
		} {
			p, err := compile("t", testActions(t), root)
			require.NoError(t, err)
			assert.Equal(t, c.want, needs{p.Custom, p.HasDo, p.HasHook}, "%s, %s", c.name, place)
		}
	}
	p, err := compile("t", testActions(t), aitree.Sequence(leaf(), aitree.Fire("bang"), aitree.Do("walk").OnExit(exit),
		aitree.Run()))
	require.NoError(t, err)
	assert.Equal(t, needs{true, true, true}, needs{p.Custom, p.HasDo, p.HasHook})
}

// A mind has a header of two words and, for each node with a state, its words: 1 for a timer, a
// count or a draw, 2 for an Every, a byte for each branch of a Parallel and what a custom leaf keeps. State that cannot
// be active together shares its words.
func TestEachKindOfNodeTakesItsWordsOfAMind(t *testing.T) {
	run, wait := aitree.Run(), aitree.Wait(time.Second)
	leaf := func() *aitree.Node {
		return aitree.Leaf("l", func(*blackboard.Context) (success, running uint64) { return 0, 0 })
	}
	runs := func(n int) (list []*aitree.Node) {
		for range n {
			list = append(list, run)
		}
		return list
	}
	parallel := func(children ...*aitree.Node) *aitree.Node {
		return aitree.Parallel(aitree.All, aitree.All, children...)
	}
	for _, c := range []struct {
		name  string
		root  *aitree.Node
		words int
	}{
		{"run", run, 2},
		{"do", aitree.Do("walk"), 2},
		{"do for a time", aitree.Do("walk").For(time.Second), 3},
		{"wait", wait, 3},
		{"custom leaf", leaf(), 2},
		{"custom leaf that keeps three", leaf().Keeps(3), 5},
		{"timeout", aitree.Timeout(time.Second, run), 3},
		{"timeout of a wait", aitree.Timeout(time.Second, wait), 4},
		{"cooldown", aitree.Cooldown(time.Second, run), 3},
		{"cooldown of a wait", aitree.Cooldown(time.Second, wait), 4},
		{"every", aitree.Every(time.Second, run), 4},
		{"every of a wait", aitree.Every(time.Second, wait), 5},
		{"repeat", aitree.Repeat(3, run), 3},
		{"retry", aitree.Retry(3, run), 3},
		{"until success", aitree.UntilSuccess(run), 2},
		{"recovery", aitree.Recovery(2, run, run), 3},
		{"random sequence", aitree.RandomSequence(run, run), 3},
		{"random selector", aitree.RandomSelector(run, run), 3},
		{"round robin", aitree.RoundRobin(run, run), 3},
		{"sequence of waits", aitree.Sequence(wait, wait, wait), 3},
		{"selector of waits", aitree.Selector(wait, wait, wait), 3},
		{"reactive sequence of waits", aitree.ReactiveSequence(wait, wait, wait), 5},
		{"reactive selector of waits", aitree.ReactiveSelector(wait, wait, wait), 5},
		{"parallel of waits", parallel(wait, wait, wait), 6},
		{"sequence of a shallow and a deep one", aitree.Sequence(wait, aitree.Timeout(time.Second, wait), wait), 4},
		{"sequence of cooldowns", aitree.Sequence(aitree.Cooldown(time.Second, run), aitree.Cooldown(time.Second, run),
			aitree.RoundRobin(run, run), aitree.Every(time.Second, run)), 7},
		{"parallel of four", parallel(runs(4)...), 3},
		{"parallel of five", parallel(runs(5)...), 4},
		{"parallel of eight", parallel(runs(8)...), 4},
		{"parallel of nine", parallel(runs(9)...), 5},
		// A byte holds the numbers of 253 nodes, of idle and of two results; with one more, cursors have 16 bits.
		{"parallel of three, 253 nodes", parallel(aitree.Sequence(runs(249)...), run, run), 3},
		{"parallel of three, 254 nodes", parallel(aitree.Sequence(runs(250)...), run, run), 4},
	} {
		p, err := compile("t", testActions(t), c.root)
		require.NoError(t, err, c.name)
		assert.Equal(t, c.words, p.Words, c.name)
	}
}
