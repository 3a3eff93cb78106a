package systems_test

import (
	"testing"

	arche "github.com/mlange-42/arche/ecs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
)

// walking is an action that does nothing.
func walking(name string, channel components.Channel) systems.Action {
	return action.NewDurative(name, channel, action.Steps[components.Body]{})
}

func TestAnActionThatCannotBeAddedIsAnErrorAndChangesNothing(t *testing.T) {
	h := newHerd(t, systems.Options{})
	require.NoError(t, h.AddAction(walking("hop", components.Move)))
	for _, c := range []struct {
		action systems.Action
		want   string
	}{
		{walking("hop", components.Move), `systems: Herd.AddAction: action "hop" has been added already`},
		{walking("", components.Move), "systems: Herd.AddAction: aitree: an action has no name"},
		{walking(action.Strike, components.Act), `systems: Herd.AddAction: aitree: action "strike" is registered ` +
			`as a trigger already, not for channel act`},
		{walking(action.Seek, components.Move),
			`systems: Herd.AddAction: action "seek" is carried out by Herd.Movement; set that to nil before`},
		{walking(action.Shoot, components.Act),
			`systems: Herd.AddAction: action "shoot" is carried out by Herd.Combat; set that to nil before`},
		{walking(action.Rest, components.Act),
			`systems: Herd.AddAction: action "rest" is carried out by Herd.Needs; set that to nil before`},
	} {
		known := h.Actions.Len()
		assert.EqualError(t, h.AddAction(c.action), c.want)
		assert.Equal(t, known, h.Actions.Len())
	}
	h.Movement, h.Combat, h.Needs = nil, nil, nil
	for _, name := range []string{action.Seek, action.Arrive, action.Flee, action.Patrol, action.Wander, action.Stand} {
		assert.NoError(t, h.AddAction(walking(name, components.Move)))
	}
	for _, name := range []string{action.Melee, action.Shoot, action.Eat, action.Sleep, action.Socialise, action.Work,
		action.Rest} {
		assert.NoError(t, h.AddAction(walking(name, components.Act)))
	}
	assert.PanicsWithValue(t, "systems: Herd.AddAction of a nil action", func() { _ = h.AddAction(nil) })
	h.Step()
	assert.PanicsWithValue(t, "systems: Herd.AddAction after the first frame has begun; change the frame before Step",
		func() { _ = h.AddAction(walking("skip", components.Move)) })
}

// Each standard action belongs to one of the steps, so that none is carried out twice.
func TestEachStandardActionIsRefusedWhileItsStepIsThere(t *testing.T) {
	actions := aitree.NewActions()
	_, err := action.Register(actions)
	require.NoError(t, err)
	h := newHerd(t, systems.Options{})
	for i := range actions.Len() {
		assert.Error(t, h.AddAction(walking(actions.Name(components.Action(i+1)), components.Move)))
	}
}

// An added action runs after movement and combat; one that is registered by hand runs where it is inserted.
func TestAnActionStandsInTheFrameWhereItIsPut(t *testing.T) {
	h := newHerd(t, systems.Options{FPS: 10})
	var seen []float32
	look := func(name string) systems.Action {
		return action.NewAgentDurative(name, components.Act, action.AgentSteps[components.Transform]{
			Update: func(_ action.Agent, at *components.Transform) components.Outcome {
				seen = append(seen, at.Position.X)
				return components.Pending
			},
		})
	}
	early := look("early")
	require.NoError(t, early.Register(h.Actions))
	h.Before(systems.ActionStage, early)
	require.NoError(t, h.AddAction(look("late")))
	for _, name := range []string{"early", "late"} {
		tree := addTree(t, h, name, aitree.Parallel(aitree.All, aitree.One,
			aitree.Do(action.Seek, aitree.PointAt(50, 0)), aitree.Do(name)))
		h.Prefab(tree, systems.Walker(0.3, 2)).SpawnNow(h.World(), 1, nil)
	}
	h.Step()
	require.Len(t, seen, 2)
	assert.Zero(t, seen[0], "before the first step")
	assert.Positive(t, seen[1], "after it")
	for q := h.World().Query(arche.All(arche.ComponentID[components.Transform](h.World()))); q.Next(); {
		assert.Positive(t, ecs.Get[components.Transform](h.World(), ecs.FromArche(q.Entity())).Position.X)
	}
}
