package sim

import (
	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/fact"
)

// Post is where a guard belongs: on the leg of its route that it was walking. It is this scenario's own component;
// the system in guards.go keeps it.
type Post struct {
	Position components.Vec2 // the waypoint it was heading for, metres
	Distance float32         // metres that it is off the leg
}

// The facts that are this scenario's own; the others are [systems.Facts].
var (
	factOffRoute = blackboard.FloatFact("metres off the route", func(p *Post) *float32 { return &p.Distance }, 0)
	factPostX    = blackboard.FloatFact("post x", func(p *Post) *float32 { return &p.Position.X }, 0)
	factPostY    = blackboard.FloatFact("post y", func(p *Post) *float32 { return &p.Position.Y }, 0)
)

// The conditions that several branches share.
var (
	badlyHurt     = aitree.Less(fact.Health, GuardFleesBelow)
	targetVisible = aitree.True(fact.Visible)
	targetKnown   = aitree.Alive(fact.Target)
)

// The guard's numbers. The strike's cooldown, the reach of sight and the speeds are those of the
// classic patrol and combat guard.
const (
	GuardFleesBelow    = 30  // hit points
	GuardSafeDistance  = 20  // metres
	GuardReach         = 1.5 // metres within which it strikes
	GuardClosesTo      = 1.2 // metres to which it closes in
	GuardStrikeSeconds = 0.8 // between two strikes
	GuardCallSeconds   = 10  // between two calls for help
	GuardRuns          = 2.0 // times its walking speed
	GuardCallCarries   = 10  // metres
	GuardHeedsNoise    = 4.0 // seconds
	GuardStrays        = 6   // metres off its route before it returns
)

// GuardHooks are called when a guard turns to something. Any may be nil.
type GuardHooks struct {
	Chase, Search, Return func(components.Entity)
}

// GuardTree describes the guard: flee when badly hurt, close in on a visible intruder and strike,
// search where one was lost, look into noises, return to its post, patrol.
func GuardTree(hooks GuardHooks) *aitree.Node {
	lastKnown := aitree.Point(fact.LastKnownX, fact.LastKnownY)
	noise := aitree.Point(fact.NoiseX, fact.NoiseY)
	post := aitree.Point(factPostX, factPostY)
	run := aitree.NumberOf(0, GuardRuns)
	call := aitree.ForceSuccess(aitree.Cooldown(GuardCallSeconds,
		aitree.Fire(action.Shout, aitree.NumberOf(0, GuardCallCarries))))

	flee := aitree.Guard(badlyHurt, aitree.Timeout(10, aitree.Sequence(
		call,
		aitree.Guard(targetKnown,
			aitree.Do(action.Flee, aitree.Target(fact.Target), run).
				Until(aitree.GreaterEqual(fact.Distance, GuardSafeDistance)).Named("flee")),
		aitree.WaitBetween(2, 4).Named("catch breath"),
	)))
	engage := aitree.Guard(targetVisible, aitree.Sequence(
		call,
		aitree.Selector(
			aitree.Check(aitree.LessEqual(fact.Distance, GuardReach)),
			aitree.Do(action.Seek, aitree.Target(fact.Target), lastKnown, run).
				Until(aitree.LessEqual(fact.Distance, GuardClosesTo)).
				Named("chase").OnEnter(hooks.Chase),
		),
		aitree.Selector(
			aitree.Cooldown(GuardStrikeSeconds, aitree.Fire(action.Strike, aitree.Target(fact.Target))),
			aitree.Wait(0.1).Named("recover"),
		),
	))
	search := aitree.Guard(targetKnown, aitree.Sequence(
		aitree.Do(action.Seek, lastKnown, run).Named("search").OnEnter(hooks.Search),
		aitree.Repeat(3, aitree.Sequence(
			aitree.ForceSuccess(aitree.Timeout(2, aitree.Do(action.Wander).Named("look around"))),
			aitree.Wait(0.5).Named("listen"),
		)),
	))
	investigate := aitree.Guard(aitree.Less(fact.NoiseAge, GuardHeedsNoise), aitree.Sequence(
		aitree.Do(action.Seek, noise).Named("investigate"),
		aitree.Wait(1.5).Named("look"),
	))
	patrol := aitree.Sequence(
		aitree.Selector(
			aitree.Check(aitree.LessEqual(factOffRoute, GuardStrays)),
			aitree.Do(action.Seek, post).Named("return").OnEnter(hooks.Return),
		),
		aitree.Do(action.Patrol).Named("patrol"),
		aitree.WaitBetween(0.5, 1.5).Named("pause"),
	)
	return aitree.ReactiveSelector(flee, engage, search, investigate, patrol)
}
