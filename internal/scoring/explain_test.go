package scoring_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/scoring"
	"github.com/flockwork-ai/flockwork/utility"
	"github.com/flockwork-ai/flockwork/utility/explain"
)

// option returns the option of an action that is scored for no target.
func option(t *testing.T, x *explain.Choice, action string) *explain.Option {
	t.Helper()
	for i := range x.Options {
		if x.Options[i].Action == action {
			return &x.Options[i]
		}
	}
	require.Fail(t, "no option "+action)
	return nil
}

// chosen returns the names of the choice, the runner-up and the choice in force.
func chosen(x *explain.Choice) (names [3]string) {
	for i, k := range []int{x.Chosen, x.RunnerUp, x.Current} {
		if k >= 0 {
			names[i] = x.Options[k].Action
		}
	}
	return names
}

func TestExplainShowsWhatEachConsiderationMakesOfItsInput(t *testing.T) {
	l := newSolo(t, utility.Choose(utility.NewAction("eat",
		utility.Consider(slotFact(0), utility.Quadratic()).Range(0, 100).Weight(3).Named("hunger"),
		utility.Consider(slotFact(1), utility.Linear().Inverted()).Gate()).Weight(2)).Combine(utility.WeightedSum))
	x := l.see(50, 0.25).explain()
	assert.Equal(t, &explain.Choice{
		Evaluator: "lone", Chosen: 0, RunnerUp: -1, Current: -1, Reason: explain.Best,
		Options: []explain.Option{{
			Action: "eat", Combined: 0.375, Score: 0.75, Probability: 1,
			Considerations: []explain.Consideration{
				{Name: "hunger", Raw: 50, Normalised: 0.5, Output: 0.25, Weight: 3},
				{Name: "x1", Raw: 0.25, Normalised: 0.25, Output: 0.75, Weight: 1, Gate: true},
			},
		}},
	}, x)
	// A weight of nothing hides nothing.
	l = newSolo(t, utility.Choose(utility.NewAction("eat", linear(1)...).Weight(0),
		utility.NewAction("idle").Weight(0.5)))
	o := option(t, l.see(0.5).explain(), "eat")
	assert.EqualValues(t, 0.5, o.Combined)
	assert.Zero(t, o.Score)
	assert.EqualValues(t, 1, option(t, l.explain(), "idle").Combined)
}

func TestExplainSaysVetoedAndBelowTheMinimumAndOutranked(t *testing.T) {
	l := newSolo(t, utility.Choose(
		utility.NewAction("vetoed", utility.Consider(slotFact(0), utility.Linear()).Gate()).Weight(9),
		utility.NewAction("weak", linear(2)[1]),
		utility.NewAction("base", linear(3)[2]).Rank(-1),
		utility.NewAction("good", linear(3)[2]),
		utility.NewAction("next", linear(3)[2]).Weight(0.875),
	).Minimum(0.25))
	x := l.see(0, 0.125, 0.5).explain()
	for action, want := range map[string][3]bool{
		"vetoed": {true, true, false}, "weak": {false, true, false}, "base": {false, false,
			true}, "good": {}, "next": {},
	} {
		o := option(t, x, action)
		assert.Equal(t, want, [3]bool{o.Vetoed, o.BelowMinimum, o.Outranked}, action)
	}
	assert.Equal(t, [3]string{"good", "next", ""}, chosen(x))
	assert.Equal(t, explain.Best, x.Reason)
	assert.EqualValues(t, 0.5, option(t, x, "base").Score, "scored for the explanation")
	assert.Equal(t, -1, option(t, x, "base").Rank)

	// When nothing can be chosen, nothing is outranked.
	x = l.see(0, 0, 0).explain()
	assert.Equal(t, [3]string{}, chosen(x))
	assert.Equal(t, explain.NoneAboveZero, x.Reason)
	for i := range x.Options {
		assert.False(t, x.Options[i].Outranked)
		assert.Zero(t, x.Options[i].Probability)
	}
}

