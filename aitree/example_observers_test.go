package aitree_test

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// The four settings of an observer that other engines attach to a branch. MIGRATION.md shows them.
func Example_observers() {
	type dog struct{ Bell bool }
	rings := blackboard.BoolFact("rings", func(d *dog) *bool { return &d.Bell }, false)
	bell := aitree.True(rings)
	branch, rest := aitree.Do("eat"), aitree.Do("nap")

	none := aitree.Selector(aitree.Sequence(aitree.Check(bell), branch), rest)
	self := aitree.Selector(aitree.Guard(bell, branch), rest)
	lowerPriority := aitree.ReactiveSelector(aitree.Sequence(aitree.Check(bell), branch), rest)
	both := aitree.ReactiveSelector(aitree.Guard(bell, branch), rest)

	actions := aitree.NewActions()
	for _, name := range []string{"eat", "nap"} {
		if _, err := actions.Register(name, components.Act); err != nil {
			fmt.Println(err)
			return
		}
	}
	show := func(name string, tree *aitree.Node, bells ...bool) {
		program, err := aitree.Build(name, actions, tree)
		if err != nil {
			fmt.Println(err)
			return
		}
		block := aitree.NewBlock(program, 1)
		fmt.Printf("%-15s", name)
		for i, now := range bells {
			block.Facts.SetBool(rings, 0, now)
			block.Tick(components.Timestamp(i + 1))
			fmt.Print(" ", actions.Name(block.Order(0, components.Act).Action))
		}
		fmt.Println()
	}
	for _, bells := range [][]bool{{false, true}, {true, false}} {
		fmt.Println("the bell:", bells)
		show("none", none, bells...)
		show("self", self, bells...)
		show("lower priority", lowerPriority, bells...)
		show("both", both, bells...)
	}
	// Output:
	// the bell: [false true]
	// none            nap nap
	// self            nap nap
	// lower priority  nap eat
	// both            nap eat
	// the bell: [true false]
	// none            eat eat
	// self            eat nap
	// lower priority  eat eat
	// both            eat nap
}
