package aitree_test

import (
	"fmt"
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

const second = components.Timestamp(1e9)

func fails(c *blackboard.Context) (uint64, uint64) { return 0, 0 }

// wolf is a block of one wolf, that howls (0.9), under a cooldown of 10 seconds, or roams (0.5).
func wolf(t *testing.T, option func(*aitree.Node) *aitree.Node) *aitree.Block {
	t.Helper()
	mood, err := utility.Build("mood", utility.Choose(utility.NewAction("howl").Weight(0.9),
		utility.NewAction("roam").Weight(0.5)))
	require.NoError(t, err)
	actions := testActions(t)
	p, err := aitree.Build("wolf", actions, option(aitree.UtilitySelector(mood,
		aitree.On("howl", aitree.Cooldown(10*time.Second, aitree.Fire("bang"))),
		aitree.On("roam", aitree.Do("walk")))))
	require.NoError(t, err)
	return aitree.NewBlock(p, 1)
}

func same(n *aitree.Node) *aitree.Node { return n }

// howls ticks a wolf ten times a second from 0.1 to 9.9 s, after it howled at 0. It returns the postings of its order
// to roam, and when it howled.
func howls(t *testing.T, b *aitree.Block) (postings int, roamed bool) {
	t.Helper()
	b.Tick(0)
	require.Len(t, b.Triggers(0), 1, "it howls")
	for i := range components.Timestamp(99) {
		b.Tick((i + 1) * second / 10)
		require.Empty(t, b.Triggers(0))
		if i == 0 {
			roamed = b.Order(0, components.Move).Action != 0
		}
	}
	postings = int(b.Order(0, components.Move).Serial)
	b.Tick(10 * second)
	assert.Len(t, b.Triggers(0), 1, "it howls again after the cooldown")
	return postings, roamed
}

func TestAChoiceThatCannotActIsFollowedByTheNextBestInTheSameTick(t *testing.T) {
	postings, roamed := howls(t, wolf(t, same))
	assert.False(t, roamed, "without an option it stands still")
	assert.Zero(t, postings)

	postings, roamed = howls(t, wolf(t, (*aitree.Node).NextBest))
	assert.True(t, roamed, "at once")
	assert.Equal(t, 99, postings, "howling is tried on every tick, for which roaming is reset")

	b := wolf(t, func(n *aitree.Node) *aitree.Node { return n.NextBest().BackOff(9900 * time.Millisecond) })
	postings, roamed = howls(t, b)
	assert.True(t, roamed, "at once")
	assert.Equal(t, 1, postings, "howling is out from 0.1 s to 10 s, so nothing interrupts it")
}

// Of three equal actions that all fail, an agent draws two in turn, and the second does not follow from the first: each
// of the six orders is as likely as the others.
func TestTheNextBestIsDrawnAnew(t *testing.T) {
	e, err := utility.Build("e", utility.Choose(utility.NewAction("a"), utility.NewAction("b"),
		utility.NewAction("c")).WeightedRandom())
	require.NoError(t, err)
	tried := map[uint32]string{}
	branch := func(name string) aitree.Branch {
		return aitree.On(name, aitree.AgentLeaf(name, func(a aitree.Agent) aitree.Status {
			tried[a.Entity().Index] += name
			return aitree.Failure
		}))
	}
	p, err := aitree.Build("t", nil, aitree.UtilitySelector(e, branch("a"), branch("b"), branch("c")).NextBest())
	require.NoError(t, err)
	b := aitree.NewBlock(p, 64)
	counts := map[string]int{}
	const ticks = 20
	for tick := range components.Timestamp(ticks) {
		clear(tried)
		b.Tick(tick * second)
		for _, order := range tried {
			counts[order]++
		}
	}
	require.Len(t, counts, 6)
	for order, n := range counts {
		assert.InDelta(t, 64*ticks/6.0, n, 60, order) // a deviation is 13
	}
}

func TestOnlyTheLanesThatFailedAreScoredAgain(t *testing.T) {
	e := either(t, func(d *utility.Definition) *utility.Definition { return d })
	p, err := compile("t", nil, aitree.UtilitySelector(e,
		aitree.On("a", aitree.Sequence(aitree.Check(aitree.True(flagFacts[0])), aitree.Leaf("a", stay))),
		aitree.On("b", aitree.Leaf("b", stay))).NextBest())
	require.NoError(t, err)
	lanes := blackboard.NewLanes(p.Facts)
	for lane := range 64 {
		weigh(lanes, lane, 1, 0.5)
		lanes.SetBool(flagFacts[0], lane, lane != 5 && lane != 17 && lane != 60)
	}
	b := newManyAgents(p, ^uint64(0), lanes)
	x := executor.NewExecutor()
	x.Tick(p, &b.Block)
	scored, _ := x.Scorings()
	assert.Equal(t, int64(64+3), scored)
	assert.Equal(t, int64(3), x.Failures)
	for lane := range 64 {
		want := []int{0}
		if lane == 5 || lane == 17 || lane == 60 {
			want = []int{1}
		}
		assert.Equal(t, want, p.RunningLeaves(b.Minds[lane], nil), "lane %d", lane)
	}
}

// The first branch waits a second and fails at 1 s, which is noticed at 1.5 s. The second waits two more.
func TestTheNextBestBeginsAtTheInstantOfTheFailure(t *testing.T) {
	for _, c := range []struct {
		at   components.Timestamp
		done bool
	}{{3*second - 1000, false}, {3 * second, true}} {
		e := either(t, func(d *utility.Definition) *utility.Definition { return d })
		p, err := aitree.Build("t", nil, aitree.UtilitySelector(e,
			aitree.On("a", aitree.ForceFailure(aitree.Wait(time.Second))),
			aitree.On("b", aitree.Wait(2*time.Second))).NextBest())
		require.NoError(t, err)
		b := aitree.NewBlock(p, 1)
		weigh(b.Facts, 0, 1, 0.5)
		b.Tick(0)
		b.Tick(second * 3 / 2)
		require.NotZero(t, b.Running())
		weigh(b.Facts, 0, 0.25, 0.5)
		b.Tick(c.at)
		assert.Equal(t, c.done, b.Succeeded() != 0, "at %d", c.at)
	}
}

// A pair is an action and a target, so the next best of an action that failed may be the action with another target. To
// hooks the leaf has run on, and the order is posted anew.
func TestTheNextBestOfATargetIsTheNextTarget(t *testing.T) {
	p, err := compile("t", testActions(t), aitree.UtilitySelector(nearest(t),
		aitree.On("go", aitree.Do("walk", aitree.ChosenTarget()))).NextBest())
	require.NoError(t, err)
	lanes := blackboard.NewLanes(p.Facts)
	b := newManyAgents(p, 1, lanes)
	offer(lanes, 0, 0.25, 1, 0.5)
	x := executor.NewExecutor()
	x.EveryLeaf = true
	x.Tick(p, &b.Block)
	order := &b.Intents[0].Orders[components.Move]
	require.Equal(t, components.Entity{Index: 101}, order.Target)
	for _, target := range []uint32{102, 101, 102} { // each fails in turn, and is the best again after the other failed
		serial := order.Serial
		order.Outcome = components.Failed
		x.Tick(p, &b.Block)
		assert.Equal(t, b.Mask, x.Running)
		assert.Equal(t, components.Entity{Index: target}, order.Target)
		assert.Equal(t, serial+1, order.Serial)
		assert.Equal(t, components.Pending, order.Outcome)
		assert.Empty(t, x.Events)
	}
}

// What a leaf returned last is how it exits, when it was ticked twice in a tick.
func TestALeafThatWasTickedForTwoTargetsExitsAsItEndedLast(t *testing.T) {
	for name, c := range map[string]struct {
		second  aitree.Status
		expects []executor.Event
	}{
		"failure": {aitree.Failure, []executor.Event{{Kind: executor.ExitFailure}}},
		"success": {aitree.Success, []executor.Event{{Kind: executor.ExitSuccess}}},
		"running": {aitree.Running, nil},
	} {
		t.Run(name, func(t *testing.T) {
			results := []aitree.Status{aitree.Running, aitree.Success, c.second}
			ticks := 0
			p, err := compile("t", nil, aitree.UtilitySelector(nearest(t), aitree.On("go", aitree.Sequence(
				aitree.AgentLeaf("l", func(a aitree.Agent) aitree.Status {
					ticks++
					assert.Equal(t, ticks != 2, a.Entering())
					return results[ticks-1]
				}),
				aitree.Check(aitree.True(flagFacts[0])), // does not hold
			))).NextBest())
			require.NoError(t, err)
			lanes := blackboard.NewLanes(p.Facts)
			b := newManyAgents(p, 1, lanes)
			offer(lanes, 0, 1, 0.5)
			x := executor.NewExecutor()
			x.EveryLeaf = true
			x.Tick(p, &b.Block)
			x.Tick(p, &b.Block)
			assert.Equal(t, 3, ticks)
			assert.Equal(t, len(c.expects), len(x.Events))
			if c.expects != nil {
				assert.Equal(t, c.expects, x.Events)
			}
		})
	}
}

// ABranchOfAParallel keeps its result in a latched Parallel, until the Parallel begins anew for the next target.
func TestALatchedParallelBeginsAnewForTheNextTarget(t *testing.T) {
	ticks := 0
	p, err := compile("t", nil, aitree.UtilitySelector(nearest(t), aitree.On("go",
		aitree.Parallel(aitree.All, aitree.One,
			aitree.AgentLeaf("once", func(aitree.Agent) aitree.Status { ticks++; return aitree.Success }),
			aitree.AgentLeaf("later", func(a aitree.Agent) aitree.Status {
				if a.Entering() {
					return aitree.Running
				}
				return aitree.Failure
			}),
		).Latched())).NextBest())
	require.NoError(t, err)
	lanes := blackboard.NewLanes(p.Facts)
	b := newManyAgents(p, 1, lanes)
	offer(lanes, 0, 1, 0.5)
	x := executor.NewExecutor()
	x.Tick(p, &b.Block)
	require.Equal(t, 1, ticks)
	x.Tick(p, &b.Block)
	assert.Equal(t, b.Mask, x.Running, "for the second target")
	assert.Equal(t, 2, ticks)
}

// backingOff is a block of one agent that tries "a", which fails, and "b", which runs, and backs off for two seconds. A
// flag guards the node, and "a" succeeds while another flag is set.
func backingOff(t *testing.T, more func(*utility.Definition) *utility.Definition) *aitree.Block {
	t.Helper()
	p, err := aitree.Build("t", nil, aitree.Guard(aitree.Not(aitree.True(flagFacts[1])),
		aitree.UtilitySelector(either(t, more),
			aitree.On("a", aitree.Check(aitree.True(flagFacts[0]))),
			aitree.On("b", aitree.Wait(time.Minute))).BackOff(2*time.Second)))
	require.NoError(t, err)
	b := aitree.NewBlock(p, 1)
	weigh(b.Facts, 0, 1, 0.5)
	return b
}

func TestWhatFailedIsNotChosenAgainForATime(t *testing.T) {
	b := backingOff(t, same2)
	b.Tick(second)
	require.NotZero(t, b.Failed(), "without next best the node fails")
	for _, c := range []struct {
		at   components.Timestamp
		runs bool
	}{{second, true}, {2 * second, true}, {3*second - 1000, true}, {3 * second, false}, {3*second + 1000, true}} {
		b.Tick(c.at)
		assert.Equal(t, c.runs, b.Running() != 0, "at %v", time.Duration(c.at))
	}
}

func same2(d *utility.Definition) *utility.Definition { return d }

// An abort of the node, its completion and another choice do not end a back off; a reset of the agent does.
func TestABackOffEndsWithItsTimeOrTheAgent(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(*aitree.Block)
		runs      bool // "b", since "a" is out
	}{
		"an abort": {func(b *aitree.Block) {
			b.Tick(second)
			b.Facts.SetBool(flagFacts[1], 0, true)
			b.Tick(second)
			b.Facts.SetBool(flagFacts[1], 0, false)
		}, true},
		"nothing to choose": {func(b *aitree.Block) {
			weigh(b.Facts, 0, 1, 0)
			b.Tick(second)
			weigh(b.Facts, 0, 1, 0.5)
		}, true},
		"a reset": {func(b *aitree.Block) { b.Reset(0) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := backingOff(t, same2)
			b.Tick(0)
			c.meanwhile(b)
			b.Tick(2*second - 1000)
			assert.Equal(t, c.runs, b.Running() != 0)
		})
	}
}