func TestExplainSaysWhatTheDecisionDidNotNeed(t *testing.T) {
	gate := utility.Consider(slotFact(0), utility.Linear()).Gate()
	l := newSolo(t, utility.Choose(
		utility.NewAction("heavy", linear(2)[1]).Weight(2),
		utility.NewAction("light", linear(3)[2]),
		utility.NewAction("barred", gate, linear(4)[3]).Weight(3)))
	x := l.see(0, 0.75, 1, 1).explain()
	assert.False(t, option(t, x, "heavy").Skipped)
	assert.True(t, option(t, x, "light").Skipped, "1.5 is more than it can have")
	assert.EqualValues(t, 1, option(t, x, "light").Score)
	barred := option(t, x, "barred")
	assert.True(t, barred.Skipped)
	assert.Equal(t, []bool{false, true}, []bool{barred.Considerations[0].Skipped, barred.Considerations[1].Skipped},
		"after the gate")
	assert.Equal(t, [3]string{"heavy", "light", ""}, chosen(x))
}

func TestExplainSaysHeldByInertiaOnlyWhenTheBonusDecided(t *testing.T) {
	l := newSolo(t, utility.Choose(utility.NewAction("a", linear(1)[0]),
		utility.NewAction("b", linear(2)[1])).Inertia(0.125))
	l.see(0.5, 0.25).tick()
	x := l.see(0.5, 0.5625).explain()
	assert.Equal(t, explain.HeldByInertia, x.Reason)
	assert.Equal(t, [3]string{"a", "b", "a"}, chosen(x))
	assert.EqualValues(t, 0.125, x.Options[0].Bonus)
	assert.Zero(t, x.Options[1].Bonus)
	x = l.see(0.5, 0.5).explain()
	assert.Equal(t, explain.Best, x.Reason, "of equals it is the first without a bonus")
	x = l.see(0.5, 0.75).explain()
	assert.Equal(t, explain.Best, x.Reason)
	assert.Equal(t, [3]string{"b", "a", "a"}, chosen(x))
	x = l.see(0, 0.75).explain()
	assert.Zero(t, x.Options[0].Bonus, "a score of 0 has none")
	assert.Equal(t, [3]string{"b", "", "a"}, chosen(x))
}

// A bonus counts only within the rank that wins.
func TestExplainShowsNoBonusWhereItDoesNotCount(t *testing.T) {
	l := newSolo(t, utility.Choose(utility.NewAction("a", linear(1)[0]),
		utility.NewAction("b", linear(2)[1]).Rank(1)).Inertia(0.125))
	l.see(0.5, 0).tick()
	x := l.see(0.5, 0.25).explain()
	assert.Equal(t, [3]string{"b", "", "a"}, chosen(x))
	assert.Zero(t, x.Options[0].Bonus)
	l = newSolo(t, utility.Choose(utility.NewAction("a", linear(1)[0]),
		utility.NewAction("b", linear(2)[1])).Inertia(0.125).Minimum(0.25))
	l.see(0.5, 0).tick()
	x = l.see(0.1875, 0).explain()
	assert.Equal(t, [3]string{"", "", "a"}, chosen(x))
	assert.Zero(t, x.Options[0].Bonus)
}

func TestExplainSaysHeldByCommitmentWhileItLasts(t *testing.T) {
	l := newSolo(t, utility.Choose(utility.NewAction("a", linear(1)[0]),
		utility.NewAction("b", linear(2)[1])).Commit(250*time.Millisecond))
	l.see(0.5, 0.25).tick()
	l.block.Now += 200e6
	x := l.see(0.25, 1).explain()
	assert.Equal(t, explain.HeldByCommitment, x.Reason)
	assert.Equal(t, [3]string{"a", "b", "a"}, chosen(x))
	assert.EqualValues(t, 1, x.Options[0].Probability)
	assert.True(t, x.Options[1].Skipped)
	assert.Equal(t, explain.Best, l.see(0, 1).explain().Reason, "a score of 0 breaks it")
	l.block.Now += 50e6
	x = l.see(0.25, 1).explain()
	assert.Equal(t, explain.Best, x.Reason)
	assert.Equal(t, [3]string{"b", "a", "a"}, chosen(x))
	assert.True(t, l.choice.Committed, "and the choice is left as it is")
}

// Softmax can draw what scores 0, so what is in force can come up again although its commitment is broken.
func TestExplainDoesNotTakeADrawForACommitment(t *testing.T) {
	l := newSolo(t, utility.Choose(utility.NewAction("a", linear(1)[0]),
		utility.NewAction("b", linear(2)[1])).Commit(time.Minute).Softmax(10))
	l.see(1, 0)
	for l.tick().Action != 1 {
		l.choice = components.Choice{}
	}
	l.see(0, 0.01)
	for range 50 {
		l.block.Now += 10e6
		x := l.explain()
		assert.Equal(t, explain.Drawn, x.Reason)
		assert.InDelta(t, 0.5, x.Options[0].Probability, 1e-3)
	}
}

