package aitree_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/utility"
	"github.com/flockwork-ai/flockwork/utility/explain"
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
func offer(l *blackboard.Lanes, lane int, worths ...float32) {
	l.SetInt(lists[0].Count(), lane, int64(len(worths)))
	for i, worth := range worths {
		l.SetEntity(lists[0].Entity(i), lane, components.Entity{Index: uint32(100 + i)})
		l.SetFloat(lists[0].Field(i, thingFacts[1]), lane, worth)
	}
}

// either is an evaluator of two actions, "a" and "b", that score the levels 0 and 1.
func either(t testing.TB, more func(*utility.Definition) *utility.Definition) *utility.Evaluator {
	t.Helper()
	level := func(i int) *utility.Consideration { return utility.Consider(levelFacts[i], utility.Linear()) }
	e, err := utility.Build("either", more(utility.Choose(utility.NewAction("a", level(0)),
		utility.NewAction("b", level(1)))))
	require.NoError(t, err)
	return e
}

// weigh gives a lane the two scores of either.
func weigh(l *blackboard.Lanes, lane int, a, b float32) {
	l.SetFloat(levelFacts[0], lane, a)
	l.SetFloat(levelFacts[1], lane, b)
}

func stay(c *blackboard.Context) (uint64, uint64) { return 0, c.Mask }

// The Parallels share words with the Repeat before them, which counts a round anew when the branch is ticked afresh.
func TestABranchThatBeginsAnewRunsOnWhereItRanBefore(t *testing.T) {
	p, err := compile("t", nil, aitree.UtilitySelector(nearest(t), aitree.On("go", aitree.Sequence(
		aitree.Repeat(1, aitree.Leaf("at once", succeed)),
		aitree.Parallel(aitree.One, aitree.All,
			aitree.Leaf("a", stay),
			aitree.Parallel(aitree.All, aitree.All, aitree.Leaf("b", stay), aitree.Leaf("c", stay)),
			aitree.Repeat(3, aitree.Leaf("rests between rounds", succeed)),
		),
	))))
	require.NoError(t, err)
	lanes := blackboard.NewLanes(p.Facts)
	b := newManyAgents(p, 1<<5, lanes)
	x := executor.NewExecutor()
	x.EveryLeaf = true
	for i, worths := range [][]float32{{1, 0.5}, {0.5, 1}, {1, 0.5}, {0.5, 1}, {0.5, 1}} {
		offer(lanes, 5, worths...)
		x.Tick(p, &b.Block)
		assert.Equal(t, b.Mask, x.Running)
		assert.Equal(t, []int{1, 2, 3}, p.RunningLeaves(b.Minds[5], nil), "tick %d", i)
		assert.Len(t, x.Events, map[bool]int{true: 3}[i == 0], "nothing enters or exits but on the first tick")
	}
	x.Tick(p, &b.Block)
	assert.Equal(t, b.Mask, x.Succeeded, "the third round since it began anew last, two ticks ago")
}

// To hooks a leaf in a branch that begins anew has run on, so its exit is what it returned last.
func TestALeafOfABranchThatBeginsAnewExitsAsItEndsInThatTick(t *testing.T) {
	for name, c := range map[string]struct {
		branch  func(again *bool) *aitree.Node
		expects executor.EventKind
	}{
		"what it returned": {func(*bool) *aitree.Node {
			return aitree.AgentLeaf("l", func(a aitree.Agent) aitree.Status {
				if a.EntityFact(0).Index == 100 {
					return aitree.Running
				}
				return aitree.Success
			}).Reads(whomFact)
		}, executor.ExitSuccess},
		"aborted where it is not reached": {func(*bool) *aitree.Node {
			return aitree.Sequence(aitree.Check(aitree.EqualFact(whomFact, lists[0].Entity(0))), aitree.Leaf("l", stay))
		}, executor.ExitAborted},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := compile("t", nil, aitree.UtilitySelector(nearest(t), aitree.On("go", c.branch(nil))))
			require.NoError(t, err)
			lanes := blackboard.NewLanes(p.Facts)
			b := newManyAgents(p, 1, lanes)
			x := executor.NewExecutor()
			x.EveryLeaf = true
			offer(lanes, 0, 1, 0.5)
			lanes.SetEntity(whomFact, 0, components.Entity{Index: 100})
			x.Tick(p, &b.Block)
			assert.Equal(t, []executor.Event{{Kind: executor.Enter}}, x.Events)
			offer(lanes, 0, 0.5, 1)
			lanes.SetEntity(whomFact, 0, components.Entity{Index: 101})
			x.Tick(p, &b.Block)
			assert.Equal(t, []executor.Event{{Kind: c.expects}}, x.Events)
		})
	}
}

