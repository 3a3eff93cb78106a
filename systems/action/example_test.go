package action_test

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/action"
)

// Registering twice gives the same handles; a name that is used otherwise is an error.
func ExampleRegister() {
	actions := aitree.NewActions()
	first, _ := action.Register(actions)
	second, _ := action.Register(actions)
	fmt.Println(actions.Name(first.Seek), first == second)

	other := aitree.NewActions()
	if _, err := other.Register(action.Strike, components.Act); err != nil {
		fmt.Println(err)
		return
	}
	_, err := action.Register(other)
	fmt.Println(err != nil)
	// Output:
	// seek true
	// true
}