func TestExplainSaysHeldWithoutScoring(t *testing.T) {
	l := newSolo(t, utility.Choose(utility.NewAction("a", linear(1)[0]),
		utility.NewAction("b", linear(2)[1])).RescoreBeyond(0.25))
	l.see(0.5, 0.375).tick()
	x := l.see(0.5, 0.5625).explain()
	assert.Equal(t, explain.HeldWithoutScoring, x.Reason)
	assert.Equal(t, [3]string{"a", "b", "a"}, chosen(x))
	assert.EqualValues(t, 1, x.Options[0].Probability)
	assert.EqualValues(t, 0.5625, x.Options[1].Score)
	for _, o := range x.Options {
		assert.True(t, o.Skipped, "nothing was needed")
	}
	assert.Equal(t, explain.Best, l.see(0.5, 0.75).explain().Reason)
}

func TestExplainGivesProbabilitiesThatSumToOne(t *testing.T) {
	actions := func() []*utility.Action {
		return []*utility.Action{
			utility.NewAction("a", linear(1)[0]), utility.NewAction("b", linear(2)[1]), utility.NewAction("c",
				linear(3)[2]),
			utility.NewAction("vetoed", utility.Consider(slotFact(3), utility.Linear()).Gate()),
			utility.NewAction("outranked", linear(1)[0]).Rank(-1),
		}
	}
	for name, d := range map[string]*utility.Definition{
		"softmax":         utility.Choose(actions()...).Softmax(0.5),
		"weighted random": utility.Choose(actions()...).WeightedRandom(),
		"top n":           utility.Choose(actions()...).TopN(2),
	} {
		l := newSolo(t, d).see(0.5, 0.25, 0, 0)
		x := l.explain()
		require.Equal(t, explain.Drawn, x.Reason)
		sum := float32(0)
		for _, o := range x.Options {
			sum += o.Probability
		}
		assert.InDelta(t, 1, sum, 1e-6, name)
		assert.Zero(t, option(t, x, "vetoed").Probability, name)
		assert.Zero(t, option(t, x, "outranked").Probability, name)
		want := 0.5 / 0.75
		if name == "softmax" {
			want = math.E / (math.E + math.Exp(0.5) + 1)
		}
		assert.InDelta(t, want, option(t, x, "a").Probability, 1e-6, name)
		// What it says is chosen is what is chosen.
		for range 20 {
			x := l.explain()
			l.s.Tick(l.e.Compiled(), &l.block)
			assert.Equal(t, chosen(x)[0], l.e.Actions()[l.choice.Action-1])
			l.block.Now += 100e6
		}
	}
}

func TestExplainChangesNothing(t *testing.T) {
	h := newHunter(t, func(d *utility.Definition) { d.Inertia(0.1).Commit(250 * time.Millisecond) })
	h.see(50)
	h.skips(prey{1, 7, 30}, prey{2, 7, 20})
	h.skips(prey{1, 7, 30}, prey{2, 7, 22})
	for k, p := range []prey{{1, 7, 3}, {2, 7, 60}} {
		h.lanes.SetFloat(otherList.Field(k, distance), 0, float32(p.distance))
	}
	h.block.Now += 500e6 // the commitment runs out, and the facts have moved
	choice, memory := h.choice, append([]uint32(nil), h.block.Memory[0]...)
	scored, skipped, block := h.s.Scored, h.s.Skipped, h.block
	first := h.explain()
	for range 3 {
		require.Equal(t, first, h.explain())
	}
	require.Equal(t, choice, h.choice)
	require.Equal(t, memory, h.block.Memory[0])
	require.Equal(t, [2]int64{scored, skipped}, [2]int64{h.s.Scored, h.s.Skipped})
	require.Equal(t, block, h.block)
	h.s.Tick(h.e.Compiled(), &h.block)
	require.EqualValues(t, 1, h.choice.Target.Index)
	require.Equal(t, h.choice.Target, first.Options[first.Chosen].Target)
}

func TestExplainRefusesALaneThatIsNotThere(t *testing.T) {
	l := newSolo(t, only(linear(1)...))
	assert.PanicsWithValue(t, "utility: Explain of lane 3, which is not in the block's mask",
		func() { l.s.Explain(l.e.Compiled(), &l.block, 3) })
	assert.PanicsWithValue(t, "utility: Explain of lane -1, which is not in the block's mask",
		func() { l.s.Explain(l.e.Compiled(), &l.block, -1) })
}

