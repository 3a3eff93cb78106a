package ai_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/fact"
	"github.com/flockwork-ai/flockwork/utility"
	"github.com/flockwork-ai/flockwork/utility/explain"
)

// wants are the facts of the agents of these tests.
type wants struct{ Walk, Aim float32 }

var (
	wantsWalk = blackboard.FloatFact("wants to walk", func(w *wants) *float32 { return &w.Walk }, 0)
	wantsAim  = blackboard.FloatFact("wants to aim", func(w *wants) *float32 { return &w.Aim }, 0)
	nearness  = blackboard.FloatFact("target distance", func(c *components.Candidate) *float32 { return &c.Distance },
		100)
)

// chooser is a tree that walks, or aims at the nearest candidate.
func (s *AiWorld) chooser(definition func(*utility.Definition)) uint16 {
	d := utility.Choose(
		utility.NewAction("walk", utility.Consider(wantsWalk, utility.Linear())),
		utility.NewAction("aim", utility.Consider(wantsAim, utility.Linear()), utility.Consider(nearness,
			utility.Linear()).Range(50, 0)).
			For(fact.Candidates),
	)
	if definition != nil {
		definition(d)
	}
	brain, err := utility.Build("chooser", d)
	require.NoError(s.t, err)
	return s.Program("chooser", aitree.UtilitySelector(brain,
		aitree.On("walk", aitree.Do("walk")), aitree.On("aim", aitree.Do("aim", aitree.ChosenTarget())),
	))
}

func TestAgentsChooseByUtilityAndTurnToAnotherTarget(t *testing.T) {
	s := NewAIWorld(t, 1)
	number := s.chooser(nil)
	s.Start()
	first, second := s.Spawn(wants{}), s.Spawn(wants{})
	who := s.Spawn(wants{Walk: 0.5}, components.Candidates{}, components.Intent{}, s.Programs.Mind(ai.Tree(number)))
	other := s.Spawn(wants{Walk: 0.1, Aim: 1}, components.Intent{},
		s.Programs.Mind(ai.Tree(number))) // sees nobody, ever

	s.Frame()
	intent := func(e components.Entity) *components.Intent { return ecs.Get[components.Intent](s.World, e) }
	assert.Equal(t, s.handle("walk"), intent(who).Orders[components.Move].Action)
	assert.Equal(t, s.handle("walk"), intent(other).Orders[components.Move].Action,
		"an agent without the list has no targets")

	w := ecs.Get[wants](s.World, who)
	w.Aim = 1
	*ecs.Get[components.Candidates](s.World, who) = components.Candidates{Count: 2,
		List: [components.MaxCandidates]components.Candidate{
			{Entity: first, Distance: 10}, {Entity: second, Distance: 20},
		}}
	s.Frame()
	order := intent(who).Orders[components.Act]
	assert.Equal(t, s.handle("aim"), order.Action)
	assert.Equal(t, first, order.Target)
	assert.Zero(t, intent(who).Orders[components.Move].Action, "the loser is reset")

	intent(who).Orders[components.Act].Outcome = components.Succeeded
	ecs.Get[components.Candidates](s.World, who).List[1].Distance = 1
	s.Frame()
	after := intent(who).Orders[components.Act]
	assert.Equal(t, second, after.Target)
	assert.Equal(t, order.Serial+1, after.Serial, "a new posting: what was reported was about the old target")
	assert.Equal(t, components.Pending, after.Outcome)

	s.Commands.Queue(0).Remove(second, second)
	s.Frame()
	s.Frame()
	assert.Equal(t, first, intent(who).Orders[components.Act].Target, "who died is no target")
	assert.Equal(t, int64(3), s.Ai.Stats().Switches)
}

func (s *AiWorld) handle(action string) components.Action {
	h, ok := s.actions.Lookup(action)
	require.True(s.t, ok)
	return h
}

func TestChoicesStandUntilAFactMovesFarEnough(t *testing.T) {
	s := NewAIWorld(t, 2)
	number := s.chooser(func(d *utility.Definition) { d.RescoreBeyond(0.25) })
	s.Start()
	who := s.Spawn(wants{Walk: 0.5}, components.Candidates{}, components.Intent{}, s.Programs.Mind(ai.Tree(number)))
	for range 10 {
		s.Frame()
	}
	assert.Equal(t, int64(1), s.Ai.Stats().Scored)
	assert.Equal(t, int64(9), s.Ai.Stats().Skipped)
	ecs.Get[wants](s.World, who).Walk = 0.76
	s.Frame()
	assert.Equal(t, int64(2), s.Ai.Stats().Scored)
}

func TestExplainSaysWhatIsChosenAndChangesNothing(t *testing.T) {
	s := NewAIWorld(t, 1)
	number := s.chooser(func(d *utility.Definition) { d.Inertia(0.3).Commit(5 * time.Second).RescoreBeyond(0.1) })
	s.Start()
	target := s.Spawn(wants{})
	for range 70 {
		s.Spawn(wants{Walk: 1}, components.Intent{}, s.Programs.Mind(ai.Tree(number)))
	}
	who := s.Spawn(wants{Walk: 0.5, Aim: 0.9}, components.Intent{}, s.Programs.Mind(ai.Tree(number)),
		components.Candidates{Count: 1, List: [components.MaxCandidates]components.Candidate{{Entity: target,
			Distance: 30}}})
	require.Nil(t, s.Ai.Explain(target), "it has no mind")
	before := s.Ai.Explain(who)
	require.Len(t, before.Choices(), 1)
	assert.False(t, before.Nodes[0].Ran)
	s.Frame()

	mind, stats := *ecs.Get[components.Mind128](s.World, who), s.Ai.Stats()
	ecs.Get[wants](s.World, who).Aim = 0.95
	x := s.Ai.Explain(who)
	require.Len(t, x.Choices(), 1)
	assert.True(t, x.Nodes[0].Ran)
	assert.Equal(t, "chooser", x.Tree)
	choice := x.Choices()[0]
	assert.Equal(t, "walk", choice.Options[choice.Chosen].Action)
	assert.Equal(t, explain.HeldWithoutScoring, choice.Reason, "nothing has moved far enough")
	ecs.Get[wants](s.World, who).Aim = 0.5
	choice = s.Ai.Explain(who).Choices()[0]
	assert.Equal(t, explain.HeldByCommitment, choice.Reason)
	assert.Equal(t, target, choice.Options[1].Target)
	assert.Equal(t, float32(0.4), choice.Options[1].Considerations[1].Normalised)
	assert.Equal(t, mind, *ecs.Get[components.Mind128](s.World, who))
	assert.Equal(t, stats, s.Ai.Stats())
}
