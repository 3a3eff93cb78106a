package action

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
)

// Names of the standard actions. Their parameters, and when they succeed and fail, are in the tables of the package
// documentation.
const (
	Seek   = "seek"   // move: go to the target or the point
	Arrive = "arrive" // move: go there and slow down
	Flee   = "flee"   // move: go away from the target or the point
	Patrol = "patrol" // move: follow the agent's route
	Wander = "wander" // move: walk in random directions around the point
	Stand  = "stand"  // move: stay and face the target

	Strike = "strike" // trigger: hit the target once
	Shout  = "shout"  // trigger: make a noise

	Melee = "melee" // act: strike the target repeatedly
	Shoot = "shoot" // act: shoot at the target repeatedly

	Eat       = "eat"       // act: eat a meal at a store
	Sleep     = "sleep"     // act: sleep in a bed or on the spot
	Socialise = "socialise" // act: socialise with agents near
	Work      = "work"      // act: work at a workplace
	Rest      = "rest"      // act: rest on the spot
)

// Handles are the handles of the standard actions in one registry, each named like its action.
type Handles struct {
	Seek, Arrive, Flee, Patrol, Wander, Stand components.Action // on the move channel
	Strike, Shout                             components.Action // triggers
	Melee, Shoot                              components.Action // on the act channel
	Eat, Sleep, Socialise, Work, Rest         components.Action // on the act channel
}

// Register registers the standard actions that a registry does not have yet and returns the handles of all. It returns
// an error when one of the names is registered with another channel or kind.
func Register(a *aitree.Actions) (Handles, error) {
	const trigger = components.Channels // no channel: a trigger has none
	var s Handles
	for _, action := range []struct {
		name    string
		channel components.Channel
		handle  *components.Action
	}{
		{Seek, components.Move, &s.Seek},
		{Arrive, components.Move, &s.Arrive},
		{Flee, components.Move, &s.Flee},
		{Patrol, components.Move, &s.Patrol},
		{Wander, components.Move, &s.Wander},
		{Stand, components.Move, &s.Stand},
		{Strike, trigger, &s.Strike},
		{Shout, trigger, &s.Shout},
		{Eat, components.Act, &s.Eat},
		{Sleep, components.Act, &s.Sleep},
		{Socialise, components.Act, &s.Socialise},
		{Work, components.Act, &s.Work},
		{Rest, components.Act, &s.Rest},
		{Melee, components.Act, &s.Melee},
		{Shoot, components.Act, &s.Shoot},
	} {
		var handle components.Action
		var err error
		if action.channel == trigger {
			handle, err = a.RegisterTrigger(action.name)
		} else {
			handle, err = a.Register(action.name, action.channel)
		}
		if err != nil {
			return Handles{}, fmt.Errorf("action: standard actions: %w", err)
		}
		*action.handle = handle
	}
	return s, nil
}
