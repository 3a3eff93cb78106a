package utility_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/utility"
)

var (
	hunger   = slotFact(0)
	distance = targetFact("distance", 0)
)

// one is an evaluator of one action "eat" with one consideration of hunger, which a test spoils.
func one(k *utility.Consideration) *utility.Definition {
	return utility.Choose(utility.NewAction("eat", k))
}

// noCondition has the method of a condition and is no pointer.
type noCondition []int

func (noCondition) String() string { return "text" }

func TestBuildNamesWhatIsWrongAndWhereAndWhatIsRight(t *testing.T) {
	eat := func() *utility.Action { return utility.NewAction("eat") }
	curve := func(c utility.Curve) *utility.Definition { return one(utility.Consider(hunger, c).Named("hunger")) }
	many := make([]*utility.Action, 65)
	for i := range many {
		many[i] = utility.NewAction(strconv.Itoa(i))
	}
	inf, nan := math.Inf(1), math.NaN()
	points := make([]utility.Point, 33)
	const (
		evaluator     = `utility: evaluator "villager": `
		action        = `utility: evaluator "villager" > action "eat": `
		consideration = `utility: evaluator "villager" > action "eat" > consideration "hunger": `
	)
	for _, c := range []struct {
		d    *utility.Definition
		want string
	}{
		// The evaluator.
		{nil, evaluator + "no definition; use Choose"},
		{one(utility.ConsiderCondition(nil)), strings.Replace(consideration, "hunger", "0", 1) +
			"no condition; pass one of package aitree to ConsiderCondition"},
		{one(utility.ConsiderCondition(noCondition(nil))), strings.Replace(consideration, "hunger", "text", 1) +
			"no condition; pass one of package aitree to ConsiderCondition"},
		{utility.Choose(), evaluator + "no actions; give Choose at least one"},
		{utility.Choose(many...), evaluator + "65 actions; the limit is 64"},
		{utility.Choose(eat()).Combine(7), evaluator + "combination 7; use Compensated, Product or another"},
		{curve(utility.Piecewise(utility.Point{X: -3e38}, utility.Point{X: 3e38, Y: 1})),
			consideration + "curve Piecewise: point 1, (3e+38, 1), is so far from the one before that a " +
				"float32 cannot hold the difference; use closer points"},
		{utility.Choose(eat()).Inertia(-1), evaluator + "the inertia is -1; use a finite number of 0 or more"},
		{utility.Choose(eat()).Inertia(inf), evaluator + "the inertia is +Inf; use a finite number of 0 or more"},
		{utility.Choose(eat()).Minimum(nan), evaluator + "the minimum score is NaN; use a finite number of 0 or more"},
		{utility.Choose(eat()).Minimum(-0.5),
			evaluator + "the minimum score is -0.5; use a finite number of 0 or more"},
		{utility.Choose(eat()).Commit(-2 * time.Second), evaluator + "the commitment is -2s; use 0 or more"},
		{utility.Choose(eat()).Commit(-1), evaluator + "the commitment is -1ns; use 0 or more"},
		{utility.Choose(eat()).Commit(3000 * time.Second),
			evaluator + "a commitment of 50m0s; the limit is 35m47.483647s"},
		{utility.Choose(eat()).Softmax(-1), evaluator + "the temperature is -1; use a finite number of 0 or more"},
		{utility.Choose(eat()).Softmax(inf), evaluator + "the temperature is +Inf; use a finite number of 0 or more"},
		{utility.Choose(eat()).TopN(0), evaluator + "TopN(0); use 1 or more"},
		{utility.Choose(eat()).RescoreBeyond(-1),
			evaluator + "the amount of RescoreBeyond is -1; use a finite number of 0 or more"},
		{utility.Choose(eat()).RescoreBeyond(1e39),
			evaluator + "the amount of RescoreBeyond is 1e+39; use a finite number of 0 or more"},

		// Actions.
		{utility.Choose(eat(), nil), evaluator + "action 1 is nil"},
		{utility.Choose(eat(), utility.NewAction("")), evaluator + "action 1 has no name"},
		{utility.Choose(eat(), eat()), action + "two actions have this name"},
		{utility.Choose(eat().Weight(-1)), action + "the weight is -1; use a finite number of 0 or more"},
		{utility.Choose(eat().Weight(nan)), action + "the weight is NaN; use a finite number of 0 or more"},
		{utility.Choose(eat().Weight(1e39)), action + "the weight is 1e+39; use a finite number of 0 or more"},
		{utility.Choose(eat().For(blackboard.List{})),
			action + "unknown list: blackboard: the zero List names no array; make one with ListOf"},
		{utility.Choose(utility.NewAction("eat", linear(1)[0].Weight(3e38), linear(1)[0].Weight(3e38))),
			action + "the weights of the considerations add up to more than a float32 holds; use smaller ones"},
		{utility.Choose(utility.NewAction("eat", nil)), action + "consideration 0 is nil"},

		// Considerations.
		{one(utility.Consider(blackboard.Fact{}, utility.Linear())),
			`utility: evaluator "villager" > action "eat" > consideration "0": ` +
				`fact that cannot be used: blackboard: the zero Fact names no field; ` +
				`make one with FloatFact, IntFact, BoolFact, AgeFact, EntityFact or HasFact`},
		{utility.Choose(utility.NewAction("eat", utility.Consider(distance, utility.Linear()).Named("hunger")),
			utility.NewAction("hunt").For(otherList)),
			consideration + `fact "distance" is a fact of a target, a utility_test.other, and the action is not ` +
				`scored for a list of them; use For, for example with list "others"`},
		{curve(utility.Linear()).RescoreBeyond(nan),
			evaluator + "the amount of RescoreBeyond is NaN; use a finite number of 0 or more"},
		{one(utility.Consider(hunger, utility.Linear()).Weight(-1).Named("hunger")),
			consideration + "the weight is -1; use a finite number of 0 or more"},
		{one(utility.Consider(hunger, utility.Linear()).Range(0, inf).Named("hunger")),
			consideration + "a range of 0 to +Inf; use finite numbers whose difference is finite"},
		{one(utility.Consider(hunger, utility.Linear()).Range(nan, 1).Named("hunger")),
			consideration + "a range of NaN to 1; use finite numbers whose difference is finite"},
		{one(utility.Consider(hunger, utility.Linear()).Range(-3e38, 3e38).Named("hunger")),
			consideration + "a range of -3e+38 to 3e+38; use finite numbers whose difference is finite"},
		{one(utility.ConsiderInput(nil, utility.Linear()).Named("hunger")),
			consideration + "the input has no function; pass one to NewInput"},
		{one(utility.ConsiderInput(utility.NewInput("hunger", nil), utility.Linear())),
			consideration + "the input has no function; pass one to NewInput"},
		{one(utility.ConsiderInput(utility.NewInput("hunger", func(*blackboard.Context, *[64]float32) {}).Reads(hunger,
			blackboard.Fact{}), utility.Linear())),
			consideration + `input "hunger": fact that cannot be used: blackboard: the zero Fact names no field; ` +
				`make one with FloatFact, IntFact, BoolFact, AgeFact, EntityFact or HasFact`},

		// Curves.
		{curve(utility.Curve{}), consideration + "no curve; use Linear, Logistic, Smoothstep or another"},
		{curve(utility.Bell(0.5, 0)), consideration + "curve Bell: a deviation of 0; use more than 0"},
		{curve(utility.Bell(0.5, -1)), consideration + "curve Bell: a deviation of -1; use more than 0"},
		{curve(utility.LogisticExact(8, 1e6)),
			consideration + "curve LogisticExact: a steepness of 8 about 1e+06 is level from 0 to 1, " +
				"so it cannot be stretched; use less, or a mid nearer to 0..1"},
		{curve(utility.Piecewise()), consideration + "curve Piecewise: 0 points; use 1 to 32"},
		{curve(utility.Piecewise(points...)), consideration + "curve Piecewise: 33 points; use 1 to 32"},
		{curve(utility.Piecewise(utility.Point{X: 0.5}, utility.Point{X: 0.25})),
			consideration + "curve Piecewise: point 1, at x = 0.25, comes after 0.5; sort the points by x"},
		{curve(utility.Piecewise(utility.Point{}, utility.Point{X: 1, Y: inf})),
			consideration + "curve Piecewise: point 1 is (1, +Inf); use finite numbers"},
		{curve(utility.Piecewise(utility.Point{X: nan})),
			consideration + "curve Piecewise: point 0 is (NaN, 0); use finite numbers"},
	} {
		e, err := utility.Build("villager", c.d)
		assert.EqualError(t, err, c.want)
		assert.Nil(t, e)
	}
	if rank, err := strconv.Atoi("1099511627776"); err == nil { // where an int has the room
		_, err := utility.Build("villager", utility.Choose(eat().Rank(rank)))
		assert.EqualError(t, err, action+"a rank of 1099511627776; use one of 32 bits")
	}
	_, err := utility.Build("", one(linear(1)[0]))
	assert.EqualError(t, err, "utility: an evaluator has no name")
}

