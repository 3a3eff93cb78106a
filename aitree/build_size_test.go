package aitree_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// Definitions, conditions, facts and actions in such numbers that to compare each with each would take minutes or
// hours. Each is built in a second or two.

func TestAMillionSubtreesMayBeDefined(t *testing.T) {
	const many = 1_000_000
	leaf := aitree.Succeed()
	list := make([]aitree.Definition, many)
	for i := range list {
		list[i] = aitree.Define(strconv.Itoa(i), leaf)
	}
	list[7] = aitree.Define("7", aitree.Sequence(aitree.Subtree(strconv.Itoa(many-1)), aitree.Subtree("0")))
	p, err := compile("t", nil, aitree.Subtree("7"), list...)
	require.NoError(t, err)
	assert.Len(t, p.Nodes, 3)
}

func TestUsesOfManySubtreesAreBuilt(t *testing.T) {
	const many = 60_000
	list := make([]aitree.Definition, many)
	uses := make([]*aitree.Node, many)
	for i := range list {
		list[i] = aitree.Define(strconv.Itoa(i), aitree.Run())
		uses[i] = aitree.Subtree(strconv.Itoa(many - 1 - i))
	}
	p, err := compile("t", nil, aitree.Selector(uses...), list...)
	require.NoError(t, err)
	assert.Equal(t, strconv.Itoa(many-1)+".Run", p.Leaves[0].Name)
	assert.Equal(t, "0.Run", p.Leaves[many-1].Name)
}

func TestManyDistinctConditionsAreBuiltEachOnce(t *testing.T) {
	const many = 200_000
	list := make([]*aitree.Condition, 0, 2*many)
	for i := range many {
		list = append(list, aitree.Less(ammo, i))
	}
	for i := range many {
		list = append(list, aitree.GreaterEqual(ammo, many-1-i)) // the negation of one that there is already
	}
	p, err := compile("t", nil, aitree.Check(aitree.AnyOf(list...)))
	require.NoError(t, err)
	require.Len(t, p.Tests, many+1, "the comparisons and their combination")
	for _, i := range []int{0, many / 2, many - 1} {
		require.EqualValues(t, i, p.Tests[i].Integer, "in the order in which they stand")
	}
	assert.Len(t, p.Tests[many].Of, 2*many)
}

func TestManyDistinctCombinationsAreBuiltEachOnce(t *testing.T) {
	const many = 100_000
	nodes := make([]*aitree.Condition, many)
	for i := range nodes {
		// Each is there twice, in both orders.
		k := i / 2
		a, b := aitree.Less(ammo, k), aitree.Less(ammo, k+1)
		if i%2 == 1 {
			a, b = b, a
		}
		nodes[i] = aitree.AllOf(a, b)
	}
	p, err := compile("t", nil, aitree.Check(aitree.AllOf(nodes...)))
	require.NoError(t, err)
	assert.Len(t, p.Tests, many/2+1+many/2+1)
}

// A condition that is shared by two in each of 200 others would be met 2^200 times on every way to it.
func TestAConditionThatIsSharedManyTimesIsBuiltOnce(t *testing.T) {
	shared := aitree.True(alarm)
	for range 200 {
		shared = aitree.AllOf(shared, aitree.Not(aitree.AnyOf(aitree.Not(shared), aitree.True(alarm))))
	}
	p, err := compile("t", nil, aitree.Check(shared))
	require.NoError(t, err)
	assert.LessOrEqual(t, len(p.Tests), 401)
}

func TestManyDistinctFactsAreKeptEachOnce(t *testing.T) {
	const many = 200_000
	facts := make([]blackboard.Fact, 0, 2*many)
	for range 2 {
		for i := range many {
			facts = append(facts, blackboard.IntFact("i", func(c *compared) *int64 { return &c.I }, int64(i)))
		}
	}
	p, err := compile("t", nil, aitree.Leaf("l", succeed).Reads(facts...))
	require.NoError(t, err)
	require.Len(t, p.Facts, many)
	assert.EqualValues(t, many-1, p.Facts[many-1].Field().DefaultInt)
	assert.EqualValues(t, many-1, p.Leaves[0].Facts[2*many-1])
}

func TestManyActionsAreRegisteredAndPosted(t *testing.T) {
	const many = 65_000
	actions := aitree.NewActions()
	list := make([]*aitree.Node, many)
	for i := range list {
		name := fmt.Sprint("action ", many-i)
		_, err := actions.Register(name, components.Move)
		require.NoError(t, err)
		list[i] = aitree.Do(name)
	}
	p, err := compile("t", actions, aitree.Sequence(list...))
	require.NoError(t, err)
	assert.EqualValues(t, many, p.Nodes[many].Action)
	assert.Equal(t, "action 1", actions.Name(p.Nodes[many].Action))
}
