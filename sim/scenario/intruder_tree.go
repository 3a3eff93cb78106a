package scenario

import (
	"time"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/fact"
)

// intruderTree describes an intruder: it flees when it is hurt, fights a visible guard or runs away from it, and
// otherwise wanders.
func intruderTree() *aitree.Node {
	target := aitree.Target(fact.Target)
	flee := func(name string, far float64) *aitree.Node {
		return aitree.Do(action.Flee, target, aitree.NumberOf(0, 2)).
			Until(aitree.GreaterEqual(fact.Distance, far)).Named(name)
	}
	fight := aitree.Timeout(6*time.Second, aitree.Sequence(
		aitree.Selector(
			aitree.Check(aitree.LessEqual(fact.Distance, GuardReach)),
			aitree.Do(action.Seek, target, aitree.NumberOf(0, 1.5)).
				Until(aitree.LessEqual(fact.Distance, GuardCloseDistance)).Named("attack"),
		),
		aitree.Selector(
			aitree.Cooldown(1200*time.Millisecond, aitree.Fire(action.Strike, target)),
			aitree.Wait(200*time.Millisecond).Named("recover"),
		),
	))
	return aitree.ReactiveSelector(
		aitree.Guard(aitree.Less(fact.Health, 50),
			aitree.Guard(targetKnown, aitree.Timeout(12*time.Second, flee("flee", 25)))),
		aitree.Guard(targetVisible, aitree.WeightedChoice(
			aitree.Weight(2, fight),
			aitree.Weight(1, aitree.Timeout(6*time.Second, flee("run away", 20))),
		)),
		aitree.Timeout(8*time.Second, aitree.Do(action.Wander).Named("wander")),
	)
}
