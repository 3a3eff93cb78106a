package aitree_test

import (
	"fmt"
	"math/bits"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/allocs"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/utility"
)

// How much work a tick does: what it asks for, how often, and that it allocates nothing.

// countingSource notes what is asked for, by the name of the fact.
type countingSource struct {
	*blackboard.Lanes
	program *executor.Program
	asked   map[string][]uint64
}

func newCountingSource(p *executor.Program) *countingSource {
	return &countingSource{Lanes: blackboard.NewLanes(p.Facts), program: p, asked: map[string][]uint64{}}
}

func (s *countingSource) note(fact int, mask uint64) {
	name := s.program.Facts[fact].Name()
	s.asked[name] = append(s.asked[name], mask)
}

func (s *countingSource) Floats(fact int, mask uint64, lane *[64]float32) *[64]float32 {
	s.note(fact, mask)
	return s.Lanes.Floats(fact, mask, lane)
}

func (s *countingSource) Ints(fact int, mask uint64, lane *[64]int64) {
	s.note(fact, mask)
	s.Lanes.Ints(fact, mask, lane)
}

func (s *countingSource) FloatsBelow(fact int, mask uint64, bound float32) uint64 {
	s.note(fact, mask)
	return s.Lanes.FloatsBelow(fact, mask, bound)
}

func (s *countingSource) IntsBelow(fact int, mask uint64, bound int64) uint64 {
	s.note(fact, mask)
	return s.Lanes.IntsBelow(fact, mask, bound)
}

func (s *countingSource) Bools(fact int, mask uint64) uint64 {
	s.note(fact, mask)
	return s.Lanes.Bools(fact, mask)
}

func (s *countingSource) Entities(fact int, mask uint64, lane *[64]components.Entity) {
	s.note(fact, mask)
	s.Lanes.Entities(fact, mask, lane)
}

func (s *countingSource) Alive(fact int, mask uint64) uint64 {
	s.note(fact, mask)
	return s.Lanes.Alive(fact, mask)
}

// take returns what was asked for since the last call.
func (s *countingSource) take() map[string][]uint64 {
	asked := s.asked
	s.asked = map[string][]uint64{}
	return asked
}

// manyAgents is a block of agents that have never been ticked.
type manyAgents struct {
	executor.Block
	intents [64]components.Intent
}

func newManyAgents(p *executor.Program, mask uint64, facts blackboard.Source) *manyAgents {
	b := &manyAgents{}
	b.Mask, b.Facts, b.Now = mask, facts, 1e9
	for lane := range 64 {
		b.Entities[lane] = components.Entity{Index: uint32(lane + 1)}
		b.Minds[lane] = make([]uint32, p.MindBytes()/4)
		b.Intents[lane] = &b.intents[lane]
	}
	return b
}

func TestEqualConditionsAreEvaluatedOncePerTick(t *testing.T) {
	calls := map[string][]uint64{}
	predicate := func(name string) *aitree.Condition {
		return aitree.Predicate(name, func(c *blackboard.Context) uint64 {
			calls[name] = append(calls[name], c.Mask)
			return c.Mask
		}).Reads(health)
	}
	odd := predicate("odd")
	low := func() *aitree.Condition { return aitree.Less(health, 0.25) } // made anew each time
	p, err := compile("t", testActions(t), aitree.Sequence(
		aitree.Check(low()), aitree.Check(aitree.Not(aitree.GreaterEqual(health, 0.25))),
		aitree.Check(aitree.Less(health, float32(0.25))), aitree.Check(odd),
		aitree.Guard(low(), aitree.Inverter(aitree.Check(aitree.Not(odd)))),
		aitree.Check(aitree.LessEqual(ammo, 3)), aitree.Check(aitree.Not(aitree.Greater(ammo, int8(3)))),
		aitree.Check(aitree.True(alarm)), aitree.Check(aitree.Not(aitree.Not(aitree.True(alarm)))),
		aitree.Check(aitree.Alive(foe)), aitree.Check(aitree.Alive(foe)),
		aitree.Do("walk").Until(odd),
	))
	require.NoError(t, err)
	s := newCountingSource(p)
	const mask = 0xf0f
	for lane := range 64 {
		s.SetFloat(health, lane, 0.1)
		s.SetInt(ammo, lane, 3)
		s.SetBool(alarm, lane, true)
		s.SetEntity(foe, lane, components.Entity{Index: 4})
	}
	b := newManyAgents(p, mask, s)
	x := executor.NewExecutor()
	x.Tick(p, &b.Block)
	assert.Equal(t, uint64(mask), x.Succeeded)
	assert.Equal(t, map[string][]uint64{"health": {mask}, "ammo": {mask}, "alarm": {mask}, "foe": {mask}}, s.take())
	assert.Equal(t, map[string][]uint64{"odd": {mask}}, calls)

	// And anew in the next tick, with new values.
	for lane := range 4 {
		s.SetFloat(health, lane, 0.5)
	}
	x.Tick(p, &b.Block)
	assert.Equal(t, uint64(0xf00), x.Succeeded)
	assert.Equal(t, []uint64{mask}, s.take()["health"])
}

