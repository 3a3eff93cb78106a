package scoring_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/conformance"
	"github.com/flockwork-ai/flockwork/internal/scoring"
	"github.com/flockwork-ai/flockwork/utility/explain"
)

// The conformance cases of the utility semantics; the notation is explained in the files.

func utilityCases(t testing.TB) []conformance.UtilityCase {
	t.Helper()
	all, err := conformance.UtilityCases("../conformance/testdata")
	require.NoError(t, err)
	require.Len(t, all, 133+206)
	return all
}

// choiceOf returns the choice that a case expects; given is false when it does not say.
func choiceOf(t testing.TB, x *conformance.Expect) (c components.Choice, given bool) {
	t.Helper()
	c, given, err := x.ChoiceOf()
	require.NoError(t, err)
	return c, given
}

func TestNormaliseAndCurveCases(t *testing.T) {
	for _, c := range utilityCases(t) {
		if c.Kind != "normalise" && c.Kind != "curve" {
			continue
		}
		for i, x := range c.Input {
			var got float32
			if c.Kind == "normalise" {
				// Fed to the function itself, not through a fact, which would replace them.
				got = scoring.NormaliseOne(float32(x), float32(c.Range[0]), float32(c.Range[1]))
			} else {
				got = c.Curve.Build(c.Inverted).At(float32(x))
			}
			if c.Exact {
				assert.Equal(t, float32(c.Expected[i]), got, "%s at %v: %s", c.ID, x, c.Purpose)
			} else {
				assert.InDelta(t, float64(c.Expected[i]), got, c.Tolerance(), "%s at %v: %s", c.ID, x, c.Purpose)
			}
		}
	}
}

func TestBuildErrorCases(t *testing.T) {
	for _, c := range utilityCases(t) {
		if c.Kind == "build_error" {
			_, err := c.Build(conformance.NewFacts())
			assert.Error(t, err, "%s: %s", c.ID, c.Purpose)
			t.Log(c.ID, err)
		}
	}
}

// Every agent is decided for with its case's others and with none, in a lane that moves.
func TestDecideCases(t *testing.T) {
	s := new(scoring.Scorer)
	for _, c := range utilityCases(t) {
		if c.Kind != "decide" {
			continue
		}
		f := conformance.NewFacts()
		e, err := c.Build(f)
		require.NoError(t, err, c.ID)
		for shift := range 2 {
			lanes := blackboard.NewLanes(e.Facts())
			b := &scoring.Block{Facts: lanes, Seed: 5, Now: 3600e9}
			choices := make([]components.Choice, 64)
			for i, a := range c.Agents {
				lane := (i*7 + shift*13) % 64
				b.Mask |= 1 << lane
				b.Entities[lane] = components.Entity{Index: uint32(i + 1)}
				b.Choices[lane] = &choices[lane]
				f.Set(lanes, e, lane, a.Facts, a.Targets)
				if a.Current != nil {
					choices[lane] = components.Choice{
						Action: uint16(a.Current.Action) + 1, Since: b.Now - nanos(float64(a.Current.Held)),
						Committed: float64(a.Current.Held) < float64(c.Evaluator.Commitment),
					}
					if a.Current.Target != nil {
						choices[lane].Target = conformance.Entity(*a.Current.Target)
					}
				}
			}
			explained := map[int]*explain.Choice{}
			for i := range c.Agents {
				explained[i] = s.Explain(e.Compiled(), b, (i*7+shift*13)%64)
			}
			s.Tick(e.Compiled(), b)
			for i, a := range c.Agents {
				where := fmt.Sprintf("%s, agent %d: %s", c.ID, i, c.Purpose)
				got := choices[(i*7+shift*13)%64]
				x := explained[i]
				if want, given := choiceOf(t, &a.Expect); given {
					assert.Equal(t, want.Action, got.Action, where)
					assert.Equal(t, want.Target, got.Target, where)
				}
				if got.Action == 0 {
					assert.Equal(t, -1, x.Chosen, where)
				} else {
					assert.Equal(t, c.Evaluator.Actions[got.Action-1].Name, x.Options[x.Chosen].Action, where)
					assert.Equal(t, got.Target, x.Options[x.Chosen].Target, where)
				}
				if a.Expect.Scores != nil {
					checkScores(t, &c, where, &a.Expect, x)
				}
				checkProbabilities(t, where, &c, &a.Expect, x)
			}
		}
	}
}

func checkScores(t testing.TB, c *conformance.UtilityCase, where string, want *conformance.Expect, x *explain.Choice) {
	t.Helper()
	if !assert.Len(t, x.Options, len(want.Scores), where) {
		return
	}
	for i, s := range want.Scores {
		o := x.Options[i]
		weight := 1.0
		for k, a := range c.Evaluator.Actions {
			if a.Name == o.Action {
				weight = max(1, conformance.OrElse(c.Evaluator.Actions[k].Weight, 1))
			}
		}
		if c.Exact {
			assert.Equal(t, float32(s), o.Score, "%s, score %d", where, i)
		} else {
			assert.InDelta(t, float64(s), o.Score, c.Tolerance()*weight, "%s, score %d", where, i)
		}
		vetoed := false
		for _, v := range want.Vetoed {
			vetoed = vetoed || v == i
		}
		assert.Equal(t, vetoed, o.Vetoed, "%s, veto %d", where, i)
	}
}

func checkProbabilities(
	t testing.TB, where string, c *conformance.UtilityCase, want *conformance.Expect, x *explain.Choice,
) {
	t.Helper()
	tol := c.ProbabilityTol
	if tol == 0 {
		tol = 1e-4
	}
	for i, p := range want.Probabilities {
		assert.InDelta(t, float64(p), x.Options[i].Probability, tol, "%s, probability %d", where, i)
	}
}

func nanos(seconds float64) components.Timestamp {
	return components.Timestamp(math.Round(seconds * 1e9))
}

func TestSequenceCases(t *testing.T) {
	s := new(scoring.Scorer)
	for _, c := range utilityCases(t) {
		if c.Kind != "sequence" {
			continue
		}
		f := conformance.NewFacts()
		e, err := c.Build(f)
		require.NoError(t, err, c.ID)
		const lane = 37
		lanes := blackboard.NewLanes(e.Facts())
		var choice components.Choice
		b := &scoring.Block{Mask: 1 << lane, Facts: lanes, Now: 1e9}
		b.Choices[lane] = &choice
		for i, tick := range c.Ticks {
			b.Now += nanos(tick.Dt)
			f.Set(lanes, e, lane, tick.Facts, tick.Targets)
			s.Tick(e.Compiled(), b)
			where := fmt.Sprintf("%s, tick %d: %s", c.ID, i, c.Purpose)
			if want, given := choiceOf(t, &tick.Expect); given {
				require.Equal(t, want.Action, choice.Action, where)
				require.Equal(t, want.Target, choice.Target, where)
			}
			if tick.Expect.Held != nil && choice.Action != 0 {
				require.Equal(t, nanos(float64(*tick.Expect.Held)), b.Now-choice.Since, where)
			}
		}
	}
}
