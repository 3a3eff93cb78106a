package aitree_test

import (
	"fmt"
	"time"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/utility"
)

// A wolf would rather howl than roam, but it howls at most every ten seconds. Until then the branch fails, and with
// NextBest the wolf roams. BackOff keeps the wolf from trying to howl, which would interrupt the roaming on every tick.
func ExampleNode_NextBest() {
	moods, err := utility.Build("moods", utility.Choose(
		utility.NewAction("howl").Weight(0.9),
		utility.NewAction("roam").Weight(0.5),
	))
	if err != nil {
		fmt.Println(err)
		return
	}
	actions := aitree.NewActions()
	for _, name := range []string{"howl", "roam"} {
		if _, err := actions.Register(name, components.Act); err != nil {
			fmt.Println(err)
			return
		}
	}
	wolf, err := aitree.Build("wolf", actions, aitree.UtilitySelector(moods,
		aitree.On("howl", aitree.Cooldown(10*time.Second, aitree.Do("howl"))),
		aitree.On("roam", aitree.Do("roam")),
	).NextBest().BackOff(2*time.Second))
	if err != nil {
		fmt.Println(err)
		return
	}
	block := aitree.NewBlock(wolf, 1)
	for second := range 14 {
		block.Tick(components.Timestamp(second) * 1e9)
		order := block.Order(0, components.Act)
		switch second {
		case 0, 2, 3, 11, 12:
			fmt.Printf("%2d s: %s\n", second, actions.Name(order.Action))
		}
		if actions.Name(order.Action) == "howl" {
			block.Report(0, components.Act, components.Succeeded)
		}
	}
	// Output:
	//  0 s: howl
	//  2 s: roam
	//  3 s: roam
	// 11 s: roam
	// 12 s: howl
}
