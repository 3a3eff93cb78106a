package scenario

import (
	"time"

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

// The settings of a guard.
const (
	GuardFleeHealth     = 30                     // points of health below which it flees
	GuardSafeDistance   = 20                     // metres from its enemy at which it stops fleeing
	GuardReach          = 1.5                    // metres within which it strikes
	GuardCloseDistance  = 1.2                    // metres to which it closes in
	GuardStrikeInterval = 800 * time.Millisecond // between two strikes at least
	GuardCallInterval   = 10 * time.Second       // between two calls for help at least
	GuardRunFactor      = 2.0                    // times its walking speed when it runs
	GuardCallRadius     = 10                     // metres that a call carries
	GuardNoiseMemory    = 4 * time.Second        // for which it investigates a noise
	GuardRouteTolerance = 6                      // metres off its route beyond which it returns
)

// GuardHooks are called with the guard, on the goroutine of the world. Any may be nil.
type GuardHooks struct {
	Chase  func(components.Entity) // it starts to chase a visible enemy
	Search func(components.Entity) // it goes to where it saw an enemy last
	Return func(components.Entity) // it returns to its route
}

// GuardTree describes a guard. In order of priority, it flees when it is badly hurt, closes in on a visible enemy and
// strikes, searches where it lost one, investigates noises, returns to its post, and patrols.
func GuardTree(hooks GuardHooks) *aitree.Node {
	lastKnown := aitree.Point(fact.LastKnownX, fact.LastKnownY)
	noise := aitree.Point(fact.NoiseX, fact.NoiseY)
	post := aitree.Point(factPostX, factPostY)
	run := aitree.NumberOf(0, GuardRunFactor)
	call := aitree.ForceSuccess(aitree.Cooldown(GuardCallInterval,
		aitree.Fire(action.Shout, aitree.NumberOf(0, GuardCallRadius))))

	flee := aitree.Guard(badlyHurt, aitree.Timeout(10*time.Second, aitree.Sequence(
		call,
		aitree.Guard(targetKnown,
			aitree.Do(action.Flee, aitree.Target(fact.Target), run).
				Until(aitree.GreaterEqual(fact.Distance, GuardSafeDistance)).Named("flee")),
		aitree.WaitBetween(2*time.Second, 4*time.Second).Named("catch breath"),
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
			aitree.Cooldown(GuardStrikeInterval, aitree.Fire(action.Strike, aitree.Target(fact.Target))),
			aitree.Wait(100*time.Millisecond).Named("recover"),
		),
	))
	search := aitree.Guard(targetKnown, aitree.Sequence(
		aitree.Do(action.Seek, lastKnown, run).Named("search").OnEnter(hooks.Search),
		aitree.Repeat(3, aitree.Sequence(
			aitree.ForceSuccess(aitree.Timeout(2*time.Second, aitree.Do(action.Wander).Named("look around"))),
			aitree.Wait(500*time.Millisecond).Named("listen"),
		)),
	))
	investigate := aitree.Guard(aitree.Less(fact.NoiseAge, GuardNoiseMemory), aitree.Sequence(
		aitree.Do(action.Seek, noise).Named("investigate"),
		aitree.Wait(1500*time.Millisecond).Named("look"),
	))
	patrol := aitree.Sequence(
		aitree.Selector(
			aitree.Check(aitree.LessEqual(factOffRoute, GuardRouteTolerance)),
			aitree.Do(action.Seek, post).Named("return").OnEnter(hooks.Return),
		),
		aitree.Do(action.Patrol).Named("patrol"),
		aitree.WaitBetween(500*time.Millisecond, 1500*time.Millisecond).Named("pause"),
	)
	return aitree.ReactiveSelector(flee, engage, search, investigate, patrol)
}
