package sim

import (
	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/systems"
)

// The soldier's numbers: those at which it sees and chooses are the classic hybrid's of melee and ranged attack.
const (
	skirmishEngages   = 12  // metres
	skirmishClosesTo  = 1.2 // metres
	skirmishRuns      = 1.5 // times its walking speed
	skirmishAttackers = 4   // of one target at a time
)

// skirmishTree describes a soldier: engage who is in sight, hand to hand or from afar, else go on patrol.
func skirmishTree() (*aitree.Node, error) {
	facts := &systems.Facts
	target := aitree.Target(facts.Target)
	melee := aitree.Parallel(aitree.One, aitree.One,
		aitree.Repeat(0, aitree.Sequence(
			aitree.Do(systems.SeekAction, target, aitree.NumberOf(0, skirmishRuns), aitree.NumberOf(1, skirmishClosesTo)).Named("close in"),
			aitree.Wait(0.2),
		)),
		aitree.Do(systems.MeleeAction, target),
	)
	ranged := aitree.Parallel(aitree.One, aitree.One,
		aitree.Do(systems.StandAction, target).Named("take aim"),
		aitree.Do(systems.ShootAction, target),
	)
	choose := aitree.Selector(
		aitree.Guard(aitree.LessEqual(facts.Nearest, 4.8), melee),
		aitree.Guard(aitree.Greater(facts.Ammo, 0), ranged),
		melee,
	)
	engage := aitree.Guard(targetVisible, aitree.Guard(aitree.LessEqual(facts.Distance, skirmishEngages), choose))
	return aitree.ReactiveSelector(engage, aitree.Do(systems.PatrolAction)), nil
}