func TestSuccessAndAbortsStartNoBackOff(t *testing.T) {
	b := backingOff(t, same2)
	b.Facts.SetBool(flagFacts[0], 0, true)
	for i := range components.Timestamp(3) {
		b.Tick(i)
		assert.NotZero(t, b.Succeeded(), `"a" succeeds and is chosen again`)
	}
	weigh(b.Facts, 0, 0.25, 0.5)
	b.Tick(3)
	require.NotZero(t, b.Running(), `"b"`)
	weigh(b.Facts, 0, 1, 0.5)
	b.Tick(4)
	require.NotZero(t, b.Succeeded(), `"b" is aborted for "a"`)
	weigh(b.Facts, 0, 0.25, 0.5)
	b.Tick(5)
	assert.NotZero(t, b.Running(), `"b" can be chosen`)
}

// What a back off suppressed gets its turn although no fact has changed since the last scoring.
func TestTheEndOfABackOffIsAReasonToScore(t *testing.T) {
	b := backingOff(t, func(d *utility.Definition) *utility.Definition { return d.RescoreBeyond(0.25) })
	b.Tick(0)
	b.Tick(0)
	require.NotZero(t, b.Running())
	b.Tick(2*second - 1000)
	require.NotZero(t, b.Running())
	b.Tick(2 * second)
	assert.NotZero(t, b.Failed(), `"a" was tried`)
}

