package scenario

import (
	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/fact"
)

// The facts of a guard's post. The other facts of the trees are those of package fact.
var (
	factOffRoute = blackboard.FloatFact("metres off the route", func(p *sim.Post) *float32 { return &p.Distance }, 0)
	factPostX    = blackboard.FloatFact("post x", func(p *sim.Post) *float32 { return &p.Position.X }, 0)
	factPostY    = blackboard.FloatFact("post y", func(p *sim.Post) *float32 { return &p.Position.Y }, 0)
)

// The conditions that several branches share.
var (
	badlyHurt     = aitree.Less(fact.Health, GuardFleeHealth)
	targetVisible = aitree.True(fact.Visible)
	targetKnown   = aitree.Alive(fact.Target)
)

// The guard's numbers. The strike's cooldown, the reach of sight and the speeds are those of the
// classic patrol and combat guard.
const (
	GuardFleeHealth     = 30  // hit points
	GuardSafeDistance   = 20  // metres
	GuardReach          = 1.5 // metres within which it strikes
	GuardCloseDistance  = 1.2 // metres to which it closes in
	GuardStrikeSeconds  = 0.8 // between two strikes
	GuardCallSeconds    = 10  // between two calls for help
	GuardRunFactor      = 2.0 // times its walking speed
	GuardCallRadius     = 10  // metres
	GuardNoiseSeconds   = 4.0 // seconds
	GuardRouteTolerance = 6   // metres off its route before it returns
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
	run := aitree.NumberOf(0, GuardRunFactor)
	call := aitree.ForceSuccess(aitree.Cooldown(GuardCallSeconds,
		aitree.Fire(action.Shout, aitree.NumberOf(0, GuardCallRadius))))

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
				Until(aitree.LessEqual(fact.Distance, GuardCloseDistance)).
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
	investigate := aitree.Guard(aitree.Less(fact.NoiseAge, GuardNoiseSeconds), aitree.Sequence(
		aitree.Do(action.Seek, noise).Named("investigate"),
		aitree.Wait(1.5).Named("look"),
	))
	patrol := aitree.Sequence(
		aitree.Selector(
			aitree.Check(aitree.LessEqual(factOffRoute, GuardRouteTolerance)),
			aitree.Do(action.Seek, post).Named("return").OnEnter(hooks.Return),
		),
		aitree.Do(action.Patrol).Named("patrol"),
		aitree.WaitBetween(0.5, 1.5).Named("pause"),
	)
	return aitree.ReactiveSelector(flee, engage, search, investigate, patrol)
}
