package sim

import (
	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems"
)

// The villager's numbers.
const (
	VillagerWorks  = 1800 // seconds at a stretch
	VillagerTalks  = 1800 // seconds at most
	VillagerIdles  = 600  // seconds at a stretch
	VillagerQueues = 60   // seconds, where a place is taken
)

// villagerBranches are what a villager can do. Each begins with a way, which reports the choice.
type villagerBranches struct {
	eat, sleep, socialise, work, idle *aitree.Node
}

// newVillagerBranches describes what a villager can do; chose, which may be nil, returns the hook of a choice.
func newVillagerBranches(chose func(choice) func(components.Entity)) villagerBranches {
	facts := &systems.NeedFacts
	way := func(c choice, name string, to components.Fact, enough float32) *aitree.Node {
		walk := aitree.Do(systems.SeekAction, aitree.Target(to), aitree.NumberOf(1, enough)).Named(name)
		if chose != nil {
			walk.OnEnter(chose(c))
		}
		return walk
	}
	queue := aitree.Do(systems.RestAction, aitree.NumberOf(0, VillagerQueues))
	rest := aitree.Do(systems.RestAction, aitree.NumberOf(0, VillagerIdles))
	isNight := aitree.Greater(facts.Night, 0.5)
	return villagerBranches{
		eat: aitree.Selector(
			aitree.Sequence(way(choseEating, "go to eat", facts.Store, 1.5), aitree.Do(systems.EatAction, aitree.Target(facts.Store))),
			queue,
		),
		sleep: aitree.Selector(
			aitree.Sequence(way(choseSleeping, "go to bed", facts.Bed, 1), aitree.Do(systems.SleepAction, aitree.Target(facts.Bed))),
			aitree.Do(systems.SleepAction).Named("sleep without a bed"),
		),
		socialise: aitree.Sequence(
			aitree.Timeout(30, way(choseSocialising, "go to a friend", facts.Friend, 2)),
			aitree.Do(systems.SocialiseAction, aitree.NumberOf(0, VillagerTalks)),
		),
		work: aitree.Selector(
			aitree.Sequence(way(choseWorking, "go to work", facts.Work, 1.5), aitree.Do(systems.WorkAction, aitree.Target(facts.Work), aitree.NumberOf(0, VillagerWorks))),
			queue,
		),
		idle: aitree.Sequence(
			aitree.Selector(
				aitree.Sequence(aitree.Check(isNight), way(choseIdling, "stay at home", facts.Bed, 1)),
				way(choseIdling, "go to the square", facts.Square, 4),
				aitree.ForceSuccess(aitree.Do(systems.RestAction, aitree.NumberOf(0, VillagerQueues)).Named("stay")),
			),
			rest,
		),
	}
}