func TestEqualCombinationsAreEvaluatedOncePerTick(t *testing.T) {
	calls := map[string]int{}
	predicate := func(name string, holds uint64) *aitree.Condition {
		return aitree.Predicate(name, func(c *blackboard.Context) uint64 {
			calls[name] += bits.OnesCount64(c.Mask)
			return holds
		})
	}
	a, b, c := predicate("a", 0b0011), predicate("b", 0b0101), predicate("c", 0b1111)
	p, err := compile("t", testActions(t), aitree.Parallel(aitree.All, aitree.One,
		aitree.Check(aitree.AllOf(a, b, c)),
		// The same in another order, and its negation.
		aitree.ForceSuccess(aitree.Check(aitree.AllOf(c, a, b, a))),
		aitree.ForceSuccess(aitree.Check(aitree.AnyOf(aitree.Not(a), aitree.Not(b), aitree.Not(c)))),
		aitree.Guard(aitree.AllOf(b, c, a), aitree.Do("walk").Until(aitree.AllOf(aitree.Not(aitree.Not(a)), c, b))),
	))
	require.NoError(t, err)
	assert.Len(t, p.Tests, 4, "a, b, c and their combination")
	m := newManyAgents(p, 0b1111, nil)
	x := executor.NewExecutor()
	x.Tick(p, &m.Block)
	assert.Equal(t, uint64(0b0001), x.Succeeded)
	assert.Equal(t, map[string]int{"a": 4, "b": 2, "c": 1}, calls, "each is asked for the agents that are undecided")
}

func TestAnAnyOfAsksNoMoreOfWhomOneHolds(t *testing.T) {
	var asked []uint64
	p, err := compile("t", nil, aitree.Check(aitree.AnyOf(
		aitree.Predicate("a", func(c *blackboard.Context) uint64 { return 0b0110 }),
		aitree.Predicate("b", func(c *blackboard.Context) uint64 { asked = append(asked, c.Mask); return 0b1000 }),
	)))
	require.NoError(t, err)
	m := newManyAgents(p, 0b1111, nil)
	x := executor.NewExecutor()
	x.Tick(p, &m.Block)
	assert.Equal(t, uint64(0b1110), x.Succeeded)
	assert.Equal(t, []uint64{0b1001}, asked)
}

