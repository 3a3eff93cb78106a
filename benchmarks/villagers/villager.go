package villagers

import (
	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/utility"
)

// The villager chooses between four actions by seven facts, with eight considerations:
//
//	eat        1.2  hunger, logistic of steepness 10 about ½;  food, linear
//	sleep      1.0  fatigue, quadratic;                        night, smoothstep
//	socialise  0.8  loneliness, linear;                        friends near, smoothstep
//	work       0.7  day, smoothstep;                           1 - fatigue, linear
//
// The score of two considerations is their product p, compensated: p + (1-p)·½·p. The action with the best score wins;
// 0.05 is added to the score of the current action if it is above 0.

// facts are the facts of a villager, all of them 0..1.
type facts struct{ Hunger, Food, Fatigue, Night, Loneliness, Friends, Day float32 }

// The villager's actions. A Choice holds the number plus one.
const (
	eat = iota
	sleep
	socialise
	work
	actionCount
)

var actionNames = [actionCount]string{eat: "eat", sleep: "sleep", socialise: "socialise", work: "work"}

var weights = [actionCount]float32{eat: 1.2, sleep: 1, socialise: 0.8, work: 0.7}

const (
	hungerSteepness = 10
	hungerMiddle    = 0.5
	inertia         = 0.05
)

// newEvaluator compiles the villager's choice.
func newEvaluator() *utility.Evaluator {
	fact := func(name string, field func(*facts) *float32) blackboard.Fact {
		return blackboard.FloatFact(name, field, 0)
	}
	hunger := fact("hunger", func(n *facts) *float32 { return &n.Hunger })
	food := fact("food", func(n *facts) *float32 { return &n.Food })
	fatigue := fact("fatigue", func(n *facts) *float32 { return &n.Fatigue })
	night := fact("night", func(n *facts) *float32 { return &n.Night })
	loneliness := fact("loneliness", func(n *facts) *float32 { return &n.Loneliness })
	friends := fact("friends near", func(n *facts) *float32 { return &n.Friends })
	day := fact("day", func(n *facts) *float32 { return &n.Day })

	action := func(number int, considerations ...*utility.Consideration) *utility.Action {
		weight := float64(weights[number])
		return utility.NewAction(actionNames[number], considerations...).Weight(weight)
	}
	return harness.Must(utility.Build("villager", utility.Choose(
		action(eat,
			utility.Consider(hunger, utility.Logistic(hungerSteepness, hungerMiddle)),
			utility.Consider(food, utility.Linear())),
		action(sleep,
			utility.Consider(fatigue, utility.Quadratic()),
			utility.Consider(night, utility.Smoothstep())),
		action(socialise,
			utility.Consider(loneliness, utility.Linear()),
			utility.Consider(friends, utility.Smoothstep())),
		action(work,
			utility.Consider(day, utility.Smoothstep()),
			utility.Consider(fatigue, utility.Linear().Inverted()).Named("rested")),
	).Inertia(inertia)))
}