// What stands between is what the choice is remembered through.
func TestARememberedChoiceOutlivesWhatIsTickedMeanwhile(t *testing.T) {
	words := func() *aitree.Node { // of state, which would be the choice's if it had none of its own
		return aitree.Leaf("words", func(c *blackboard.Context) (uint64, uint64) {
			for lane := range 64 {
				if c.Mask>>lane&1 != 0 {
					for i := range 4 {
						c.State(lane)[i] = ^uint32(0)
					}
				}
			}
			return c.Mask, 0
		}).Keeps(4)
	}
	for name, c := range map[string]struct {
		meanwhile func(lanes *blackboard.Lanes, tick, reset func())
		remembers bool
	}{
		"completion": {func(_ *blackboard.Lanes, tick, _ func()) { tick() }, true},
		"an abort": {func(lanes *blackboard.Lanes, tick, _ func()) {
			lanes.SetBool(flagFacts[0], 0, true)
			tick()
			lanes.SetBool(flagFacts[0], 0, false)
		}, true},
		"no choice": {func(lanes *blackboard.Lanes, tick, _ func()) {
			weigh(lanes, 0, 0, 0)
			tick()
		}, false},
		"a reset": {func(_ *blackboard.Lanes, _, reset func()) { reset() }, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := either(t, func(d *utility.Definition) *utility.Definition { return d.Inertia(0.25) })
			branch := func(name string) *aitree.Node {
				return aitree.AgentLeaf(name, func(a aitree.Agent) aitree.Status {
					if a.Entering() {
						return aitree.Running
					}
					return aitree.Success
				})
			}
			p, err := compile("t", nil, aitree.UntilFailure(aitree.Sequence(words(),
				aitree.Guard(aitree.Not(aitree.True(flagFacts[0])),
					aitree.UtilitySelector(e, aitree.On("b", branch("b")),
						aitree.On("a", branch("a"))).RememberChoice()))))
			require.NoError(t, err)
			lanes := blackboard.NewLanes(p.Facts)
			b := newManyAgents(p, 1, lanes)
			x := executor.NewExecutor()
			tick := func() { x.Tick(p, &b.Block) }
			weigh(lanes, 0, 0.5, 0.75)
			tick()
			require.Equal(t, []int{1}, p.RunningLeaves(b.Minds[0], nil), "b")
			c.meanwhile(lanes, tick, func() { x.Reset(p, &b.Block) })
			require.Empty(t, p.RunningLeaves(b.Minds[0], nil))
			weigh(lanes, 0, 0.75, 0.625)
			tick()
			assert.Equal(t, map[bool][]int{true: {1}, false: {2}}[c.remembers], p.RunningLeaves(b.Minds[0], nil),
				"b with its inertia, or a")
		})
	}
}

// An evaluator that reads nothing has nothing to remember of it, and a node of it has no state.
func TestAnEvaluatorThatReadsNothingIsNeverScoredAgain(t *testing.T) {
	e, err := utility.Build("e", utility.Choose(utility.NewAction("a")).RescoreBeyond(0))
	require.NoError(t, err)
	p, err := compile("t", nil, aitree.UtilitySelector(e, aitree.On("a", aitree.Leaf("l", stay))))
	require.NoError(t, err)
	b := newManyAgents(p, 0b11, blackboard.NewLanes(p.Facts))
	x := executor.NewExecutor()
	for range 3 {
		x.Tick(p, &b.Block)
	}
	scored, spared := x.Scorings()
	assert.Equal(t, [2]int64{2, 4}, [2]int64{scored, spared})
}

// A reference is asked after once, by conditions and by evaluators together.
func TestWhetherAnEntityIsAliveIsAskedOncePerTick(t *testing.T) {
	e, err := utility.Build("e", utility.Choose(utility.NewAction("a", utility.Consider(whomFact, utility.Linear()))))
	require.NoError(t, err)
	p, err := compile("t", nil, aitree.Sequence(
		aitree.Check(aitree.Alive(whomFact)),
		aitree.UtilitySelector(e, aitree.On("a", aitree.Leaf("l", succeed))),
		aitree.UtilitySelector(e, aitree.On("a", aitree.Leaf("l", succeed))),
	))
	require.NoError(t, err)
	s := newCountingSource(p)
	for lane := range 64 {
		s.SetEntity(whomFact, lane, components.Entity{Index: 1})
	}
	b := newManyAgents(p, 0xff00ff, s)
	x := executor.NewExecutor()
	x.Tick(p, &b.Block)
	assert.Equal(t, b.Mask, x.Succeeded)
	assert.Equal(t, map[string][]uint64{"whom": {b.Mask}}, s.take())
}