func TestConditionsThatDifferAreNotTakenForEachOther(t *testing.T) {
	other := blackboard.FloatFact("health again", func(v *vitals) *float32 { return &v.Health }, 2)
	one := func() *aitree.Condition {
		return aitree.Predicate("p", func(c *blackboard.Context) uint64 { return c.Mask })
	}
	p, err := compile("t", nil, aitree.Parallel(aitree.All, aitree.All,
		aitree.Check(aitree.Less(health, 0.5)), aitree.Check(aitree.LessEqual(health, 0.5)),
		aitree.Check(aitree.Less(health, 0.25)), aitree.Check(aitree.Equal(health, 0.5)),
		aitree.Check(aitree.Less(other, 0.5)), // another default
		aitree.Check(one()), aitree.Check(one()),
	))
	require.NoError(t, err)
	s := newCountingSource(p)
	s.SetFloat(health, 0, 0.5)
	s.SetFloat(other, 0, 0.4)
	b := newManyAgents(p, 1, s)
	x := executor.NewExecutor()
	x.Tick(p, &b.Block)
	assert.Equal(t, uint64(1), x.Failed, "some hold, some do not")
	assert.Equal(t, map[string][]uint64{"health": {1, 1, 1, 1}, "health again": {1}}, s.take(),
		"each comparison asks; the field with another default is another fact")
}

// Agents that differ ask a predicate and a leaf's facts in parts. No agent is asked about twice.
func TestNoFactIsAskedForTwiceForAnAgent(t *testing.T) {
	var predicate []uint64
	brave := aitree.Predicate("brave", func(c *blackboard.Context) uint64 {
		predicate = append(predicate, c.Mask)
		return 0xaaaaaaaaaaaaaaaa // half of them
	}).Reads(health)
	reader := func(name string) *aitree.Node {
		return aitree.Leaf(name, func(c *blackboard.Context) (uint64, uint64) {
			c.Float(0)
			c.Int(1)
			return 0, c.Mask
		}).Reads(health, ammo)
	}
	p, err := compile("t", nil, aitree.Selector(
		aitree.Sequence(aitree.Check(aitree.True(alarm)), aitree.Check(brave), reader("a")),
		aitree.Sequence(aitree.Check(brave), reader("b")),
		reader("c"),
	))
	require.NoError(t, err)
	s := newCountingSource(p)
	for lane := range 20 {
		s.SetBool(alarm, lane, true)
	}
	b := newManyAgents(p, 1<<40-1, s)
	x := executor.NewExecutor()
	x.Tick(p, &b.Block)
	assert.Equal(t, b.Mask, x.Running)
	assert.Equal(t, []uint64{1<<20 - 1, (1<<20 - 1) << 20}, predicate, "first of the alarmed, then of the others")
	asked := s.take()
	for _, fact := range []string{"health", "ammo"} {
		all := uint64(0)
		for _, mask := range asked[fact] {
			assert.Zero(t, all&mask, "%s of lanes %x is asked for again", fact, all&mask)
			all |= mask
		}
		assert.Equal(t, b.Mask, all, fact)
	}
}

func TestFactsAreGatheredOnlyWhenATickedNodeNeedsThem(t *testing.T) {
	p, err := compile("t", testActions(t), aitree.ReactiveSelector(
		aitree.Guard(aitree.True(alarm), aitree.Sequence(
			aitree.Check(aitree.Less(health, 0.5)),
			aitree.Do("walk", aitree.Target(foe)),
		)),
		aitree.Guard(aitree.Greater(ammo, 0), aitree.Do("aim", aitree.Number(0, health))),
		aitree.Wait(5*time.Second),
	))
	require.NoError(t, err)
	s := newCountingSource(p)
	b := newManyAgents(p, 0b11, s)
	x := executor.NewExecutor()
	tick := func() map[string][]uint64 {
		b.Now += 1e6
		x.Tick(p, &b.Block)
		return s.take()
	}
	assert.Equal(t, map[string][]uint64{"alarm": {0b11}, "ammo": {0b11}}, tick(), "no one gets past the guards")
	s.SetInt(ammo, 1, 1)
	assert.Equal(t, map[string][]uint64{"alarm": {0b11}, "ammo": {0b11}, "health": {0b10}}, tick(),
		"bound by the agent that aims")
	assert.Equal(t, map[string][]uint64{"alarm": {0b11}, "ammo": {0b11}, "health": {0b10}}, tick(), "and followed")
	s.SetBool(alarm, 0, true)
	s.SetBool(alarm, 1, true)
	s.SetFloat(health, 0, 0.25)
	s.SetFloat(health, 1, 0.25)
	assert.Equal(t, map[string][]uint64{"alarm": {0b11}, "health": {0b11}, "foe": {0b11}}, tick(),
		"the first guard takes both")
	assert.Equal(t, map[string][]uint64{"alarm": {0b11}, "foe": {0b11}}, tick(),
		"the Sequence remembers that it passed the check")
}

