package utility_test

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/utility"
)

// villagerNeeds is a component of the user's. Its fields are facts.
type villagerNeeds struct {
	Hunger  float32 // 0..100
	Fatigue float32 // 0..100
	HasFood bool
}

var (
	villagerHunger  = blackboard.FloatFact("hunger", func(n *villagerNeeds) *float32 { return &n.Hunger }, 0)
	villagerFatigue = blackboard.FloatFact("fatigue", func(n *villagerNeeds) *float32 { return &n.Fatigue }, 0)
	villagerHasFood = blackboard.BoolFact("has food", func(n *villagerNeeds) *bool { return &n.HasFood }, false)
)

// villager eats when it is hungry and has food, sleeps when it is very tired, and works otherwise.
func villager() *utility.Definition {
	return utility.Choose(
		utility.NewAction("eat",
			utility.Consider(villagerHunger, utility.Quadratic()).Range(0, 100),
			utility.Consider(villagerHasFood, utility.Linear()).Gate()),
		utility.NewAction("sleep",
			utility.Consider(villagerFatigue, utility.Logistic(12, 0.7)).Range(0, 100)),
		utility.NewAction("work").Weight(0.3),
	).Inertia(0.1)
}

// A mistake in a description is an error that says where it is.
func ExampleBuild() {
	evaluator, err := utility.Build("villager", villager())
	fmt.Println(evaluator.Actions(), err)

	_, err = utility.Build("farmer", utility.Choose(
		utility.NewAction("sleep", utility.Consider(villagerFatigue, utility.Bell(0.5, 0)))))
	fmt.Println(strings.ReplaceAll(err.Error(), "; ", ";\n"))
	// Output:
	// [eat sleep work] <nil>
	// utility: evaluator "farmer" > action "sleep" > consideration "fatigue": curve Bell: a deviation of 0;
	// use more than 0
}

// Three villagers decide together, without a world: each has a lane of the facts and a choice.
func ExampleScorer() {
	evaluator, err := utility.Build("villager", villager())
	if err != nil {
		fmt.Println(err)
		return
	}
	scorer := utility.NewScorer(evaluator, 3)
	for agent, needs := range []villagerNeeds{
		{Hunger: 80, HasFood: true},
		{Hunger: 80}, // hungry, and without food: the gate vetoes to eat
		{Hunger: 20, Fatigue: 90, HasFood: true},
	} {
		scorer.Facts.SetFloat(villagerHunger, agent, needs.Hunger)
		scorer.Facts.SetFloat(villagerFatigue, agent, needs.Fatigue)
		scorer.Facts.SetBool(villagerHasFood, agent, needs.HasFood)
	}
	scorer.Now = 1e9
	scorer.Decide()
	for agent := range scorer.Choices {
		fmt.Println("villager", agent, "will", scorer.Action(agent))
	}

	// The first is less hungry now. The action in force has a bonus, so the villager continues.
	scorer.Facts.SetFloat(villagerHunger, 0, 50)
	scorer.Now += 1e9
	scorer.Decide()
	fmt.Println("villager 0 will", scorer.Action(0), "since second", scorer.Choices[0].Since/1e9)
	// Output:
	// villager 0 will eat
	// villager 1 will work
	// villager 2 will sleep
	// villager 0 will eat since second 1
}

// At gives the values of a curve.
func ExampleCurve() {
	linear := utility.Linear()
	late := utility.Polynomial(3)
	threshold := utility.Logistic(12, 0.5)
	rarely := utility.Quadratic().Inverted()
	moods := utility.Piecewise(utility.Point{X: 0, Y: 0.2}, utility.Point{X: 0.5, Y: 1}, utility.Point{X: 1, Y: 0})
	fmt.Println("input   linear   late   threshold   rarely   moods")
	for _, x := range []float32{0, 0.25, 0.5, 0.75, 1} {
		fmt.Printf("%5.2f %8.2f %6.2f %11.2f %8.2f %7.2f\n", x, linear.At(x), late.At(x), threshold.At(x), rarely.At(x),
			moods.At(x))
	}
	// Output:
	// input   linear   late   threshold   rarely   moods
	//  0.00     0.00   0.00        0.00     1.00    0.20
	//  0.25     0.25   0.02        0.05     0.94    0.60
	//  0.50     0.50   0.12        0.50     0.75    1.00
	//  0.75     0.75   0.42        0.95     0.44    0.50
	//  1.00     1.00   1.00        1.00     0.00    0.00
}

