package scenario

import (
	"time"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/fact"
	"github.com/flockwork-ai/flockwork/utility"
)

// The settings of a soldier.
const (
	SoldierEngageDistance = 12          // metres within which it attacks
	SoldierInertia        = 0.05        // added to the score of the running attack
	SoldierCommitTime     = time.Second // for which it keeps an attack, so that not all change target at once
	SoldierCloseDistance  = 1.2         // metres to which it closes in
	SoldierRunFactor      = 1.5         // times its walking speed when it runs
	SoldierMaxAttackers   = 4           // of one target at a time

	// soldierRescoreBeyond is the change of a fact, in metres, points of health or attackers, that makes a running
	// choice be scored again.
	soldierRescoreBeyond = 0.5
)

// soldierEvaluator defines how a soldier chooses its attack. The kind of attack depends on the distance of the enemy
// and on the ammunition. The target depends on distance, health and the number of attackers; a target with the most
// attackers allowed is never chosen.
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
	).Inertia(SoldierInertia).Commit(SoldierCommitTime)
}

// soldierTree describes a soldier. In order of priority, it attacks a visible enemy hand to hand or from afar, follows
// an enemy that is too far or was lost, and patrols.
func soldierTree(evaluator *utility.Evaluator) *aitree.Node {
	target, run := aitree.ChosenTarget(), aitree.NumberOf(0, SoldierRunFactor)
	melee := aitree.Parallel(aitree.One, aitree.One,
		aitree.Repeat(0, aitree.Sequence(
			aitree.Do(action.Seek, target, run, aitree.NumberOf(1, SoldierCloseDistance)).Named("close in"),
			aitree.Wait(200*time.Millisecond),
		)),
		aitree.Do(action.Melee, target),
	)
	ranged := aitree.Parallel(aitree.One, aitree.One,
		aitree.Do(action.Stand, target).Named("take aim"),
		aitree.Do(action.Shoot, target),
	)
	attack := aitree.UtilitySelector(evaluator, aitree.On("melee", melee), aitree.On("ranged", ranged))
	lastKnown := aitree.Point(fact.LastKnownX, fact.LastKnownY)
	return aitree.ReactiveSelector(
		aitree.Guard(targetVisible, aitree.Guard(aitree.LessEqual(fact.Distance, SoldierEngageDistance), attack)),
		aitree.Guard(targetKnown, aitree.Do(action.Seek, lastKnown, run).Named("go after")),
		aitree.Do(action.Patrol, run, aitree.NumberOf(1, -1)),
	)
}
