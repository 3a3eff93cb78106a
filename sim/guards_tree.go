package sim

import (
	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
)

// Post is where a guard belongs: on the leg of its route that it was walking. It is this scenario's own component;
// the system in guards.go keeps it.
type Post struct {
	Position components.Vec2 // the waypoint it was heading for, metres
	Distance float32         // metres that it is off the leg
}

// The facts the guard's tree reads: fields of its components.
var (
	factHealth    = components.IntFact("health", func(h *components.Health) *int32 { return &h.Current }, 100)
	factTarget    = components.EntityFact("target", func(p *components.Percept) *components.Entity { return &p.Target })
	factVisible   = components.BoolFact("target visible", func(p *components.Percept) *bool { return &p.Visible }, false)
	factDistance  = components.FloatFact("target distance", func(p *components.Percept) *float32 { return &p.Distance }, 1e6)
	factLastX     = components.FloatFact("last known x", func(p *components.Percept) *float32 { return &p.LastKnown.X }, 0)
	factLastY     = components.FloatFact("last known y", func(p *components.Percept) *float32 { return &p.LastKnown.Y }, 0)
	factNoiseAge  = components.AgeFact("noise age", func(p *components.Percept) *components.Timestamp { return &p.NoiseAt })
	factNoiseX    = components.FloatFact("noise x", func(p *components.Percept) *float32 { return &p.Noise.X }, 0)
	factNoiseY    = components.FloatFact("noise y", func(p *components.Percept) *float32 { return &p.Noise.Y }, 0)
	factPost      = components.FloatFact("metres off the route", func(p *Post) *float32 { return &p.Distance }, 0)
	factPostX     = components.FloatFact("post x", func(p *Post) *float32 { return &p.Position.X }, 0)
	factPostY     = components.FloatFact("post y", func(p *Post) *float32 { return &p.Position.Y }, 0)
	badlyHurt     = aitree.Less(factHealth, GuardFleesBelow)
	targetVisible = aitree.True(factVisible)
	targetKnown   = aitree.Alive(factTarget)
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
	lastKnown := aitree.Point(factLastX, factLastY)
	noise := aitree.Point(factNoiseX, factNoiseY)
	post := aitree.Point(factPostX, factPostY)
	run := aitree.NumberOf(0, GuardRuns)
	call := aitree.ForceSuccess(aitree.Cooldown(GuardCallSeconds, aitree.Fire("shout", aitree.NumberOf(0, GuardCallCarries))))

	flee := aitree.Guard(badlyHurt, aitree.Timeout(10, aitree.Sequence(
		call,
		aitree.Guard(targetKnown,
			aitree.Do("flee", aitree.Target(factTarget), run).Until(aitree.GreaterEqual(factDistance, GuardSafeDistance)).Named("flee")),
		aitree.WaitBetween(2, 4).Named("catch breath"),
	)))
	engage := aitree.Guard(targetVisible, aitree.Sequence(
		call,
		aitree.Selector(
			aitree.Check(aitree.LessEqual(factDistance, GuardReach)),
			aitree.Do("seek", aitree.Target(factTarget), lastKnown, run).Until(aitree.LessEqual(factDistance, GuardClosesTo)).
				Named("chase").OnEnter(hooks.Chase),
		),
		aitree.Selector(
			aitree.Cooldown(GuardStrikeSeconds, aitree.Fire("strike", aitree.Target(factTarget))),
			aitree.Wait(0.1).Named("recover"),
		),
	))
	search := aitree.Guard(targetKnown, aitree.Sequence(
		aitree.Do("seek", lastKnown, run).Named("search").OnEnter(hooks.Search),
		aitree.Repeat(3, aitree.Sequence(
			aitree.ForceSuccess(aitree.Timeout(2, aitree.Do("wander").Named("look around"))),
			aitree.Wait(0.5).Named("listen"),
		)),
	))
	investigate := aitree.Guard(aitree.Less(factNoiseAge, GuardHeedsNoise), aitree.Sequence(
		aitree.Do("seek", noise).Named("investigate"),
		aitree.Wait(1.5).Named("look"),
	))
	patrol := aitree.Sequence(
		aitree.Selector(
			aitree.Check(aitree.LessEqual(factPost, GuardStrays)),
			aitree.Do("seek", post).Named("return").OnEnter(hooks.Return),
		),
		aitree.Do("patrol").Named("patrol"),
		aitree.WaitBetween(0.5, 1.5).Named("pause"),
	)
	return aitree.ReactiveSelector(flee, engage, search, investigate, patrol)
}