// Five targets fail in one tick, the best first. All end at one time, so the place of the first is taken by the last.
func TestTheLastFourFailuresAreRemembered(t *testing.T) {
	e, err := utility.Build("nearest", utility.Choose(
		utility.NewAction("go", utility.Consider(thingFacts[1], utility.Linear())).For(lists[1])))
	require.NoError(t, err)
	var tried []uint32
	p, err := compile("t", nil, aitree.UtilitySelector(e, aitree.On("go",
		aitree.AgentLeaf("l", func(a aitree.Agent) aitree.Status {
			tried = append(tried, uint32(a.Now()))
			return aitree.Failure
		}))).NextBest().BackOff(time.Minute))
	require.NoError(t, err)
	lanes := blackboard.NewLanes(p.Facts)
	lanes.SetInt(lists[1].Count(), 0, 5)
	for i := range 5 {
		lanes.SetEntity(lists[1].Entity(i), 0, components.Entity{Index: uint32(100 + i)})
		lanes.SetFloat(lists[1].Field(i, thingFacts[1]), 0, float32(5-i)/8)
	}
	b := newManyAgents(p, 1, lanes)
	x := executor.NewExecutor()
	x.Tick(p, &b.Block)
	assert.Len(t, tried, 5, "each once")
	assert.Equal(t, b.Mask, x.Failed)
	x.Tick(p, &b.Block)
	assert.Len(t, tried, 6, "the one that was forgotten")
	x.Tick(p, &b.Block)
	assert.Len(t, tried, 7, "and the one that had to make room for it")
	list := x.Explain(p, &b.Block, 0)
	require.Len(t, list, 1)
	out := ""
	for _, o := range list[0].Options {
		out += fmt.Sprint(o.Target.Index, o.Failed, o.Out, " ")
	}
	assert.Equal(t, "100 false 0s 101 true 1m0s 102 true 1m0s 103 true 1m0s 104 true 1m0s ", out)
}

