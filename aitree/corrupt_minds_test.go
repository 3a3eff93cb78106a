package aitree_test

import (
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/utility"
)

// A mind's bytes may come from a damaged snapshot, or from a program that was changed since. Whatever they are, a tick
// ends, posts no more than a tick may, and a reset makes the mind as new.

// started is the flag in a mind's second word without which its bytes count for nothing.
const started = 1 << 16

// corruptMind is a started mind with a cursor of the root and further words.
func corruptMind(p *executor.Program, cursor uint32, words ...uint32) []uint32 {
	mind := make([]uint32, p.MindBytes()/4)
	mind[1] = started | cursor
	copy(mind[2:], words)
	return mind
}

func tickCorrupt(p *executor.Program, mind []uint32) *executor.Executor {
	x := executor.NewExecutor()
	b := &executor.Block{Mask: 1, Now: 1e9, Facts: blackboard.NewLanes(p.Facts)}
	b.Minds[0], b.Intents[0] = mind, &components.Intent{}
	x.Tick(p, b)
	return x
}

func fires(n int) []*aitree.Node {
	list := make([]*aitree.Node, n)
	for i := range list {
		list[i] = aitree.Fire("bang")
	}
	return list
}

func TestACursorAtANodeThatCannotRestIsIgnored(t *testing.T) {
	// The four triggers are followed by a Sequence that can only succeed or run. A cursor that names it makes
	// it fail, so the second branch would fire on top of the first.
	p, err := compile("t", testActions(t), aitree.Selector(
		aitree.ReactiveSequence(append(fires(4), aitree.Sequence(aitree.Wait(time.Second)))...), // 1, 2…5, 6, 7
		aitree.Sequence(fires(4)...),
	))
	require.NoError(t, err)
	mind := corruptMind(p, 6+1)
	x := tickCorrupt(p, mind)
	assert.Equal(t, []int{0}, p.RunningLeaves(mind, nil), "as from a fresh start: the wait")
	assert.Equal(t, uint64(1), x.Running)
}

func TestACursorThatNamesANodeOfAnotherStrandIsIgnored(t *testing.T) {
	p, err := compile("t", testActions(t), aitree.Selector(
		aitree.Sequence(append(append([]*aitree.Node{aitree.Wait(0)}, fires(4)...),
			aitree.Sequence(aitree.Wait(time.Second)))...), // 1: 2, 3…6, 7: 8
		aitree.Sequence(fires(4)...), // 9: 10…13
		aitree.Parallel(aitree.All, aitree.All, aitree.Wait(time.Second), aitree.Wait(time.Second)), // 14: 15, 16
	))
	require.NoError(t, err)
	for _, branches := range []uint32{
		2 + 1 | (8+1)<<8,   // two leaves of another branch of the Selector
		16 + 1 | (15+1)<<8, // each the leaf of the other branch of the Parallel
		14 + 1 | 1<<8,      // the Parallel, the Selector
		255 | 254<<8,
	} {
		mind := corruptMind(p, 14+1, branches, branches, branches)
		assert.LessOrEqual(t, len(p.RunningLeaves(mind, nil)), 1, "leaves of its own branch, branches %x", branches)
		x := tickCorrupt(p, mind)
		assert.Equal(t, uint64(1), x.Running, "branches %x", branches)
		assert.Len(t, p.RunningLeaves(mind, nil), 2, "the two waits of the Parallel, branches %x", branches)
	}
}

func TestABranchCursorThatNamesItsOwnParallelEndsNowhere(t *testing.T) {
	p, err := compile("t", nil, aitree.Parallel(aitree.All, aitree.All,
		aitree.Parallel(aitree.All, aitree.All, aitree.Wait(time.Second), aitree.Wait(time.Second)),
		aitree.Wait(time.Second)))
	require.NoError(t, err)
	mind := corruptMind(p, 1, 1|1<<8, 1|2<<8)
	assert.Empty(t, p.RunningLeaves(mind, nil))
}

func TestARememberedActionThatThereIsNotIsNoChoice(t *testing.T) {
	e := either(t, func(d *utility.Definition) *utility.Definition { return d.Inertia(1) })
	p, err := compile("t", nil, aitree.UtilitySelector(e, aitree.On("a", aitree.Wait(time.Second)),
		aitree.On("b", aitree.Wait(time.Second))).RememberChoice())
	require.NoError(t, err)
	for word, chosen := range map[uint32]int{
		0: 0, 1: 0, 3: 0, 255: 0, 1 << 8: 0, ^uint32(0): 0, // nothing that is remembered, or the better one
		2: 1, 0xffffff02: 1, // of which the action alone counts
	} {
		mind := corruptMind(p, 0, word)
		lanes := blackboard.NewLanes(p.Facts)
		weigh(lanes, 0, 0.75, 0.5)
		b := &executor.Block{Mask: 1, Now: 1e9, Facts: lanes}
		b.Minds[0] = mind
		executor.NewExecutor().Tick(p, b)
		assert.Equal(t, []int{chosen}, p.RunningLeaves(mind, nil), "word %x", word)
	}
}