func TestTickAllocatesNothing(t *testing.T) {
	actions := testActions(t)
	lot := func(c *blackboard.Context, lane int) uint64 {
		h := uint64(c.Entities[lane].Index)*0x9e3779b97f4a7c15 ^ uint64(c.Now)*0xd1342543de82ef95
		return h ^ h>>29
	}
	leaf := func(name string) *aitree.Node {
		return aitree.AgentLeaf(name, func(a aitree.Agent) aitree.Status {
			a.State()[0] += uint32(a.Int(0)) + uint32(a.EntityFact(1).Index)
			return aitree.Status(lot(a.Context(), a.Lane) % 3)
		}).Reads(ammo, foe).Keeps(2).OnEnter(func(components.Entity) {})
	}
	some := aitree.Predicate("some", func(c *blackboard.Context) (holds uint64) {
		for lane := range 64 {
			holds |= lot(c, lane) >> 7 & 1 << lane
		}
		return holds
	})
	p, err := compile("t", actions, aitree.ReactiveSelector(
		aitree.Guard(some, aitree.Parallel(aitree.AtLeast(2), aitree.One,
			aitree.RandomSequence(leaf("a"), aitree.Wait(10*time.Millisecond), leaf("b")),
			aitree.Retry(3, aitree.Timeout(50*time.Millisecond, leaf("c"))),
			aitree.Do("walk", aitree.Target(foe), aitree.Number(0, health)).Until(aitree.Less(hurt, time.Second)).
				For(40*time.Millisecond),
			aitree.RoundRobin(aitree.WaitFact(health), leaf("h"), aitree.Fail(), aitree.Succeed()),
			aitree.Recovery(3, leaf("i"), aitree.Every(30*time.Millisecond, leaf("j"))),
			aitree.Timeout(20*time.Millisecond, aitree.Run()),
			aitree.Check(aitree.AnyOf(aitree.Chance(health), aitree.AllOf(some, aitree.Greater(ammo, 3)))),
		).Latched()),
		aitree.RandomSelector(aitree.Cooldown(100*time.Millisecond, leaf("d")).ClearedByAbort(),
			aitree.UntilFailure(leaf("e")), aitree.Inverter(leaf("f"))),
		aitree.WeightedChoice(
			aitree.Weight(1, aitree.Repeat(2, leaf("g"))),
			aitree.Weight(2, aitree.Sequence(aitree.Fire("bang", aitree.Target(foe)),
				aitree.WaitBetween(10*time.Millisecond, 100*time.Millisecond),
				aitree.Do("aim", aitree.Number(1, health)))),
		),
	))
	require.NoError(t, err)
	for _, every := range []bool{false, true} {
		t.Run(fmt.Sprint("every leaf reports ", every), func(t *testing.T) {
			lanes := blackboard.NewLanes(p.Facts)
			b := newManyAgents(p, 0xffffffff0fffffff, lanes)
			x := executor.NewExecutor()
			x.EveryLeaf = every
			transitions := 0
			tick := func() {
				b.Now += 16_666_667
				for lane := range 64 {
					lanes.SetTime(hurt, lane, b.Now-components.Timestamp(b.Now/7%2e9))
					lanes.SetFloat(health, lane, float32(lane)/2000)
					b.intents[lane].Orders[lane%2].Outcome = components.Outcome(b.Now / 16_666_667 % 3)
				}
				x.Tick(p, &b.Block)
				transitions += x.Transitions
			}
			for range 200 {
				tick()
			}
			allocs.None(t, 300, tick)
			assert.Greater(t, transitions, 5000)
			allocs.None(t, 10, func() { x.Reset(p, &b.Block) })
			tick()
			running := make([]int, 0, len(p.Leaves))
			allocs.None(t, 10, func() { running = p.RunningLeaves(b.Minds[3], running[:0]) })
			assert.NotEmpty(t, running)
		})
	}
}

