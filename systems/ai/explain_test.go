package ai_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/utility"
)

// moody is a UtilitySelector that howls, once in ten seconds, or roams.
func moody(t *testing.T) *aitree.Node {
	mood, err := utility.Build("mood", utility.Choose(
		utility.NewAction("howl").Weight(0.9), utility.NewAction("roam").Weight(0.5)))
	require.NoError(t, err)
	return aitree.UtilitySelector(mood, aitree.On("howl", aitree.Cooldown(10*time.Second, aitree.Wait(0))),
		aitree.On("roam", aitree.Do("walk")))
}

func TestFailuresOfChoicesAreReportedBeforeExitsAndEnters(t *testing.T) {
	for _, workers := range []int{1, 4} {
		s := NewAIWorld(t, workers)
		var log []string
		note := func(e components.Entity, what string) { log = append(log, fmt.Sprint(e.Index, " ", what)) }
		number := s.Program("wolf", aitree.Sequence(aitree.Parallel(aitree.All, aitree.One,
			aitree.Wait(25*time.Millisecond).Named("first").
				OnExit(func(e components.Entity, how aitree.Exit) { note(e, how.String()) }),
			moody(t).NextBest().OnBranchFailed(
				func(e components.Entity, action string, target components.Entity) {
					assert.True(t, target.IsZero())
					note(e, action+" fails")
				}))))
		s.Start()
		for range 3 {
			s.Spawn(components.Intent{}, s.Programs.Mind(ai.Tree(number)))
		}
		s.Frame()
		assert.Empty(t, log, "each howls")
		s.Frame()
		assert.Equal(t, []string{"1 howl fails", "2 howl fails", "3 howl fails"}, log)
		assert.Equal(t, int64(3), s.Ai.Stats().Failures)
		log = nil
		s.Frame()
		assert.Equal(t, []string{"1 howl fails", "1 done", "2 howl fails", "2 done", "3 howl fails", "3 done"}, log)
	}
}

func TestAnExplanationCountsNothing(t *testing.T) {
	s := NewAIWorld(t, 1)
	number := s.Program("p", aitree.Check(aitree.Less(wantsWalk, 0.5)))
	s.Start()
	who := s.Spawn(wants{Walk: float32(math.NaN())}, s.Programs.Mind(ai.Tree(number)))
	s.Frame()
	for range 3 {
		assert.True(t, s.Ai.Explain(who).Nodes[0].Conditions[0].Holds, "it reads as 0")
	}
	s.Frame()
	assert.Equal(t, ai.Stats{Decisions: 2, Nonfinite: 2}, s.Ai.Stats())
}

// No fact moves far enough to score again, but the commitment runs out between two decisions.
func TestTheEndOfACommitmentIsForetold(t *testing.T) {
	s := NewAIWorld(t, 1)
	d := utility.Choose(utility.NewAction("walk", utility.Consider(wantsWalk, utility.Linear())),
		utility.NewAction("rest", utility.Consider(wantsAim, utility.Linear())))
	brain, err := utility.Build("brain", d.Commit(25*time.Millisecond).RescoreBeyond(1))
	require.NoError(t, err)
	number := s.Program("p", aitree.UtilitySelector(brain, aitree.On("walk", aitree.Run()),
		aitree.On("rest", aitree.Run())))
	s.Start()
	who := s.Spawn(wants{Walk: 0.5, Aim: 0.4}, s.Programs.Mind(ai.Tree(number)))
	s.Frame() // at 17 ms
	ecs.Get[wants](s.World, who).Aim = 0.9
	s.Frame() // at 33 ms
	assert.Equal(t, aitree.NodeRunning, s.Ai.Explain(who).Nodes[1].State)
	s.Clock.Advance() // to 50 ms
	tree := s.Ai.Explain(who)
	assert.Equal(t, []aitree.NodeState{aitree.NodeRunning, aitree.NodeAborted, aitree.NodeRunning},
		[]aitree.NodeState{tree.Nodes[0].State, tree.Nodes[1].State, tree.Nodes[2].State})
	s.Ai.Update(s.World)
	assert.True(t, s.Ai.Explain(who).Nodes[2].Ran)
}

// A decision would panic for it.
func TestAnAgentThatLacksAnIntentIsExplained(t *testing.T) {
	s := NewAIWorld(t, 1)
	number := s.Program("p", aitree.Do("walk"))
	s.Start()
	bare := s.Spawn(s.Programs.Mind(ai.Tree(number)))
	assert.Equal(t, aitree.NodeRunning, s.Ai.Explain(bare).Nodes[0].State)
}
