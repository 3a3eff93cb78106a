package sim

import (
	"time"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/utility"
)

// The soldier's numbers. Those of the choice are the classic ones of a hybrid of tree and utility.
const (
	SoldierEngages   = 12   // metres
	SoldierInertia   = 0.05 // of the score, for the attack under way
	SoldierCommits   = 1    // seconds, so that not all turn to the one who is free at once, and then to the next
	SoldierClosesTo  = 1.2  // metres
	SoldierRuns      = 1.5  // times its walking speed
	SoldierRescores  = 0.5  // metres, points of health or attackers that make it think again, in the skirmish
	SoldierAttackers = 4    // of one target at a time
)

// SoldierBrain describes how a soldier chooses its attack: the kind by how near the enemy is and how much ammunition is
// left, and the target by how near, how weak and how little attacked it is, but never one without a place for another.
func SoldierBrain() *utility.Definition {
	facts := &systems.Facts
	weak := utility.Consider(facts.CandidateHealth, utility.Linear()).Range(200, 0).Named("weak")
	free := utility.Consider(facts.CandidateAttackers, utility.Linear()).
		Range(SoldierAttackers, 0).Gate().Named("free")
	return utility.Choose(
		utility.NewAction("melee",
			free,
			utility.Consider(facts.CandidateDistance, utility.Smoothstep()).Range(6, 1).Named("close"),
			weak,
		).For(facts.Candidates),
		utility.NewAction("ranged",
			free,
			utility.Consider(facts.Nearest, utility.Smoothstep()).Range(2, 14).Named("far"),
			utility.Consider(facts.AmmoShare, utility.Linear()).Named("ammo"),
			utility.Consider(facts.CandidateDistance, utility.Linear()).Range(18, 0).Named("near"),
			weak,
		).For(facts.Candidates),
	).Inertia(SoldierInertia).Commit(SoldierCommits)
}

// SoldierTree describes a soldier: engage who is in sight, hand to hand or from afar; go after one who cannot be
// engaged or was lost; patrol.
func SoldierTree(brain *utility.Evaluator) *aitree.Node {
	facts := &systems.Facts
	target, run := aitree.ChosenTarget(), aitree.NumberOf(0, SoldierRuns)
	melee := aitree.Parallel(aitree.One, aitree.One,
		aitree.Repeat(0, aitree.Sequence(
			aitree.Do(systems.SeekAction, target, run, aitree.NumberOf(1, SoldierClosesTo)).Named("close in"),
			aitree.Wait(200*time.Millisecond),
		)),
		aitree.Do(systems.MeleeAction, target),
	)
	ranged := aitree.Parallel(aitree.One, aitree.One,
		aitree.Do(systems.StandAction, target).Named("take aim"),
		aitree.Do(systems.ShootAction, target),
	)
	attack := aitree.UtilitySelector(brain, aitree.On("melee", melee), aitree.On("ranged", ranged))
	lastKnown := aitree.Point(facts.LastKnownX, facts.LastKnownY)
	return aitree.ReactiveSelector(
		aitree.Guard(targetVisible, aitree.Guard(aitree.LessEqual(facts.Distance, SoldierEngages), attack)),
		aitree.Guard(targetKnown, aitree.Do(systems.SeekAction, lastKnown, run).Named("go after")),
		aitree.Do(systems.PatrolAction, run, aitree.NumberOf(1, -1)),
	)
}
