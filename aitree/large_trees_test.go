package aitree_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// Large trees: cursors beyond a byte, many leaves, deep chains.

// patient is a leaf that runs for one tick and succeeds in the next.
func patient() *aitree.Node {
	return aitree.Leaf("patient", func(c *blackboard.Context) (uint64, uint64) {
		return c.Mask &^ c.Entering,
			c.Entering
	})
}

func patients(n int) []*aitree.Node {
	list := make([]*aitree.Node, n)
	for i := range list {
		list[i] = patient()
	}
	return list
}

func TestATreeOfAThousandNodesResumesWhereItRests(t *testing.T) {
	p, err := compile("t", nil, aitree.Sequence(patients(999)...))
	require.NoError(t, err)
	assert.Equal(t, 1000, len(p.Nodes))
	assert.Equal(t, 64, p.MindBytes(), "a cursor is all there is to keep")
	b := newManyAgents(p, 1|1<<63, nil)
	x := executor.NewExecutor()
	x.EveryLeaf = true
	for step := range 999 {
		x.Tick(p, &b.Block)
		require.Equal(t, b.Mask, x.Running)
		require.Equal(t, []int{step}, p.RunningLeaves(b.Minds[63], nil))
		require.Equal(t, executor.Event{Leaf: uint16(step), Lane: 63, Kind: executor.Enter}, x.Events[len(x.Events)-1])
		if step == 500 { // one of them begins anew, and is half the tree behind from here on
			b.Mask = 1
			x.Reset(p, &b.Block)
			b.Mask = 1 | 1<<63
		}
	}
	assert.Equal(t, []int{997 - 500}, p.RunningLeaves(b.Minds[0], nil))
	x.Tick(p, &b.Block)
	assert.Equal(t, uint64(1<<63), x.Succeeded)
	assert.Equal(t, []int{998 - 500}, p.RunningLeaves(b.Minds[0], nil))
	assert.Empty(t, p.RunningLeaves(b.Minds[63], nil))
}

func TestBranchesOfALargeParallelHaveCursorsOfSixteenBits(t *testing.T) {
	var branches []*aitree.Node
	for i := range 10 {
		branches = append(branches, aitree.Sequence(patients(90+i)...))
	}
	p, err := compile("t", nil, aitree.Parallel(aitree.All, aitree.All, branches...).Latched())
	require.NoError(t, err)
	assert.Equal(t, 1+10+945, len(p.Nodes))
	assert.Equal(t, 64, p.MindBytes(), "ten cursors, two to a word")
	b := newManyAgents(p, 1<<17, nil)
	x := executor.NewExecutor()
	first := make([]int, 10) // leaf of each branch
	for i := range 9 {
		first[i+1] = first[i] + 90 + i
	}
	for tick := range 99 {
		x.Tick(p, &b.Block)
		require.Equal(t, b.Mask, x.Running)
		var expected []int // branch i is done, and kept so, after 90+i leaves
		for i := range 10 {
			if tick < 90+i {
				expected = append(expected, first[i]+tick)
			}
		}
		require.Equal(t, expected, p.RunningLeaves(b.Minds[17], nil), "tick %d", tick)
	}
	x.Tick(p, &b.Block)
	assert.Equal(t, b.Mask, x.Succeeded)
	assert.Empty(t, p.RunningLeaves(b.Minds[17], nil))
}

