package fact_test

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/fact"
)

// A tree reads facts of the standard components and posts standard actions.
func Example() {
	actions := aitree.NewActions()
	if _, err := action.Register(actions); err != nil {
		fmt.Println(err)
		return
	}
	guard, err := aitree.Build("guard", actions, aitree.ReactiveSelector(
		aitree.Guard(aitree.True(fact.Visible), aitree.Do(action.Seek, aitree.Target(fact.Target))),
		aitree.Do(action.Patrol),
	))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("tree:", guard.Name())
	for _, f := range guard.Facts() {
		fmt.Println("reads:", f.Name())
	}
	// Output:
	// tree: guard
	// reads: target visible
	// reads: target
}