func TestAnExplanationNamesTheFailure(t *testing.T) {
	b := wolf(t, func(n *aitree.Node) *aitree.Node { return n.NextBest().BackOff(8 * time.Second) })
	b.Tick(0)
	b.Tick(second / 2)
	b.Tick(second)
	x := b.Explain(0).Choices()[0]
	assert.Equal(t, explain.Best, x.Reason)
	assert.Equal(t, "mood: best score: roam\n"+
		"  howl                     score 0.9000, failed, out for 7.5 s\n"+
		"> roam                     score 0.5000, in force\n", x.String())

	b = backingOff(t, same2)
	b.Tick(0)
	weigh(b.Facts, 0, 1, 0)
	x = b.Explain(0).Choices()[0]
	assert.Equal(t, explain.NoneLeft, x.Reason)
	assert.Negative(t, x.Chosen)
	weigh(b.Facts, 0, 0, 0) // what has failed could not be chosen anyway
	x = b.Explain(0).Choices()[0]
	assert.Equal(t, explain.NoneAboveZero, x.Reason)
	assert.Negative(t, x.Chosen)
}

// The better action always fails, so it is tried again as soon as the back off ends.
func TestABackOffLastsToTheMicrosecondHoweverLongAMindLiesStill(t *testing.T) {
	e := either(t, same2)
	rapid.Check(t, func(t *rapid.T) {
		seconds := drawDuration(t, "back off")
		p, err := compile("t", nil, aitree.UtilitySelector(e, aitree.On("a", aitree.Leaf("a", fails)),
			aitree.On("b", aitree.Leaf("b", stay))).BackOff(time.Duration(math.Round(seconds*1e9))))
		require.NoError(t, err)
		lanes := blackboard.NewLanes(p.Facts)
		weigh(lanes, 0, 1, 0.5)
		var mind components.Mind64
		b := &executor.Block{Mask: 1, Facts: lanes}
		b.Minds[0] = mind.Words[:]
		x := executor.NewExecutor()
		now, out := drawStart(t), int64(0)
		for i := range rapid.IntRange(2, 30).Draw(t, "ticks") {
			b.Now = components.Timestamp(now*1000 + rapid.Int64Range(0, 999).Draw(t, "nanoseconds"))
			x.Tick(p, b)
			require.Equal(t, now >= out, x.Failed != 0, "tick %d, at %d µs, out until %d", i, now, out)
			if now >= out {
				out = now + micros(seconds)
			}
			now += drawGap(t, []int64{micros(seconds)}, "gap")
			if now > 280*yearMicros {
				return
			}
		}
	})
}