// Every word of the state is arbitrary: the remembered action, targets, deadlines and NaNs.
func TestWithAWildStateAUtilitySelectorStillRunsOneBranchOrNone(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	far := utility.NewAction("go", utility.Consider(thingFacts[0], utility.Linear()),
		utility.Consider(levelFacts[1], utility.Linear())).For(lists[0])
	rest := utility.NewAction("rest", utility.Consider(levelFacts[0], utility.Linear()))
	for _, remember := range []bool{false, true} {
		e, err := utility.Build("e", utility.Choose(far, rest).Inertia(0.25).Commit(time.Minute).RescoreBeyond(0.25))
		require.NoError(t, err)
		n := aitree.UtilitySelector(e, aitree.On("go", aitree.Do("walk", aitree.ChosenTarget())),
			aitree.On("rest", aitree.Do("aim")))
		if remember {
			n.RememberChoice().NextBest().BackOff(time.Minute)
		}
		p, err := compile("t", testActions(t), n)
		require.NoError(t, err)
		lanes := blackboard.NewLanes(p.Facts)
		b := newManyAgents(p, ^uint64(0), lanes)
		setters := settersOf(p)
		for round := range 100 {
			for lane := range 64 {
				mind := b.Minds[lane]
				for i := range mind[2:] {
					mind[2+i] = []uint32{rng.Uint32(), 0, 0x7fc00000, ^uint32(0), 100, 1, 0x101}[rng.IntN(7)]
				}
				mind[1] = started | rng.Uint32N(4)
				w := newUtilityFacts(rng.Uint64())
				for _, s := range setters {
					s.set(lanes, lane, w)
				}
			}
			x := executor.NewExecutor()
			for range 3 {
				b.Now += 30e9
				x.Tick(p, &b.Block)
				require.Equal(t, b.Mask, x.Running|x.Failed, "round %d", round)
			}
			for lane := range 64 {
				require.Len(t, p.RunningLeaves(b.Minds[lane], nil), int(x.Running>>lane&1))
			}
			x.Reset(p, &b.Block)
			for lane := range 64 {
				require.Equal(t, make([]uint32, len(b.Minds[lane])-1), b.Minds[lane][1:])
			}
		}
	}
}

// arbitraryInput is an input of the user's own, for evaluators of random trees.
var arbitraryInput = utility.NewInput("arbitrary", func(c *blackboard.Context, lane *[64]float32) {
	for i := range lane {
		lane[i] = float32(i%8) / 8
	}
})

// arbitraryTree turns a random tree into one whose leaves answer at random, from the agent and the clock alone.
func arbitraryTree(n *refNode, actions *aitree.Actions) *aitree.Node {
	kids := make([]*aitree.Node, len(n.children))
	for i, child := range n.children {
		kids[i] = arbitraryTree(child, actions)
	}
	seed := uint64(labelNumber(n.label + n.cond))
	lot := func(c *blackboard.Context, lane int) uint32 {
		return random.Below(uint64(c.Entities[lane].Index)*0x9e3779b97f4a7c15^uint64(c.Now)*0xd1342543de82ef95^seed<<40,
			4)
	}
	condition := func(name string) *aitree.Condition {
		return aitree.Predicate(name, func(c *blackboard.Context) (holds uint64) {
			for lane := range 64 {
				if c.Mask>>lane&1 != 0 && lot(c, lane) != 0 {
					holds |= 1 << lane
				}
			}
			return holds
		})
	}
	register := func(name string, channel components.Channel) string {
		if _, err := actions.Register(name, channel); err != nil {
			panic(err)
		}
		return name
	}
	switch n.kind {
	case refAction:
		return aitree.Leaf(n.label, func(c *blackboard.Context) (success, running uint64) {
			for lane := range 64 {
				if c.Mask>>lane&1 == 0 {
					continue
				}
				c.State(lane)[0]++
				switch lot(c, lane) {
				case 0:
					success |= 1 << lane
				case 1, 2:
					running |= 1 << lane
				}
			}
			return success, running
		}).Keeps(1)
	case refCondition:
		return aitree.Check(condition(n.cond))
	case refDo:
		bindings := []aitree.Binding{aitree.NumberOf(0, 1)}
		if n.chosen {
			bindings = append(bindings, aitree.ChosenTarget())
		}
		d := aitree.Do(register(n.label, n.channel), bindings...)
		if n.until != "" {
			d.Until(condition(n.until))
		}
		if n.limited {
			d.For(duration(n.seconds))
		}
		return d
	case refFire:
		name := n.label + " at once" // a label may be a Do's as well
		if _, err := actions.RegisterTrigger(name); err != nil {
			panic(err)
		}
		if n.chosen {
			return aitree.Fire(name, aitree.ChosenTarget())
		}
		return aitree.Fire(name)
	case refWait:
		if n.of != "" {
			return aitree.WaitFact(pulseFact)
		}
		return aitree.WaitBetween(duration(n.seconds), duration(n.most))
	case refUtility:
		evaluator, err := n.evaluator.build(arbitraryInput, condition)
		if err != nil {
			panic(err)
		}
		return utilitySelector(n, evaluator, kids)
	case refUse:
		return aitree.Subtree(n.subtree)
	}
	return innerNode(n, kids, condition)
}

