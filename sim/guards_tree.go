package sim

import (
	"time"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/systems"
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
	badlyHurt     = aitree.Less(systems.Facts.Health, GuardFleesBelow)
	targetVisible = aitree.True(systems.Facts.Visible)
	targetKnown   = aitree.Alive(systems.Facts.Target)
)

// The guard's numbers. The strike's cooldown, the reach of sight and the speeds are those of the
// classic patrol and combat guard.
const (
	GuardFleesBelow   = 30  // hit points
	GuardSafeDistance = 20  // metres
	GuardReach        = 1.5 // metres within which it strikes
	GuardClosesTo     = 1.2 // metres to which it closes in
	GuardRuns         = 2.0 // times its walking speed
	GuardCallCarries  = 10  // metres
	GuardStrays       = 6   // metres off its route before it returns
)

// The guard's time spans.
const (
	GuardStrikeInterval = 800 * time.Millisecond // the shortest between two strikes
	GuardCallInterval   = 10 * time.Second       // the shortest between two calls for help
	GuardHeedsNoise     = 4 * time.Second        // age up to which it looks for the source of a noise
)

// GuardHooks are called when a guard turns to something. Any may be nil.
type GuardHooks struct {
	Chase, Search, Return func(components.Entity)
}

// GuardTree describes the guard: flee when badly hurt, close in on a visible intruder and strike,
// search where one was lost, look into noises, return to its post, patrol.
func GuardTree(hooks GuardHooks) *aitree.Node {
	facts := &systems.Facts
	lastKnown := aitree.Point(facts.LastKnownX, facts.LastKnownY)
	noise := aitree.Point(facts.NoiseX, facts.NoiseY)
	post := aitree.Point(factPostX, factPostY)
	run := aitree.NumberOf(0, GuardRuns)
	call := aitree.ForceSuccess(aitree.Cooldown(GuardCallInterval,
		aitree.Fire(systems.ShoutAction, aitree.NumberOf(0, GuardCallCarries))))

	flee := aitree.Guard(badlyHurt, aitree.Timeout(10*time.Second, aitree.Sequence(
		call,
		aitree.Guard(targetKnown,
			aitree.Do(systems.FleeAction, aitree.Target(facts.Target), run).
				Until(aitree.GreaterEqual(facts.Distance, GuardSafeDistance)).Named("flee")),
		aitree.WaitBetween(2*time.Second, 4*time.Second).Named("catch breath"),
	)))
	engage := aitree.Guard(targetVisible, aitree.Sequence(
		call,
		aitree.Selector(
			aitree.Check(aitree.LessEqual(facts.Distance, GuardReach)),
			aitree.Do(systems.SeekAction, aitree.Target(facts.Target), lastKnown, run).
				Until(aitree.LessEqual(facts.Distance, GuardClosesTo)).
				Named("chase").OnEnter(hooks.Chase),
		),
		aitree.Selector(
			aitree.Cooldown(GuardStrikeInterval, aitree.Fire(systems.StrikeAction, aitree.Target(facts.Target))),
			aitree.Wait(100*time.Millisecond).Named("recover"),
		),
	))
	search := aitree.Guard(targetKnown, aitree.Sequence(
		aitree.Do(systems.SeekAction, lastKnown, run).Named("search").OnEnter(hooks.Search),
		aitree.Repeat(3, aitree.Sequence(
			aitree.ForceSuccess(aitree.Timeout(2*time.Second, aitree.Do(systems.WanderAction).Named("look around"))),
			aitree.Wait(500*time.Millisecond).Named("listen"),
		)),
	))
	investigate := aitree.Guard(aitree.Less(facts.NoiseAge, GuardHeedsNoise), aitree.Sequence(
		aitree.Do(systems.SeekAction, noise).Named("investigate"),
		aitree.Wait(1500*time.Millisecond).Named("look"),
	))
	patrol := aitree.Sequence(
		aitree.Selector(
			aitree.Check(aitree.LessEqual(factOffRoute, GuardStrays)),
			aitree.Do(systems.SeekAction, post).Named("return").OnEnter(hooks.Return),
		),
		aitree.Do(systems.PatrolAction).Named("patrol"),
		aitree.WaitBetween(500*time.Millisecond, 1500*time.Millisecond).Named("pause"),
	)
	return aitree.ReactiveSelector(flee, engage, search, investigate, patrol)
}
