package benchmarks

import (
	"fmt"

	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/utility"
)

// The villager chooses between four actions by seven facts, with eight considerations:
//
//	eat        1.2  hunger, logistic of steepness 10 about ½;  food, linear
//	sleep      1.0  fatigue, quadratic;                        night, smoothstep
//	socialize  0.8  loneliness, linear;                        friends near, smoothstep
//	work       0.7  day, smoothstep;                           1 - fatigue, linear
//
// Two considerations make a score by their product p, compensated: p + (1-p)·½·p. The best score wins, that of the
// action in force raised by 0.05 if it is above 0.

// villagerNeeds is the facts of a villager, all of 0..1.
type villagerNeeds struct{ Hunger, Food, Fatigue, Night, Loneliness, Friends, Day float32 }

// The villager's actions. A Choice holds the number plus one.
const (
	eat = iota
	sleep
	socialize
	work
	villagerActions
)

var villagerActionNames = [villagerActions]string{eat: "eat", sleep: "sleep", socialize: "socialize", work: "work"}

var villagerWeights = [villagerActions]float32{eat: 1.2, sleep: 1, socialize: 0.8, work: 0.7}

const (
	hungerSteepness = 10
	hungerMiddle    = 0.5
	villagerInertia = 0.05
)

// villagerEvaluator compiles the villager's choice.
func villagerEvaluator() *utility.Evaluator {
	fact := func(name string, field func(*villagerNeeds) *float32) blackboard.Fact {
		return blackboard.FloatFact(name, field, 0)
	}
	hunger := fact("hunger", func(n *villagerNeeds) *float32 { return &n.Hunger })
	food := fact("food", func(n *villagerNeeds) *float32 { return &n.Food })
	fatigue := fact("fatigue", func(n *villagerNeeds) *float32 { return &n.Fatigue })
	night := fact("night", func(n *villagerNeeds) *float32 { return &n.Night })
	loneliness := fact("loneliness", func(n *villagerNeeds) *float32 { return &n.Loneliness })
	friends := fact("friends near", func(n *villagerNeeds) *float32 { return &n.Friends })
	day := fact("day", func(n *villagerNeeds) *float32 { return &n.Day })

	action := func(number int, considerations ...*utility.Consideration) *utility.Action {
		weight := float64(villagerWeights[number])
		return utility.NewAction(villagerActionNames[number], considerations...).Weight(weight)
	}
	return must(utility.Build("villager", utility.Choose(
		action(eat,
			utility.Consider(hunger, utility.Logistic(hungerSteepness, hungerMiddle)),
			utility.Consider(food, utility.Linear())),
		action(sleep,
			utility.Consider(fatigue, utility.Quadratic()),
			utility.Consider(night, utility.Smoothstep())),
		action(socialize,
			utility.Consider(loneliness, utility.Linear()),
			utility.Consider(friends, utility.Smoothstep())),
		action(work,
			utility.Consider(day, utility.Smoothstep()),
			utility.Consider(fatigue, utility.Linear().Inverted()).Named("rested")),
	).Inertia(villagerInertia)))
}

// villagerContestant is one way to let villagers choose.
type villagerContestant struct {
	name   string
	crowd  *villagers
	tick   func() // lets every villager choose once: what is timed
	before func() // readies the contestant for a tick; not timed
	idle   bool   // chooses nothing
}

// Names of the contestants; the others are those of the guards' contestants.
const (
	byClosures      = "closures, dictionary blackboard"
	byFieldClosures = "closures, struct blackboard"
	byWriting       = "writing the dictionaries"
	byScorer        = "batch scorer"
)

// newVillagerContestants makes the contestants, each with villagers of its own. They live alike.
func newVillagerContestants(agents int, seed uint64) []*villagerContestant {
	return []*villagerContestant{
		newClosureContestant(byClosures, agents, seed, true),
		newClosureContestant(byFieldClosures, agents, seed, false),
		newWritingContestant(agents, seed),
		newVillagerHandContestant(agents, seed),
		newScorerContestant(agents, seed),
		newVillagerIterationContestant(agents, seed),
	}
}

// newVillagerIterationContestant reads a word of the facts and of the choice of every villager, and chooses nothing.
func newVillagerIterationContestant(agents int, seed uint64) *villagerContestant {
	c := newVillagers(agents, seed)
	filter := generic.NewFilter2[villagerNeeds, components.Choice]()
	filter.Register(c.world)
	sum := float32(0)
	return &villagerContestant{name: byIteration, crowd: c, idle: true, tick: func() {
		query := filter.Query(c.world)
		for query.Next() {
			needs, choice := query.Get()
			sum += needs.Hunger + float32(choice.Action)
		}
	}}
}

// between is what happens between two ticks.
func (c *villagerContestant) between() {
	c.crowd.between()
	c.ready()
}

func (c *villagerContestant) ready() {
	if c.before != nil {
		c.before()
	}
}

// CompareVillagers lets every contestant choose for a crowd of villagers, in turn and in another order in each
// repetition. Between ticks all facts change, the same for all contestants; that is not part of the times, nor is the
// writing of the dictionaries, which is a row of its own.
//
// Panics when a number is not positive.
func CompareVillagers(agents, repetitions, ticks int) *Comparison {
	checkNumbers("CompareVillagers", agents, repetitions, ticks)
	all := newVillagerContestants(agents, 1)
	racers := make([]racer, len(all))
	for i, c := range all {
		racers[i] = racer{name: c.name, tick: c.tick, between: c.between}
	}
	result := newComparison("the villager's utility", racers, agents, repetitions, ticks)
	result.decided = "choices"
	result.Notes = []string{
		"between ticks all facts change a little",
		"utility_vs_closures is about closures over dictionaries that hold the facts already: writing them is a row of",
		"its own and no part of it; the struct blackboard is a pointer to the component",
	}
	for _, c := range all {
		if !c.idle && sameChoices(all[0].crowd, c.crowd) != "" {
			result.Equal = false
		}
	}
	for action, n := range all[0].crowd.choosing() {
		result.Doing[append(villagerActionNames[:], "nothing")[action]] = float64(n) / float64(agents)
	}
	result.compare("utility_vs_closures", byScorer, byClosures)
	result.compare("utility_vs_struct_closures", byScorer, byFieldClosures)
	result.compare("utility_vs_scalar", byScorer, byHand)
	return result
}

// choosing counts the villagers by the action of their choice; the last count is of those without any.
func (c *villagers) choosing() (counts [villagerActions + 1]int) {
	query := c.choices.Query(c.world)
	for query.Next() {
		action := int(query.Get().Action) - 1
		if action < 0 {
			action = villagerActions
		}
		counts[action]++
	}
	return counts
}

// sameChoices returns how the choices of the first villager for which two crowds differ in them do, or "".
func sameChoices(a, b *villagers) string {
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