// Each number of each curve, one after the other.
func TestBuildRefusesNumbersOfCurvesThatAreNotFinite(t *testing.T) {
	type of func(a, b float64) utility.Curve
	for _, c := range []struct {
		name   string
		make   of
		params int
	}{
		{"Linear", func(_, _ float64) utility.Curve { return utility.Linear() }, 0},
		{"Polynomial", func(a, _ float64) utility.Curve { return utility.Polynomial(a) }, 1},
		{"Quadratic", func(_, _ float64) utility.Curve { return utility.Quadratic() }, 0},
		{"InverseQuadratic", func(_, _ float64) utility.Curve { return utility.InverseQuadratic() }, 0},
		{"Exponential", func(a, _ float64) utility.Curve { return utility.Exponential(a) }, 1},
		{"Logistic", utility.Logistic, 2},
		{"LogisticExact", utility.LogisticExact, 2},
		{"Logit", func(_, _ float64) utility.Curve { return utility.Logit() }, 0},
		{"Bell", utility.Bell, 2},
		{"Sine", func(a, _ float64) utility.Curve { return utility.Sine(a) }, 1},
		{"Smoothstep", func(_, _ float64) utility.Curve { return utility.Smoothstep() }, 0},
		{"Smootherstep", func(_, _ float64) utility.Curve { return utility.Smootherstep() }, 0},
		{"Step", func(a, _ float64) utility.Curve { return utility.Step(a) }, 1},
		{"Piecewise", func(_, _ float64) utility.Curve { return utility.Piecewise(utility.Point{}) }, 0},
	} {
		good := c.make(1, 0.5)
		_, err := utility.Build("villager", one(utility.Consider(hunger, good)))
		require.NoError(t, err, c.name)
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e39, -1e39} {
			curves := map[string]utility.Curve{"Slope": good.Slope(bad), "ShiftX": good.ShiftX(bad),
				"ShiftY": good.ShiftY(bad)}
			if c.params > 0 {
				curves["the first parameter"] = c.make(bad, 0.5)
			}
			if c.params > 1 {
				curves["the second parameter"] = c.make(1, bad)
			}
			for what, spoilt := range curves {
				want := fmt.Sprintf("curve %s: %s is %v; use a finite number", c.name, what, bad)
				_, err := utility.Build("villager", one(utility.Consider(hunger, spoilt).Named("hunger")))
				assert.EqualError(t, err,
					`utility: evaluator "villager" > action "eat" > consideration "hunger": `+want)
				assert.PanicsWithValue(t, "utility: "+want, func() { spoilt.At(0) })
			}
		}
	}
}

