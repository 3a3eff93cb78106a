package scenario

import (
	"time"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/fact"
	"github.com/flockwork-ai/flockwork/utility"
)

// The settings of a villager.
const (
	VillagerInertia         = 0.05 // added to the score of the last choice
	VillagerEatWeight       = 1.2  // the weight of each action's score
	VillagerSleepWeight     = 1.0
	VillagerSocialiseWeight = 0.8
	VillagerWorkWeight      = 0.7
	VillagerNapWeight       = 0.9
	VillagerIdleWeight      = 0.2

	VillagerShiftSeconds = 1800 // seconds of work at a time
	VillagerTalkSeconds  = 1800 // seconds of a talk at most
	VillagerPauseSeconds = 600  // seconds of idling at a time
	VillagerWaitSeconds  = 60   // seconds that it waits where there is no room
)

// The actions of the villager's evaluator.
const (
	choiceEat       = "eat"
	choiceSleep     = "sleep"
	choiceSocialise = "socialise"
	choiceWork      = "work"
	choiceNap       = "nap"
	choiceIdle      = "idle"
)

// villagerEvaluator defines how a villager chooses its activity. It eats, sleeps, socialises and works by its needs and
// the time of day. It naps at any time when it is very tired, and idles when nothing scores higher.
func villagerEvaluator() *utility.Definition {
	return utility.Choose(
		utility.NewAction(choiceEat,
			utility.Consider(fact.Hunger, utility.Logistic(10, 0.5)),
			utility.Consider(fact.Food, utility.Linear()),
		).Weight(VillagerEatWeight),
		utility.NewAction(choiceSleep,
			utility.Consider(fact.Fatigue, utility.Quadratic()),
			utility.Consider(fact.Day, utility.Smoothstep()).Range(1, 0).Named("night"),
		).Weight(VillagerSleepWeight),
		utility.NewAction(choiceSocialise,
			utility.Consider(fact.Loneliness, utility.Linear()),
			utility.Consider(fact.Friends, utility.Smoothstep()),
		).Weight(VillagerSocialiseWeight),
		utility.NewAction(choiceWork,
			utility.Consider(fact.Day, utility.Smoothstep()),
			utility.Consider(fact.Fatigue, utility.Linear()).Range(1, 0).Named("not too tired"),
		).Weight(VillagerWorkWeight),
		utility.NewAction(choiceNap,
			utility.Consider(fact.Fatigue, utility.Logistic(20, 0.9)),
		).Weight(VillagerNapWeight),
		utility.NewAction(choiceIdle).Weight(VillagerIdleWeight),
	).Inertia(VillagerInertia)
}

// villagerTree describes a villager: it completes the activity that its evaluator chose, and then chooses again.
// Each choice begins with a walk, which calls the hook that choiceHook returns for the choice; choiceHook may be nil.
func villagerTree(evaluator *utility.Evaluator, choiceHook func(choice string) func(components.Entity)) *aitree.Node {
	walkTo := func(choice, name string, to blackboard.Fact, enough float32) *aitree.Node {
		walk := aitree.Do(action.Seek, aitree.Target(to), aitree.NumberOf(1, enough)).Named(name)
		if choiceHook != nil {
			walk.OnEnter(choiceHook(choice))
		}
		return walk
	}
	rest := func(name string, seconds float32) *aitree.Node {
		return aitree.Do(action.Rest, aitree.NumberOf(0, seconds)).Named(name)
	}
	sleep := func(choice string, enough float32) *aitree.Node {
		return aitree.Selector(
			aitree.Sequence(
				walkTo(choice, "go to bed", fact.Bed, 1),
				aitree.Do(action.Sleep, aitree.Target(fact.Bed), aitree.NumberOf(1, enough)),
			),
			aitree.Do(action.Sleep, aitree.NumberOf(1, enough)).Named("sleep without a bed"),
		)
	}
	return aitree.UtilitySelector(evaluator,
		aitree.On(choiceEat, aitree.Selector(
			aitree.Sequence(
				walkTo(choiceEat, "go to eat", fact.Store, 1.5),
				aitree.Do(action.Eat, aitree.Target(fact.Store)),
			),
			rest("wait for a seat", VillagerWaitSeconds),
		)),
		aitree.On(choiceSleep, sleep(choiceSleep, 0)),
		aitree.On(choiceSocialise, aitree.Sequence(
			aitree.Timeout(30*time.Second, walkTo(choiceSocialise, "go to a friend", fact.Friend, 2)),
			aitree.Do(action.Socialise, aitree.NumberOf(0, VillagerTalkSeconds)),
		)),
		aitree.On(choiceWork, aitree.Selector(
			aitree.Sequence(
				walkTo(choiceWork, "go to work", fact.Work, 1.5),
				aitree.Do(action.Work, aitree.Target(fact.Work), aitree.NumberOf(0, VillagerShiftSeconds)),
			),
			rest("wait for a post", VillagerPauseSeconds),
		)),
		aitree.On(choiceNap, sleep(choiceNap, 0.5)),
		aitree.On(choiceIdle, aitree.Sequence(
			aitree.Selector(
				aitree.Sequence(
					aitree.Check(aitree.Less(fact.Day, 0.5)),
					walkTo(choiceIdle, "stay at home", fact.Bed, 1),
				),
				walkTo(choiceIdle, "go to the square", fact.Square, 4),
				rest("stay", VillagerWaitSeconds),
			),
			rest("idle", VillagerPauseSeconds),
		)),
	).HoldUntilDone().RememberChoice()
}