func TestTickWithUtilitySelectorsAllocatesNothing(t *testing.T) {
	level := func(i int) *utility.Consideration {
		return utility.Consider(levelFacts[i], utility.Logistic(8, 0.5)).Range(0, 1)
	}
	near := utility.Consider(thingFacts[0], utility.Linear().Inverted())
	fill := func(c *blackboard.Context, lane *[64]float32) { *lane = *c.Float(0) }
	custom := utility.NewInput("custom", fill).Reads(levelFacts[2])
	build := func(name string, d *utility.Definition) *utility.Evaluator {
		e, err := utility.Build(name, d)
		require.NoError(t, err)
		return e
	}
	what := build("what", utility.Choose(
		utility.NewAction("go", near, utility.Consider(thingFacts[3], utility.Linear()).Weight(0.5)).For(lists[0]),
		utility.NewAction("rest", level(0), utility.ConsiderCondition(aitree.AnyOf(
			aitree.Chance(levelFacts[3]), aitree.True(flagFacts[0])))),
		utility.NewAction("look", utility.ConsiderInput(custom, utility.Bell(0.5, 0.25)),
			utility.Consider(whomFact, utility.Linear())),
	).Inertia(0.125).Commit(250*time.Millisecond).RescoreBeyond(0.125))
	how := build("how", utility.Choose(utility.NewAction("a", level(1)),
		utility.NewAction("b", near).For(lists[1])).Softmax(0.25))
	p, err := compile("t", testActions(t), aitree.Repeat(0, aitree.ForceSuccess(aitree.Parallel(aitree.One, aitree.All,
		aitree.UtilitySelector(what,
			aitree.On("go", aitree.Do("walk", aitree.ChosenTarget(), aitree.Number(0, levelFacts[0]))),
			aitree.On("rest", aitree.Sequence(aitree.Fire("bang"), aitree.Wait(500*time.Millisecond))),
			aitree.On("look", aitree.Timeout(time.Second, aitree.Leaf("look", stay))),
		).RememberChoice().NextBest().BackOff(200*time.Millisecond),
		aitree.RandomSelector(
			aitree.UtilitySelector(how, aitree.On("a", patient()),
				aitree.On("b", aitree.Do("aim", aitree.ChosenTarget()))),
			aitree.UtilitySelector(how,
				aitree.On("a", aitree.Wait(250*time.Millisecond)),
				aitree.On("b", aitree.UtilitySelector(how, aitree.On("a", patient()), aitree.On("b", patient()))),
			).HoldUntilDone(),
		),
	))))
	require.NoError(t, err)
	lanes := blackboard.NewLanes(p.Facts)
	setters := settersOf(p)
	b := newManyAgents(p, 0xffffffff0fffffff, lanes)
	var wanted [64]*utilityFacts
	for lane := range wanted {
		wanted[lane] = newUtilityFacts(uint64(lane))
		for _, s := range setters { // to walk allocates, so an agent goes on with another's facts
			s.set(lanes, lane, wanted[lane])
		}
	}
	x := executor.NewExecutor()
	frame := 0
	tick := func() {
		b.Now += 50e6
		frame++
		for lane := range 64 {
			for i, s := range setters {
				if (i+lane+frame)%5 == 0 {
					s.set(lanes, lane, wanted[(lane+frame)%64])
				}
			}
			b.intents[lane].Orders[lane%2].Outcome = components.Outcome((frame + lane) % 3)
		}
		x.Tick(p, &b.Block)
	}
	for range 200 {
		tick()
	}
	before, _ := x.Scorings()
	x.Switches, x.Failures = 0, 0
	allocs.None(t, 300, tick)
	scored, spared := x.Scorings()
	assert.Greater(t, scored-before, int64(20000))
	assert.Positive(t, spared)
	assert.Greater(t, x.Switches, int64(2000))
	assert.Greater(t, x.Failures, int64(200))
}
