package utility_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/utility"
)

func TestMisuseOfAScorerSaysWhatIsRight(t *testing.T) {
	e, err := utility.Build("one", utility.Choose(utility.NewAction("idle")))
	require.NoError(t, err)
	s := utility.NewScorer(e, 3)
	assert.PanicsWithValue(t, "utility: Scorer.Action of agent 99; use 0 to 2, the scorer's agents",
		func() { s.Action(99) })
	assert.PanicsWithValue(t, "utility: Scorer.Explain of agent -1; use 0 to 2, the scorer's agents",
		func() { s.Explain(-1) })
	const unmade = "utility: a Scorer that was not made; make one with NewScorer"
	for _, use := range []func(s *utility.Scorer){
		(*utility.Scorer).Decide, func(s *utility.Scorer) { s.Action(0) }, func(s *utility.Scorer) { s.Explain(0) },
	} {
		assert.PanicsWithValue(t, unmade, func() { use(new(utility.Scorer)) })
	}
	s.Facts = nil
	assert.PanicsWithValue(t,
		"utility: a Scorer whose Facts are nil; keep those of NewScorer, or set a blackboard.NewLanes", s.Decide)
	assert.PanicsWithValue(t, "utility: an Evaluator that was not made; make one with Build",
		func() { new(utility.Evaluator).Facts() })
}
