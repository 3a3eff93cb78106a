package sim

import (
	"time"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/utility"
)

// The villager's numbers. Those of eating, sleeping, socialising and working are the classic villager's.
const (
	VillagerInertia   = 0.05 // score that the last choice has ahead
	VillagerEats      = 1.2  // weights
	VillagerSleeps    = 1.0
	VillagerSocialise = 0.8
	VillagerWorks     = 0.7
	VillagerNaps      = 0.9
	VillagerIdles     = 0.2

	VillagerShift = 1800 // seconds at work in one go
	VillagerTalk  = 1800 // seconds at most
	VillagerPause = 600  // seconds of doing nothing in one go
	VillagerWaits = 60   // seconds, where there is no seat
)

// The actions of the villager's brain.
const (
	villagerEats       = "eat"
	villagerSleeps     = "sleep"
	villagerSocialises = "socialise"
	villagerWorks      = "work"
	villagerNaps       = "nap"
	villagerIdles      = "idle"
)

// VillagerBrain describes what a villager weighs up. Beside the four classic actions it naps when it can hardly stand,
// whatever the hour, and idles when nothing is worth more.
func VillagerBrain() *utility.Definition {
	facts := &systems.NeedFacts
	return utility.Choose(
		utility.NewAction(villagerEats,
			utility.Consider(facts.Hunger, utility.Logistic(10, 0.5)),
			utility.Consider(facts.Food, utility.Linear()),
		).Weight(VillagerEats),
		utility.NewAction(villagerSleeps,
			utility.Consider(facts.Fatigue, utility.Quadratic()),
			utility.Consider(facts.Day, utility.Smoothstep()).Range(1, 0).Named("night"),
		).Weight(VillagerSleeps),
		utility.NewAction(villagerSocialises,
			utility.Consider(facts.Loneliness, utility.Linear()),
			utility.Consider(facts.Friends, utility.Smoothstep()),
		).Weight(VillagerSocialise),
		utility.NewAction(villagerWorks,
			utility.Consider(facts.Day, utility.Smoothstep()),
			utility.Consider(facts.Fatigue, utility.Linear()).Range(1, 0).Named("not too tired"),
		).Weight(VillagerWorks),
		utility.NewAction(villagerNaps,
			utility.Consider(facts.Fatigue, utility.Logistic(20, 0.9)),
		).Weight(VillagerNaps),
		utility.NewAction(villagerIdles).Weight(VillagerIdles),
	).Inertia(VillagerInertia)
}

// VillagerTree describes a villager: it does what its brain chooses, and chooses anew when that is done. Each choice
// begins with a way, whose hook is what chose returns for the choice; chose may be nil.
func VillagerTree(brain *utility.Evaluator, chose func(action string) func(components.Entity)) *aitree.Node {
	facts := &systems.NeedFacts
	way := func(action, name string, to blackboard.Fact, enough float32) *aitree.Node {
		walk := aitree.Do(systems.SeekAction, aitree.Target(to), aitree.NumberOf(1, enough)).Named(name)
		if chose != nil {
			walk.OnEnter(chose(action))
		}
		return walk
	}
	rest := func(name string, seconds float32) *aitree.Node {
		return aitree.Do(systems.RestAction, aitree.NumberOf(0, seconds)).Named(name)
	}
	sleep := func(action string, enough float32) *aitree.Node {
		return aitree.Selector(
			aitree.Sequence(
				way(action, "go to bed", facts.Bed, 1),
				aitree.Do(systems.SleepAction, aitree.Target(facts.Bed), aitree.NumberOf(1, enough)),
			),
			aitree.Do(systems.SleepAction, aitree.NumberOf(1, enough)).Named("sleep without a bed"),
		)
	}
	return aitree.UtilitySelector(brain,
		aitree.On(villagerEats, aitree.Selector(
			aitree.Sequence(
				way(villagerEats, "go to eat", facts.Store, 1.5),
				aitree.Do(systems.EatAction, aitree.Target(facts.Store)),
			),
			rest("wait for a seat", VillagerWaits),
		)),
		aitree.On(villagerSleeps, sleep(villagerSleeps, 0)),
		aitree.On(villagerSocialises, aitree.Sequence(
			aitree.Timeout(30*time.Second, way(villagerSocialises, "go to a friend", facts.Friend, 2)),
			aitree.Do(systems.SocialiseAction, aitree.NumberOf(0, VillagerTalk)),
		)),
		aitree.On(villagerWorks, aitree.Selector(
			aitree.Sequence(
				way(villagerWorks, "go to work", facts.Work, 1.5),
				aitree.Do(systems.WorkAction, aitree.Target(facts.Work), aitree.NumberOf(0, VillagerShift)),
			),
			rest("wait for a post", VillagerPause),
		)),
		aitree.On(villagerNaps, sleep(villagerNaps, 0.5)),
		aitree.On(villagerIdles, aitree.Sequence(
			aitree.Selector(
				aitree.Sequence(
					aitree.Check(aitree.Less(facts.Day, 0.5)),
					way(villagerIdles, "stay at home", facts.Bed, 1),
				),
				way(villagerIdles, "go to the square", facts.Square, 4),
				rest("stay", VillagerWaits),
			),
			rest("idle", VillagerPause),
		)),
	).HoldUntilDone().RememberChoice()
}
