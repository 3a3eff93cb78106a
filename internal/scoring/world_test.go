package scoring_test

import (
	"slices"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/utility"
)

// The components of tests that make custom facts: slots of an agent, and the same of its targets.
type self struct{ Floats [24]float32 }

type other struct {
	Entity components.Entity
	self
}

type others struct {
	List  [blackboard.MaxListed]other
	Count uint8
}

var otherList = blackboard.ListOf("others", func(o *others) []other { return o.List[:] },
	func(o *others) *uint8 { return &o.Count }, func(o *other) *components.Entity { return &o.Entity })

// targetFact is a slot of a target.
func targetFact(name string, slot int) blackboard.Fact {
	return blackboard.FloatFact(name, func(o *other) *float32 { return &o.Floats[slot] }, 0)
}

// slotOf is a slot of an agent.
func slotOf(name string, slot int) blackboard.Fact {
	return blackboard.FloatFact(name, func(s *self) *float32 { return &s.Floats[slot] }, 0)
}

func reads(e *utility.Evaluator, f blackboard.Fact) bool {
	return slices.ContainsFunc(e.Facts(), f.Same)
}

var combinations = map[string]utility.Combination{
	"compensated": utility.Compensated, "compensated_each": utility.CompensatedEach, "product": utility.Product,
	"weighted_sum": utility.WeightedSum, "geometric_mean": utility.GeometricMean,
	"min": utility.Min, "max": utility.Max,
}

var (
	hunger   = slotFact(0)
	distance = targetFact("distance", 0)
)

// one is a choice of one action with one consideration.
func one(k *utility.Consideration) *utility.Definition {
	return utility.Choose(utility.NewAction("eat", k))
}