func TestTheLargestTreeWorksAndTheNextIsRefused(t *testing.T) {
	const most = 65533 // a cursor has 16 bits, and two marks beside idle and the nodes
	leaf := patient()
	list := make([]*aitree.Node, most-2)
	for i := range list {
		list[i] = leaf
	}
	tree := func(more ...*aitree.Node) *aitree.Node {
		return aitree.Parallel(aitree.All, aitree.All, append(more, aitree.Sequence(list...))...).Latched()
	}
	p, err := compile("t", nil, tree())
	require.NoError(t, err)
	require.Equal(t, most, len(p.Nodes))
	b := newManyAgents(p, 1, nil)
	x := executor.NewExecutor()
	for range 3 {
		x.Tick(p, &b.Block)
	}
	assert.Equal(t, []int{2}, p.RunningLeaves(b.Minds[0], nil))
	b.Minds[0][2] = most // the last leaf
	assert.Equal(t, []int{most - 3}, p.RunningLeaves(b.Minds[0], nil))
	x.Tick(p, &b.Block)
	assert.Equal(t, uint64(1), x.Succeeded)

	_, err = compile("t", nil, tree(leaf))
	assert.ErrorContains(t, err, "more than 65533 nodes")
}

func TestATreeOfDepth256WorksAnd257IsRefused(t *testing.T) {
	chain := func(depth int) *aitree.Node {
		n := patient()
		for range depth - 1 {
			n = aitree.Inverter(n)
		}
		return n
	}
	p, err := compile("t", nil, chain(256))
	require.NoError(t, err)
	b := newManyAgents(p, 0b101, nil)
	x := executor.NewExecutor()
	x.Tick(p, &b.Block)
	assert.Equal(t, b.Mask, x.Running)
	x.Tick(p, &b.Block)
	assert.Equal(t, b.Mask, x.Failed, "an odd number of inverters")
	x.Tick(p, &b.Block)
	x.Reset(p, &b.Block)
	assert.Empty(t, p.RunningLeaves(b.Minds[0], nil))

	// A use of a subtree adds the subtree's own depth and no more.
	_, err = compile("t", nil, aitree.Sequence(aitree.Subtree("s")), aitree.Define("s", chain(255)))
	assert.NoError(t, err)
	_, err = compile("t", nil, chain(257))
	assert.ErrorContains(t, err, "deeper than 256 nodes; split the tree or flatten it")
	_, err = compile("t", nil, aitree.Sequence(aitree.Subtree("s")), aitree.Define("s", chain(256)))
	assert.ErrorContains(t, err, "deeper than 256 nodes")
}

// Every kind of node that nests without keeping state, 128 deep.
func TestDeepChainsOfEachNodeWork(t *testing.T) {
	for name, wrap := range map[string]func(*aitree.Node) *aitree.Node{
		"Sequence":         func(n *aitree.Node) *aitree.Node { return aitree.Sequence(n) },
		"Selector":         func(n *aitree.Node) *aitree.Node { return aitree.Selector(n) },
		"ReactiveSequence": func(n *aitree.Node) *aitree.Node { return aitree.ReactiveSequence(n) },
		"ReactiveSelector": func(n *aitree.Node) *aitree.Node { return aitree.ReactiveSelector(n) },
		"WeightedChoice":   func(n *aitree.Node) *aitree.Node { return aitree.WeightedChoice(aitree.Weight(1, n)) },
		"UntilSuccess":     func(n *aitree.Node) *aitree.Node { return aitree.UntilSuccess(n) },
		"Repeat":           func(n *aitree.Node) *aitree.Node { return aitree.Repeat(0, aitree.ForceFailure(n)) },
		"Guard": func(n *aitree.Node) *aitree.Node {
			return aitree.Guard(aitree.Predicate("yes", func(c *blackboard.Context) uint64 { return c.Mask }), n)
		},
	} {
		t.Run(name, func(t *testing.T) {
			n := patient()
			for range 127 {
				n = wrap(n)
			}
			p, err := compile("t", nil, n)
			require.NoError(t, err)
			b := newManyAgents(p, ^uint64(0), nil)
			x := executor.NewExecutor()
			x.Tick(p, &b.Block)
			require.Equal(t, b.Mask, x.Running)
			require.Equal(t, []int{0}, p.RunningLeaves(b.Minds[40], nil))
			x.Tick(p, &b.Block)
			if name == "Repeat" {
				assert.Equal(t, b.Mask, x.Failed)
			} else {
				assert.Equal(t, b.Mask, x.Succeeded)
			}
		})
	}
}
