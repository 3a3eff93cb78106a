package explain_test

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/utility"
	"github.com/flockwork-ai/flockwork/utility/explain"
)

// The fields of an explanation are for tools; String prints them all.
func ExampleChoice() {
	type needs struct{ Hunger, Fatigue float32 } // 0..100
	hunger := blackboard.FloatFact("hunger", func(n *needs) *float32 { return &n.Hunger }, 0)
	fatigue := blackboard.FloatFact("fatigue", func(n *needs) *float32 { return &n.Fatigue }, 0)
	evaluator, err := utility.Build("villager", utility.Choose(
		utility.NewAction("eat", utility.Consider(hunger, utility.Quadratic()).Range(0, 100)),
		utility.NewAction("sleep", utility.Consider(fatigue, utility.Linear()).Range(0, 100)).Weight(0.5)))
	if err != nil {
		fmt.Println(err)
		return
	}
	scorer := utility.NewScorer(evaluator, 1)
	scorer.Facts.SetFloat(hunger, 0, 60)
	scorer.Facts.SetFloat(fatigue, 0, 50)

	var choice *explain.Choice = scorer.Explain(0)
	chosen := choice.Options[choice.Chosen]
	fmt.Printf("%s because of %v, with a score of %.2f\n\n", chosen.Action, choice.Reason, chosen.Score)
	fmt.Print(choice)
	// Output:
	// eat because of best score, with a score of 0.36
	//
	// villager: best score: eat
	// > eat                      score 0.3600
	//       hunger                        60.0000 -> 0.6000 -> 0.3600
	// 2 sleep                    score 0.2500
	//       fatigue                       50.0000 -> 0.5000 -> 0.5000
}