// A fact of a target is refused wherever a list would make it one, but not in an action for that list.
func TestRanksOf32BitsAreTaken(t *testing.T) {
	for _, rank := range []int64{math.MinInt32 - 1, math.MinInt32, -1, 0, 1, math.MaxInt32, math.MaxInt32 + 1} {
		if int64(int(rank)) != rank {
			continue // an int has 32 bits here
		}
		_, err := utility.Build("e", utility.Choose(utility.NewAction("a").Rank(int(rank))))
		if int64(int32(rank)) == rank {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, fmt.Sprintf("a rank of %d; use one of 32 bits", rank))
		}
	}
}

func TestFactsOfTargetsBelongToActionsForThem(t *testing.T) {
	own := utility.NewAction("own", utility.Consider(distance, utility.Linear()))
	targeted := utility.NewAction("targeted", utility.Consider(distance, utility.Linear())).For(otherList)
	_, err := utility.Build("e", utility.Choose(targeted, own))
	require.EqualError(t, err, `utility: evaluator "e" > action "own" > consideration "distance": `+
		`fact "distance" is a fact of a target, a utility_test.other, and the action is not scored for a list of `+
		`them; use For, for example with list "others"`)
	e, err := utility.Build("e", utility.Choose(targeted))
	require.NoError(t, err)
	require.True(t, e.Compiled().Targeted(0))
}