// Words of state, held to how many cooldowns fit beside them.
func TestAUtilitySelectorTakesNoMoreStateThanItNeeds(t *testing.T) {
	type definition = *utility.Definition
	same := func(d definition) definition { return d }
	own := utility.NewAction("a", utility.Consider(levelFacts[0], utility.Linear()),
		utility.Consider(flagFacts[0], utility.Linear()))
	backOff := func(n *aitree.Node) *aitree.Node { return n.BackOff(time.Second) }
	ofThings := utility.NewAction("b", utility.Consider(thingFacts[0], utility.Linear())).For(lists[0])
	for name, c := range map[string]struct {
		set     func(definition) definition
		things  bool
		mark    func(*aitree.Node) *aitree.Node
		expects int
	}{
		"nothing":             {same, false, nil, 0},
		"a target":            {same, true, nil, 2},
		"a remembered choice": {same, false, (*aitree.Node).RememberChoice, 1},
		"held until done":     {same, false, (*aitree.Node).HoldUntilDone, 0},
		"a commitment":        {func(d definition) definition { return d.Commit(time.Second) }, false, nil, 2},
		"a remembered commitment": {func(d definition) definition { return d.Commit(time.Second) }, true,
			(*aitree.Node).RememberChoice, 4},
		"a commitment of no time": {func(d definition) definition { return d.Commit(0) }, false, nil, 0},
		"the next best":           {same, true, (*aitree.Node).NextBest, 2},
		"back off":                {same, false, backOff, 1 + 1},
		"back off from targets":   {same, true, backOff, 2 + 1 + 4*3},
		"no back off":             {same, false, func(n *aitree.Node) *aitree.Node { return n.BackOff(0) }, 0},
		"what was read":           {func(d definition) definition { return d.RescoreBeyond(0) }, false, nil, 2},
		"what was read of targets": {func(d definition) definition { return d.RescoreBeyond(0) }, true, nil, 2 + 2 +
			4*3},
		"inertia, and random choice": {func(d definition) definition { return d.Inertia(1).Softmax(1) }, false, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			actions, branches := []*utility.Action{own}, []aitree.Branch{aitree.On("a", aitree.Leaf("l", succeed))}
			if c.things {
				actions, branches = append(actions, ofThings),
					append(branches, aitree.On("b", aitree.Leaf("l", succeed)))
			}
			e, err := utility.Build("e", c.set(utility.Choose(actions...)))
			require.NoError(t, err)
			for more, bytes := range []int{128, 256} {
				n := aitree.UtilitySelector(e, branches...)
				if c.mark != nil {
					n = c.mark(n)
				}
				children := []*aitree.Node{n}
				for range 32 - 2 - c.expects + more { // of the 32 words of a mind of 128 bytes, two are its header
					children = append(children, aitree.Cooldown(time.Second, aitree.Leaf("l", succeed)))
				}
				p, err := compile("t", nil, aitree.Sequence(children...))
				require.NoError(t, err)
				assert.Equal(t, bytes, p.MindBytes())
			}
		})
	}
}

// The choice that is not in force is always the better one, so it is taken as soon as the commitment ends.
func TestACommitmentLastsToTheMicrosecondHoweverLongAMindLiesStill(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := drawDuration(t, "commitment")
		e, err := utility.Build("either", utility.Choose(utility.NewAction("a",
			utility.Consider(levelFacts[0], utility.Linear())),
			utility.NewAction("b", utility.Consider(levelFacts[1],
				utility.Linear()))).Commit(time.Duration(math.Round(seconds*1e9))))
		require.NoError(t, err)
		p, err := compile("t", nil, aitree.UtilitySelector(e, aitree.On("a", aitree.Leaf("a", stay)),
			aitree.On("b", aitree.Leaf("b", stay))))
		require.NoError(t, err)
		lanes := blackboard.NewLanes(p.Facts)
		var mind components.Mind64
		b := &executor.Block{Mask: 1, Facts: lanes}
		b.Minds[0] = mind.Words[:]
		x := executor.NewExecutor()
		now, chosen, until := drawStart(t), 0, int64(0)
		weigh(lanes, 0, 1, 0.5)
		for i := range rapid.IntRange(2, 30).Draw(t, "ticks") {
			if i == 0 || now >= until {
				if until = now + micros(seconds); i > 0 {
					chosen = 1 - chosen
				}
			}
			b.Now = components.Timestamp(now*1000 + rapid.Int64Range(0, 999).Draw(t, "nanoseconds"))
			x.Tick(p, b)
			require.Equal(t, []int{chosen}, p.RunningLeaves(mind.Words[:], nil), "tick %d, at %d µs", i, now)
			if chosen == 0 {
				weigh(lanes, 0, 0.5, 1)
			} else {
				weigh(lanes, 0, 1, 0.5)
			}
			now += drawGap(t, []int64{micros(seconds)}, "gap")
			if now > 280*yearMicros {
				return
			}
		}
	})
}

func TestAChoiceHeldUntilDoneIsExplainedThoughItsTargetIsGone(t *testing.T) {
	p, err := compile("t", nil, aitree.UtilitySelector(nearest(t),
		aitree.On("go", aitree.Leaf("l", stay))).HoldUntilDone())
	require.NoError(t, err)
	lanes := blackboard.NewLanes(p.Facts)
	b := newManyAgents(p, 1, lanes)
	offer(lanes, 0, 0.5, 1)
	x := executor.NewExecutor()
	x.Tick(p, &b.Block)
	offer(lanes, 0, 0.5)
	list := x.Explain(p, &b.Block, 0)
	require.Len(t, list, 1)
	chosen := list[0].Options[list[0].Chosen]
	assert.Equal(t, explain.HeldWithoutScoring, list[0].Reason)
	assert.Equal(t, components.Entity{Index: 101}, chosen.Target)
	assert.Equal(t, list[0].Chosen, list[0].Current)
	assert.Len(t, list[0].Options, 2, "the other target, and the one that is gone")
	x.Tick(p, &b.Block)
	assert.Equal(t, b.Mask, x.Running)
}
