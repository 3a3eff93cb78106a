package sim

import (
	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems"
)

// villagerTree describes a villager by thresholds.
func villagerTree(chose func(choice) func(components.Entity)) *aitree.Node {
	facts := &systems.NeedFacts
	b := newVillagerBranches(chose)
	when := func(child *aitree.Node, conditions ...*aitree.Condition) *aitree.Node {
		list := []*aitree.Node{}
		for _, c := range conditions {
			list = append(list, aitree.Check(c))
		}
		return aitree.Sequence(append(list, child)...)
	}
	return aitree.Selector(
		when(b.eat, aitree.Greater(facts.Hunger, 0.5), aitree.Greater(facts.Food, 0)),
		when(b.sleep, aitree.Greater(facts.Night, 0.5), aitree.Greater(facts.Fatigue, 0.4)),
		when(b.socialise, aitree.Greater(facts.Loneliness, 0.5), aitree.Greater(facts.Friends, 0)),
		when(b.work, aitree.Greater(facts.Day, 0.5), aitree.Less(facts.Fatigue, 0.7)),
		b.idle,
	)
}
