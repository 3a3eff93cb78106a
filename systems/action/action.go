package action

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
)

// Names of the actions that [movement.System], [combat.System] and [needs.System] carry out.
//
// Those of the move channel are durative: post them with aitree.Do. Number 0 scales the agent's speed; 0
// stands for 1. An agent whose action has ended stands until another is posted.
//
//	         target / point           number 1                   succeeds                   fails
//	seek     the target, if any,      how near is near enough,   when it is there           the target is dead, the
//	         or the point             metres (0: 0.5 from a                                 point is no number, or the
//	                                  point, 1 from a target)                               agent has not come nearer
//	                                                                                        for some time
//	arrive   as seek, slowing down    as seek                    as seek                    as seek
//	flee     away from the target,    how far is far enough,     when it is there           the target is dead, or the
//	         if any, or the point     metres (0: nowhere is)                                agent is cornered
//	patrol   the agent's Route        pause at each waypoint,    at the next waypoint if    no such route, or the agent
//	                                  seconds; negative: none    number 1 is 0, else never  cannot get on
//	wander   number 1 metres around   metres; 0: without bounds  never                      never
//	         the point
//	stand    turned to the target     -                          never                      never
//
// Strike and shout are triggers: fire them with aitree.Fire.
//
//	         target                   number 0
//	strike   who is struck            damage; 0: Combat's own
//	shout    -                        loudness, the metres that it carries; 0: Combat's own
//
// Melee and shoot are durative attacks that need a claim on the target, see [combat.System]. They leave the legs to the move
// channel.
//
//	         target           number 0             number 1              succeeds         fails
//	melee    who is struck    damage of a strike   seconds between two   when the         the claim is refused; the
//	                          (0: Combat's own)    (0: Combat's own)     target is dead   target is no hostile, or
//	                                                                                      stays out of reach
//	shoot    who is shot at   damage of a hit      as melee              as melee         as melee, out of range or
//	                          (0: Combat's own)                                           sight; or there is no
//	                                                                                      ammunition
//
// The others of the act channel are durative and know no way: the agent must be within reach of its target when they
// are posted. Number 0 is the seconds after which they succeed anyhow; 0: never.
//
//	            target                number 1                 succeeds                  fails
//	eat         a store               -                        when the meal is eaten    there is no meal or no seat
//	sleep       a bed; none: where    fatigue that is no       when it is no more        the bed is taken
//	            it is                 fatigue (0: 0.05)        tired than that
//	socialise   -                     loneliness that is no    when it is no more        nobody is near and awake
//	                                  loneliness (0: 0.1)      lonely than that
//	work        a workplace           -                        -                         no post is free
//	rest        -                     -                        -                         -
//
// Those with a target fail as well when it is dead, or not of the right kind, or out of reach.
const (
	Seek   = "seek"
	Arrive = "arrive"
	Flee   = "flee"
	Patrol = "patrol"
	Wander = "wander"
	Stand  = "stand"
	Strike = "strike"
	Shout  = "shout"
	Melee  = "melee"
	Shoot  = "shoot"

	Eat       = "eat"
	Sleep     = "sleep"
	Socialise = "socialise"
	Work      = "work"
	Rest      = "rest"
)

// Handles holds the handles of the standard actions in one register.
type Handles struct {
	Seek, Arrive, Flee, Patrol, Wander, Stand components.Action // of the move channel
	Strike, Shout                             components.Action // triggers
	Melee, Shoot                              components.Action // of the act channel
	Eat, Sleep, Socialise, Work, Rest         components.Action // of the act channel
}

// Register registers the standard actions, where they are not registered yet, and returns their
// handles. It is an error when one of the names is taken for something else.
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