func TestAnEvaluatorTellsItsNamesAndFactsEachOnce(t *testing.T) {
	two := utility.Consider(slotFact(1), utility.Linear())
	e, err := utility.Build("e", utility.Choose(
		utility.NewAction("a", utility.Consider(hunger, utility.Linear()), two),
		utility.NewAction("b", two, utility.Consider(hunger, utility.Quadratic()))).
		Commit(1500*time.Millisecond).WeightedRandom())
	require.NoError(t, err)
	assert.Equal(t, "e", e.Name())
	assert.Equal(t, []string{"a", "b"}, e.Actions())
	var names []string
	for _, f := range e.Facts() {
		names = append(names, f.Name())
	}
	assert.Equal(t, []string{"x0", "x1"}, names)
	assert.False(t, e.Compiled().Targeted(1))
	assert.True(t, e.Compiled().Draws())
	assert.EqualValues(t, 1_500_000, e.Compiled().Commitment)
	assert.Zero(t, e.Compiled().MemoryWords)
	assert.Equal(t, "CompensatedEach", utility.CompensatedEach.String())
	assert.Equal(t, "unknown combination", utility.Combination(7).String())
}

// A consideration is evaluated once for all actions when all its numbers are equal, and not when one differs.
func TestOnlyEqualConsiderationsAreOne(t *testing.T) {
	points := func(y float64) utility.Curve {
		return utility.Piecewise(utility.Point{X: 0, Y: 0}, utility.Point{X: 1, Y: y})
	}
	moved := func(x float64) utility.Curve {
		return utility.Piecewise(utility.Point{X: x, Y: 0}, utility.Point{X: 1, Y: 1})
	}
	k := func(c utility.Curve) *utility.Consideration { return utility.Consider(hunger, c).Range(0, 10) }
	input := utility.NewInput("input", func(*blackboard.Context, *[64]float32) {})
	for what, pair := range map[string][2]*utility.Consideration{
		"range":     {k(utility.Linear()), utility.Consider(hunger, utility.Linear())},
		"its start": {k(utility.Linear()).Range(0, 10), k(utility.Linear()).Range(5, 15)},
		"its width": {k(utility.Linear()).Range(0, 10), k(utility.Linear()).Range(0, 11)},
		"fact":      {k(utility.Linear()), utility.Consider(slotFact(1), utility.Linear()).Range(0, 10)},
		"input":     {k(utility.Linear()), utility.ConsiderInput(input, utility.Linear()).Range(0, 10)},
		"shape":     {k(utility.Linear()), k(utility.Quadratic())},
		"slope":     {k(utility.Linear()), k(utility.Linear().Slope(2))},
		"shift x":   {k(utility.Linear()), k(utility.Linear().ShiftX(0.5))},
		"shift y":   {k(utility.Linear()), k(utility.Linear().ShiftY(0.5))},
		"inverted":  {k(utility.Linear()), k(utility.Linear().Inverted())},
		"mid":       {k(utility.Logistic(8, 0.5)), k(utility.Logistic(8, 0.25))},
		"steepness": {k(utility.Logistic(8, 0.5)), k(utility.Logistic(9, 0.5))},
		"point's x": {k(moved(0)), k(moved(0.5))},
		"point's y": {k(points(1)), k(points(0.5))},
	} {
		for i, want := range []int{1, 2} {
			// Names, gates and weights are not what is computed.
			again := *pair[i]
			again.Named("again").Gate().Weight(3)
			e, err := utility.Build("e", utility.Choose(utility.NewAction("a", pair[0]),
				utility.NewAction("b", &again)))
			require.NoError(t, err)
			assert.Len(t, e.Compiled().Terms, want, what)
		}
	}
}
