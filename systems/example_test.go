package systems_test

import (
	"fmt"
	"log"
	"time"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/fact"
	"github.com/flockwork-ai/flockwork/utility"
)

// A soldier strikes who is near and shoots at who is further away, as long as there is ammunition. README.md shows it.
func Example_utility() {
	evaluator, err := utility.Build("soldier", utility.Choose(
		utility.NewAction("melee",
			utility.Consider(fact.CandidateDistance, utility.Smoothstep()).Range(6, 1),
		).For(fact.Candidates),
		utility.NewAction("ranged",
			utility.Consider(fact.CandidateDistance, utility.Smoothstep()).Range(2, 14),
			utility.Consider(fact.AmmoShare, utility.Linear()).Gate(),
		).For(fact.Candidates),
	).Inertia(0.05).Commit(time.Second))
	if err != nil {
		log.Fatal(err)
	}
	attack := aitree.UtilitySelector(evaluator,
		aitree.On("melee", aitree.Do(action.Melee, aitree.ChosenTarget())),
		aitree.On("ranged", aitree.Do(action.Shoot, aitree.ChosenTarget())))

	actions := aitree.NewActions()
	if _, err := action.Register(actions); err != nil {
		log.Fatal(err)
	}
	soldier, err := aitree.Build("soldier", actions, attack)
	if err != nil {
		log.Fatal(err)
	}
	block := aitree.NewBlock(soldier, 1)
	lanes := block.Facts
	now := components.Timestamp(0)
	tick := func(ammo float32, distances ...float32) { // of hostiles 1, 2, …
		lanes.SetFloat(fact.AmmoShare, 0, ammo)
		lanes.SetInt(fact.Candidates.Count(), 0, int64(len(distances)))
		for i, d := range distances {
			lanes.SetEntity(fact.Candidates.Entity(i), 0, components.Entity{Index: uint32(i + 1)})
			lanes.SetFloat(fact.Candidates.Field(i, fact.CandidateDistance), 0, d)
		}
		now += 2e9 // longer than it is committed
		block.Tick(now)
		order := block.Order(0, components.Act)
		fmt.Printf("hostiles at %v m: %s %d\n", distances, actions.Name(order.Action), order.Target.Index)
	}
	tick(1, 9, 12)
	tick(1, 2, 9)
	tick(1, 8, 1.5)
	tick(0, 4, 12)
	// Output:
	// hostiles at [9 12] m: shoot 2
	// hostiles at [2 9] m: melee 1
	// hostiles at [8 1.5] m: melee 2
	// hostiles at [4 12] m: melee 1
}
