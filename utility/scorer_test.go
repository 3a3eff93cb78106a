package utility_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/utility"
)

// newScorer returns a scorer of two actions, "a" by fact 0 and "b" by fact 1.
func newScorer(t *testing.T, agents int, set func(*utility.Definition)) *utility.Scorer {
	t.Helper()
	k := linear(2)
	d := utility.Choose(utility.NewAction("a", k[0]), utility.NewAction("b", k[1]))
	if set != nil {
		set(d)
	}
	e, err := utility.Build("e", d)
	require.NoError(t, err)
	return utility.NewScorer(e, agents)
}

func see(s *utility.Scorer, agent int, a, b float32) {
	s.Facts.SetFloat(slotFact(0), agent, a)
	s.Facts.SetFloat(slotFact(1), agent, b)
}

func TestEachAgentOfAScorerDecidesByItsLane(t *testing.T) {
	for _, agents := range []int{1, 3, 64} {
		s := newScorer(t, agents, nil)
		for i := range agents {
			see(s, i, 0.5, float32(i%2))
		}
		s.Now = 5e9
		s.Decide()
		for i := range agents {
			want := []string{"a", "b"}[i%2]
			assert.Equal(t, want, s.Action(i))
			assert.Equal(t, components.Choice{Action: uint16(1 + i%2), Since: 5e9}, s.Choices[i])
		}
	}
}

func TestAScorerWithoutAChoiceHasNoAction(t *testing.T) {
	s := newScorer(t, 2, nil)
	assert.Empty(t, s.Action(0))
	see(s, 1, 0.5, 0)
	s.Decide()
	assert.Empty(t, s.Action(0), "all scores are 0")
	assert.Equal(t, "a", s.Action(1))
	s.Choices[1].Action = 3
	assert.Empty(t, s.Action(1), "the evaluator has two actions")
}

func TestAScorerKeepsACommitmentByItsClock(t *testing.T) {
	s := newScorer(t, 1, func(d *utility.Definition) { d.Commit(250 * time.Millisecond) })
	s.Now = 1e9
	see(s, 0, 0.5, 0.25)
	s.Decide()
	see(s, 0, 0.25, 0.5)
	s.Now += 249e6
	s.Decide()
	require.Equal(t, "a", s.Action(0))
	s.Now += 1e6
	s.Decide()
	require.Equal(t, "b", s.Action(0))
}

func TestAScorerRemembersWhatRescoreBeyondNeeds(t *testing.T) {
	s := newScorer(t, 1, func(d *utility.Definition) { d.RescoreBeyond(0.25) })
	see(s, 0, 0.5, 0.375)
	s.Decide()
	see(s, 0, 0.5, 0.625)
	s.Decide()
	require.Equal(t, "a", s.Action(0), "moved by the amount, not beyond it")
	see(s, 0, 0.5, 0.75)
	s.Decide()
	require.Equal(t, "b", s.Action(0))
}

// Draws depend on the seed, the entity and the clock, and custom inputs see the entity and what the user passes.
func TestAScorerPassesOnItsFields(t *testing.T) {
	s := newScorer(t, 64, func(d *utility.Definition) { d.WeightedRandom() })
	for i := range 64 {
		see(s, i, 0.5, 0.5)
	}
	draw := func() []components.Choice {
		clear(s.Choices)
		s.Decide()
		return append([]components.Choice(nil), s.Choices...)
	}
	first := draw()
	assert.Equal(t, first, draw())
	s.Seed = 1
	assert.NotEqual(t, first, draw())
	s.Seed, s.Entities[0] = 0, components.Entity{Index: 2}
	assert.Equal(t, first[1], draw()[0])

	in := utility.NewInput("in", func(c *blackboard.Context, out *[64]float32) {
		assert.Equal(t, components.Entity{Index: 9}, c.Entities[0])
		assert.Equal(t, "user", c.User)
		assert.EqualValues(t, 3e9, c.Now)
		assert.EqualValues(t, 1, c.Mask)
		assert.PanicsWithValue(t, `utility: input "in" asks for State, but inputs have none; keep it in a component`,
			func() { c.State(0) })
		out[0] = 1
	})
	e, err := utility.Build("e", one(utility.ConsiderInput(in, utility.Linear())))
	require.NoError(t, err)
	s = utility.NewScorer(e, 1)
	s.Entities[0].Index, s.User, s.Now = 9, "user", 3e9
	s.Decide()
	assert.Equal(t, "eat", s.Action(0))
}

func TestToExplainChangesNothing(t *testing.T) {
	s := newScorer(t, 2, func(d *utility.Definition) { d.Commit(time.Millisecond).Inertia(0.125) })
	see(s, 1, 0.5, 0.25)
	s.Decide()
	before := s.Choices[1]
	s.Now += 1e9 // the commitment has run out
	see(s, 1, 0.25, 0.5)
	x := s.Explain(1)
	assert.Equal(t, "b", x.Options[x.Chosen].Action)
	assert.Equal(t, "a", x.Options[x.Current].Action)
	assert.Equal(t, before, s.Choices[1])
	s.Decide()
	assert.Equal(t, "b", s.Action(1))
}

func TestAScorerAllocatesNothingAfterItsFirstDecision(t *testing.T) {
	s := newScorer(t, 64, func(d *utility.Definition) { d.RescoreBeyond(0.1).Softmax(0.5) })
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		s.Now += 100e6
		s.Decide()
	}))
}

// condition stands for a condition of a tree.
type condition struct{}

func (*condition) String() string { return "hungry" }

func TestAScorerNamesWhatItLacks(t *testing.T) {
	e := newScorer(t, 1, nil)
	evaluator, err := utility.Build("e", one(linear(1)[0]))
	require.NoError(t, err)
	assert.PanicsWithValue(t, "utility: NewScorer without an evaluator; make one with Build",
		func() { utility.NewScorer(nil, 1) })
	assert.PanicsWithValue(t, "utility: a scorer for 0 agents; use 1 to 64, and several scorers for more",
		func() { utility.NewScorer(evaluator, 0) })
	assert.PanicsWithValue(t, "utility: a scorer for 65 agents; use 1 to 64, and several scorers for more",
		func() { utility.NewScorer(evaluator, 65) })
	assert.PanicsWithValue(t, "utility: Scorer.Explain of agent 1; use 0 to 0, the scorer's agents",
		func() { e.Explain(1) })
	assert.PanicsWithValue(t, "utility: Scorer.Explain of agent -1; use 0 to 0, the scorer's agents",
		func() { e.Explain(-1) })
	ofTree, err := utility.Build("e", one(utility.ConsiderCondition(&condition{})))
	require.NoError(t, err)
	assert.PanicsWithValue(t, `utility: NewScorer: evaluator "e" considers the condition hungry of a tree; use it in `+
		`a UtilitySelector, or consider facts`, func() { utility.NewScorer(ofTree, 1) })
	e.Choices = nil
	assert.PanicsWithValue(t,
		"utility: a scorer for 1 agents has 0 Choices and 1 Entities; use one of each per agent", e.Decide)
}
