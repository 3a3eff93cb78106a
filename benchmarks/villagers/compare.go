package villagers

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
)

// Compare measures all contestants. In every tick all villagers choose. Between ticks all facts change, equally for all
// contestants; that is not part of the times. The writing of the dictionaries is not part of the time of the closures:
// it is measured as a separate contestant.
//
// Panics when a number is not positive.
func Compare(agents, repetitions, ticks int) *harness.Comparison {
	harness.RequirePositive("villagers.Compare", agents, repetitions, ticks)
	all := newContestants(agents, 1)
	measured := make([]harness.Contestant, len(all))
	for i, c := range all {
		measured[i] = harness.Contestant{Name: c.name, Tick: c.tick, Between: c.between}
	}
	result := harness.Compare("the villager's utility", measured, agents, repetitions, ticks)
	result.Decisions = "choices"
	result.Notes = []string{
		"between ticks all facts change a little",
		"utility_vs_closures is about closures over dictionaries that hold the facts already: writing the dictionaries",
		"is measured separately; the struct blackboard is a pointer to the component",
	}
	for _, c := range all {
		if !c.idle && sameChoices(all[0].crowd, c.crowd) != "" {
			result.Equal = false
		}
	}
	for action, n := range all[0].crowd.countByAction() {
		result.Doing[append(actionNames[:], "nothing")[action]] = float64(n) / float64(agents)
	}
	result.SetRatio("utility_vs_closures", byScorer, byClosures)
	result.SetRatio("utility_vs_struct_closures", byScorer, byStructClosures)
	result.SetRatio("utility_vs_scalar", byScorer, byHand)
	return result
}

// countByAction returns the number of villagers by the action of their choice. The last number is of those without one.
func (c *crowd) countByAction() (counts [actionCount + 1]int) {
	query := c.choices.Query(c.world)
	for query.Next() {
		action := int(query.Get().Action) - 1
		if action < 0 {
			action = actionCount
		}
		counts[action]++
	}
	return counts
}

// sameChoices compares the choices of two crowds. It returns those of the first villager for which they differ, or "".
func sameChoices(a, b *crowd) string {
	x, y := a.choices.Query(a.world), b.choices.Query(b.world)
	defer x.Close()
	defer y.Close()
	if x.Count() != y.Count() {
		return fmt.Sprintf("%d villagers and %d", x.Count(), y.Count())
	}
	for range x.Count() {
		x.Next()
		y.Next()
		if x.Entity() != y.Entity() || *x.Get() != *y.Get() {
			return fmt.Sprintf("villager %v: %+v\nvillager %v: %+v", x.Entity(), *x.Get(), y.Entity(), *y.Get())
		}
	}
	return ""
}
