package scenario

import (
	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/fact"
	"github.com/flockwork-ai/flockwork/utility"
)

// The soldier's numbers. Those of the choice are the classic ones of a hybrid of tree and utility.
const (
	SoldierEngageDistance = 12   // metres
	SoldierInertia        = 0.05 // of the score, for the attack under way
	SoldierCommitSeconds  = 1    // seconds, so that not all turn to the one who is free at once, and then to the next
	SoldierCloseDistance  = 1.2  // metres
	SoldierRunFactor      = 1.5  // times its walking speed
	soldierRescoreBeyond  = 0.5  // metres, points of health or attackers that make it think again, in the skirmish
	SoldierMaxAttackers   = 4    // of one target at a time
)

// soldierEvaluator describes how a soldier chooses its attack: the kind by how near the enemy is and how much ammunition is
// left, and the target by how near, how weak and how little attacked it is, but never one without a place for another.
func soldierEvaluator() *utility.Definition {
	weak := utility.Consider(fact.CandidateHealth, utility.Linear()).Range(200, 0).Named("weak")
	free := utility.Consider(fact.CandidateAttackers, utility.Linear()).
		Range(SoldierMaxAttackers, 0).Gate().Named("free")
	return utility.Choose(
		utility.NewAction("melee",
			free,
			utility.Consider(fact.CandidateDistance, utility.Smoothstep()).Range(6, 1).Named("close"),
			weak,
		).For(fact.Candidates),
		utility.NewAction("ranged",
			free,
			utility.Consider(fact.Nearest, utility.Smoothstep()).Range(2, 14).Named("far"),
			utility.Consider(fact.AmmoShare, utility.Linear()).Named("ammo"),
			utility.Consider(fact.CandidateDistance, utility.Linear()).Range(18, 0).Named("near"),
			weak,
		).For(fact.Candidates),
	).Inertia(SoldierInertia).Commit(SoldierCommitSeconds)
}

// soldierTree describes a soldier: engage who is in sight, hand to hand or from afar; go after one who cannot be
// engaged or was lost; patrol.
func soldierTree(brain *utility.Evaluator) *aitree.Node {
	target, run := aitree.ChosenTarget(), aitree.NumberOf(0, SoldierRunFactor)
	melee := aitree.Parallel(aitree.One, aitree.One,
		aitree.Repeat(0, aitree.Sequence(
			aitree.Do(action.Seek, target, run, aitree.NumberOf(1, SoldierCloseDistance)).Named("close in"),
			aitree.Wait(0.2),
		)),
		aitree.Do(action.Melee, target),
	)
	ranged := aitree.Parallel(aitree.One, aitree.One,
		aitree.Do(action.Stand, target).Named("take aim"),
		aitree.Do(action.Shoot, target),
	)
	attack := aitree.UtilitySelector(brain, aitree.On("melee", melee), aitree.On("ranged", ranged))
	lastKnown := aitree.Point(fact.LastKnownX, fact.LastKnownY)
	return aitree.ReactiveSelector(
		aitree.Guard(targetVisible, aitree.Guard(aitree.LessEqual(fact.Distance, SoldierEngageDistance), attack)),
		aitree.Guard(targetKnown, aitree.Do(action.Seek, lastKnown, run).Named("go after")),
		aitree.Do(action.Patrol, run, aitree.NumberOf(1, -1)),
	)
}
