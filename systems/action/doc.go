// Package action has the names of the standard actions, which the systems of packages movement, combat and needs carry
// out, and the system of an action of your own.
//
// # Outline
//
//   - [Durative] is the system of an action of your own: say in [AgentSteps] or [Steps] what it does when it begins, in
//     each frame and when it is aborted, make it with [NewAgentDurative] or [NewDurative], and give it to
//     Herd.AddAction of package systems
//   - names to post in a tree: [Seek] … [Stand] for the move channel, [Melee] … [Rest] for the act channel, [Strike]
//     and [Shout] as triggers
//   - [Register] registers them and returns their [Handles], which a custom system compares with the orders of agents
//
// A world of systems.Install has the standard actions registered already.
//
// # Move channel
//
// These actions are durative: post them with aitree.Do. Number 0 scales the speed of the agent; 0 means 1. An agent
// whose action has ended stands until another is posted.
//
//	target / point           number 1                    succeeds                  fails
//	seek     the target, if any,      distance at which it has    within that distance      the target is dead, the
//	or the point             arrived, metres (0: 0.5                               point is not finite, or the
//	from a point, 1 from a                                agent has not come nearer
//	target)                                               for some time or some way
//	arrive   as seek, slowing down    as seek                     as seek                   as seek
//	flee     away from the target,    distance at which it is     beyond that distance      the target is dead, or the
//	if any, or the point     safe, metres (0: none)                                agent is cornered
//	patrol   the agent's Route        pause at each waypoint,     at the next waypoint if   no such route, or the agent
//	seconds; negative: none     number 1 is 0, else never is blocked
//	wander   around the point         radius, metres (0:          never                     never
//	unlimited)
//	stand    faces the target         -                           never                     never
//
// Where the target or the point is in a wall, or too near to one for the body of the agent, the agent goes to the
// nearest place where it can stand. It succeeds there if that is within the distance of number 1, or within the radius
// of its body.
//
// # Triggers
//
// Fire them with aitree.Fire, or without a tree with Herd.Triggers.Fire.
//
//	target            number 0
//	strike   the entity hit    damage; 0: the setting of the combat system
//	shout    -                 loudness, the metres that it carries; 0: the setting of the combat system
//
// # Attacks on the act channel
//
// Melee and shoot are durative and need a claim on the target, see the combat system. They do not move the agent: to
// chase and bite, run both, as in Parallel(All, One, Repeat(0, ForceSuccess(Do(Seek, …))), Do(Melee, …)).
//
//	target          number 0              number 1                succeeds         fails
//	melee    the entity to   damage of a strike    seconds between two     when the         the claim is refused, the
//	hit             (0: the setting of    (0: the setting of      target is dead   target is not hostile, or it
//	the combat system)    the combat system)                       stays out of reach
//	shoot    the entity to   damage of a hit       as melee                as melee         as melee; also out of range
//	shoot at        (0: the setting of                                              or sight, or no ammunition
//	the combat system)
//
// # Needs on the act channel
//
// These are durative and do not move the agent: it must be within reach of the target when they are posted. After
// number 0 seconds they succeed in any case; 0: never.
//
//	target                  number 1                  succeeds                    fails
//	eat         a store                 -                         when the meal is eaten      no meal or no seat is free
//	sleep       a bed; none: where      fatigue to wake at        at that fatigue             the bed is taken
//	the agent is            (0: 0.05)
//	socialise   -                       loneliness to stop at     at that loneliness          no agent is near and awake
//	(0: 0.1)
//	work        a workplace             -                         -                           no post is free
//	rest        -                       -                         -                           -
//
// An action with a target also fails when the target is dead, of the wrong kind or out of reach.
//
// # Memory layout
//
// A handle is a small integer, the same in each run in which actions are registered in the same order. Register actions
// from one goroutine before the first frame.
//
// What an action remembers is in a component of the agent. A [Durative] keeps, beside the world, the order and a copy
// of the state of each agent that performs the action, and four bytes per entity index. Once these have grown a frame
// allocates nothing.
//
// # Determinism and concurrency
//
// The functions of a Durative serve agents in the order of entities, in batches that do not depend on the number of
// workers. On the workers, which they run on if [Steps] says so, that order is kept within 1,024 agents. The methods of
// a Durative belong to the goroutine that owns the world.
//
// # Files
//
// action.go has the names. durative.go is the system, durative_runs.go the orders that are under way, durative_agent.go
// the form for one agent at a time.
package action