func TestAnExplanationReadsAsATable(t *testing.T) {
	h := newHunter(t, func(d *utility.Definition) { d.Inertia(0.25) })
	h.see(20)
	h.skips(prey{1, 7, 30})
	h.see(90)
	h.skips(prey{1, 7, 40}, prey{2, 7, 30})
	h.see(20)
	h.lanes.SetFloat(otherList.Field(1, distance), 0, 20)
	assert.Equal(t, `lone: held by inertia: hunt {1 7}
> hunt {1 7}               score 0.6000 + 0.2500, in force
      distance                      40.0000 -> 0.4000 -> 0.6000
2 hunt {2 7}               score 0.8000
      distance                      20.0000 -> 0.2000 -> 0.8000
  rest                     score 0.4000, not needed
      x0                            20.0000 -> 0.2000 -> 0.8000 not needed
`, h.explain().String())

	l := newSolo(t, utility.Choose(utility.NewAction("a", linear(1)[0].Gate()), utility.NewAction("b").Weight(0.25),
		utility.NewAction("c").Weight(0.75)).WeightedRandom().Minimum(0.25))
	l.block.Seed = 2
	assert.Equal(t, `lone: drawn: c
  a                        score 0.0000, vetoed, below the minimum
      x0                             0.0000 -> 0.0000 -> 0.0000 gate
2 b                        score 0.2500, probability 0.250
> c                        score 0.7500, probability 0.750
`, l.explain().String())
	assert.Equal(t, "lone: nothing scores above 0\n  act                      score 0.0000\n"+
		"      x0                             0.0000 -> 0.0000 -> 0.0000\n", newSolo(t,
		only(linear(1)...)).explain().String())
}

func TestAnActionWithoutTargetsIsExplainedAsSuch(t *testing.T) {
	e, err := utility.Build("e", utility.Choose(
		utility.NewAction("rest").Weight(0.1),
		utility.NewAction("flee", utility.Consider(targetFact("distance", 0), utility.Linear())).For(otherList),
	))
	require.NoError(t, err)
	var choice components.Choice
	b := &scoring.Block{Mask: 1, Facts: blackboard.NewLanes(e.Facts())}
	b.Choices[0] = &choice
	x := new(scoring.Scorer).Explain(e.Compiled(), b, 0)
	assert.Equal(t, []string{"flee"}, x.NoTarget)
	assert.Contains(t, x.String(), "flee                     no targets\n")
}

func TestOfATargetListedTwiceTheFirstIsExplained(t *testing.T) {
	distance := targetFact("distance", 0)
	e, err := utility.Build("e", utility.Choose(
		utility.NewAction("hit", utility.Consider(distance, utility.Linear())).For(otherList)).Inertia(0.1))
	require.NoError(t, err)
	lanes := blackboard.NewLanes(e.Facts())
	lanes.SetInt(otherList.Count(), 0, 3)
	for i, d := range []float32{0.9, 0.3, 0.2} {
		lanes.SetFloat(otherList.Field(i, distance), 0, d)
		lanes.SetEntity(otherList.Entity(i), 0, components.Entity{Index: uint32(7 + i%2)})
	}
	var choice components.Choice
	b := &scoring.Block{Mask: 1, Facts: lanes, Now: 1}
	b.Choices[0] = &choice
	s := new(scoring.Scorer)
	for range 2 {
		x := s.Explain(e.Compiled(), b, 0)
		assert.Equal(t, 0, x.Chosen)
		assert.Equal(t, explain.Best, x.Reason)
		s.Tick(e.Compiled(), b)
	}
}

// A commitment that has run out is cleared in a copy.
func TestToExplainARowOfAColumnLeavesItAsItWas(t *testing.T) {
	l := newSolo(t, utility.Choose(utility.NewAction("a", linear(1)[0]),
		utility.NewAction("b", linear(2)[1])).Commit(250*time.Millisecond))
	l.see(0.5, 0.25).tick()
	column := []components.Choice{{}, l.choice}
	want := column[1]
	require.True(t, want.Committed)
	b := scoring.Block{Mask: 0b10, Column: column, Facts: l.lanes, Now: l.block.Now + 1e9}
	x := l.s.Explain(l.e.Compiled(), &b, 1)
	assert.Equal(t, 0, x.Current)
	assert.Equal(t, want, column[1])
}