func TestTheOptionsAboutFailureBelongToAUtilitySelector(t *testing.T) {
	_, err := compile("t", nil, aitree.Wait(time.Second).NextBest())
	assert.ErrorContains(t, err, "NextBest has no meaning for Wait; it belongs to [UtilitySelector]")
	_, err = compile("t", nil, aitree.Wait(time.Second).BackOff(time.Second))
	assert.ErrorContains(t, err, "BackOff has no meaning for Wait; it belongs to [UtilitySelector]")
	e := either(t, same2)
	for d, fault := range map[time.Duration]string{-1: "a duration of -1ns; use 0 or more", time.Hour: "the limit is"} {
		_, err = compile("t", nil, aitree.UtilitySelector(e, aitree.On("a", aitree.Wait(0)),
			aitree.On("b", aitree.Wait(0))).BackOff(d))
		assert.ErrorContains(t, err, fault)
	}
}

// The shortest back off: the same microsecond, to its last nanosecond, and the next.
func TestABackOffOfAMicrosecondIsOne(t *testing.T) {
	e := either(t, same2)
	p, err := aitree.Build("t", testActions(t), aitree.UtilitySelector(e, aitree.On("a", aitree.Fail()),
		aitree.On("b", aitree.Sequence(aitree.Fire("bang"), aitree.Succeed()))).BackOff(time.Microsecond))
	require.NoError(t, err)
	b := aitree.NewBlock(p, 1)
	weigh(b.Facts, 0, 1, 0.5)
	for _, tick := range []struct {
		at    components.Timestamp
		other bool
	}{{5000, false}, {5000, true}, {5999, true}, {6000, false}, {6000, true}, {7000, false}} {
		b.Tick(tick.at)
		assert.Equal(t, tick.other, b.Succeeded() == 1, "at %d ns", tick.at)
	}
}