// tickCorruptMinds ticks 64 minds of arbitrary bytes: the given ones, then random ones.
func tickCorruptMinds(t *testing.T, flavour uint8, tree, bytes []byte, seed uint64) {
	root, subtrees := generateTree(&byteDice{tree}, flavours[int(flavour)%len(flavours)])
	actions := aitree.NewActions()
	var definitions []aitree.Definition
	for _, name := range slices.Sorted(maps.Keys(subtrees)) {
		n := subtrees[name]
		definitions = append(definitions, aitree.Define(name, arbitraryTree(n, actions)))
	}
	p, err := compile("arbitrary", actions, arbitraryTree(root, actions), definitions...)
	if err != nil {
		t.Skip(err) // too much state
	}
	words := p.MindBytes() / 4
	rng := rand.New(rand.NewPCG(seed, 0))
	var intents [64]components.Intent
	lanes := blackboard.NewLanes(p.Facts)
	setters := settersOf(p)
	b := &executor.Block{Mask: ^uint64(0), Now: 1e9, Facts: lanes, Seed: 7}
	for lane := range 64 {
		mind := make([]uint32, words)
		for i := range mind {
			if len(bytes) >= 4 {
				mind[i] = binary.LittleEndian.Uint32(bytes)
				bytes = bytes[4:]
				continue
			}
			mind[i] = rng.Uint32()
			if lane%8 < 4 {
				mind[i] &= 0x1f1f1f1f // low node numbers, in branch cursors too
			}
		}
		if lane%4 != 3 {
			mind[1] |= started
		}
		if lane%2 == 0 { // a cursor that names a node
			mind[1] = mind[1]&^0xffff | mind[1]%uint32(len(p.Nodes)+1)&0xffff
		}
		b.Entities[lane] = components.Entity{Index: uint32(lane + 1)}
		b.Minds[lane], b.Intents[lane] = mind, &intents[lane]
		if len(setters) > 0 {
			w := newUtilityFacts(uint64(lane))
			for _, s := range setters {
				s.set(lanes, lane, w)
			}
		}
	}
	requireLeavesInOrder := func() {
		var running []int
		for lane := range 64 {
			running = p.RunningLeaves(b.Minds[lane], running[:0])
			for i, leaf := range running {
				require.Less(t, leaf, len(p.Leaves))
				if i > 0 {
					require.Less(t, running[i-1], leaf, "tree order")
				}
			}
		}
	}
	requireLeavesInOrder()
	x := executor.NewExecutor()
	x.EveryLeaf = true
	for _, step := range []components.Timestamp{0, 1e6, 5e9, 86400e9} {
		b.Now += step
		x.Tick(p, b)
		require.Zero(t, x.Succeeded&x.Running)
		require.Equal(t, b.Mask, x.Succeeded|x.Running|x.Failed)
		requireLeavesInOrder()
	}

	x.Reset(p, b)
	for lane := range 64 {
		require.Empty(t, p.RunningLeaves(b.Minds[lane], nil))
		require.Equal(t, make([]uint32, words-1), b.Minds[lane][1:], "as never ticked")
		require.Zero(t, b.Minds[lane][0]>>16)
	}
}

// FuzzCorruptMind ticks random trees on minds of random bytes.
func FuzzCorruptMind(f *testing.F) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 200 {
		tree := make([]byte, 400)
		for k := range tree {
			tree[k] = byte(rng.Uint32())
		}
		f.Add(uint8(i), tree, []byte{}, rng.Uint64())
	}
	f.Fuzz(tickCorruptMinds)
}