// An action for a list is scored for each target of the list: here the hostiles that an agent perceives.
func ExampleAction_For() {
	hostiles := blackboard.ListOf("hostiles",
		func(c *components.Candidates) []components.Candidate { return c.List[:] },
		func(c *components.Candidates) *uint8 { return &c.Count },
		func(c *components.Candidate) *components.Entity { return &c.Entity })
	distance := blackboard.FloatFact("distance", func(c *components.Candidate) *float32 { return &c.Distance }, 1000)
	health := blackboard.IntFact("health", func(c *components.Candidate) *int16 { return &c.Health }, 100)

	guard, err := utility.Build("guard", utility.Choose(
		utility.NewAction("attack", // prefers near and weak ones
			utility.Consider(distance, utility.Linear().Inverted()).Range(0, 30),
			utility.Consider(health, utility.Linear().Slope(-0.5).ShiftY(1)).Range(0, 100)).For(hostiles),
		utility.NewAction("patrol").Weight(0.2)))
	if err != nil {
		fmt.Println(err)
		return
	}
	scorer := utility.NewScorer(guard, 1)
	facts := scorer.Facts
	facts.SetInt(hostiles.Count(), 0, 2)
	for i, c := range []components.Candidate{
		{Entity: components.Entity{Index: 7}, Distance: 9, Health: 100},
		{Entity: components.Entity{Index: 8}, Distance: 12, Health: 20},
	} {
		facts.SetEntity(hostiles.Entity(i), 0, c.Entity)
		facts.SetFloat(hostiles.Field(i, distance), 0, c.Distance)
		facts.SetInt(hostiles.Field(i, health), 0, int64(c.Health))
	}

	scorer.Decide()
	fmt.Println(scorer.Action(0), "entity", scorer.Choices[0].Target.Index)
	// Output:
	// attack entity 8
}

// An explanation shows each option with its considerations. "not needed" marks what the decision did not compute.
func ExampleScorer_Explain() {
	evaluator, err := utility.Build("villager", villager())
	if err != nil {
		fmt.Println(err)
		return
	}
	scorer := utility.NewScorer(evaluator, 1)
	scorer.Facts.SetFloat(villagerHunger, 0, 80)
	scorer.Facts.SetFloat(villagerFatigue, 0, 60)
	fmt.Print(scorer.Explain(0))
	// Output:
	// villager: best score: work
	//   eat                      score 0.0000, vetoed, not needed
	//       hunger                        80.0000 -> 0.8000 -> 0.6400 not needed
	//       has food                       0.0000 -> 0.0000 -> 0.0000 gate
	// 2 sleep                    score 0.2315
	//       fatigue                       60.0000 -> 0.6000 -> 0.2315
	// > work                     score 0.3000
}

// A custom input computes a number from facts.
func ExampleNewInput() {
	danger := utility.NewInput("danger", func(c *blackboard.Context, out *[64]float32) {
		hunger, fatigue := c.Float(0), c.Float(1)
		for m := c.Mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros64(m)
			out[lane] = max(hunger[lane], fatigue[lane])
		}
	}).Reads(villagerHunger, villagerFatigue)
	evaluator, err := utility.Build("villager", utility.Choose(
		utility.NewAction("rest", utility.ConsiderInput(danger, utility.Linear()).Range(0, 100)),
		utility.NewAction("work").Weight(0.5)))
	if err != nil {
		fmt.Println(err)
		return
	}
	scorer := utility.NewScorer(evaluator, 2)
	scorer.Facts.SetFloat(villagerFatigue, 0, 70)
	scorer.Facts.SetFloat(villagerHunger, 1, 20)
	scorer.Decide()
	fmt.Println(scorer.Action(0), "and", scorer.Action(1))
	// Output:
	// rest and work
}
