package components_test

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/flockwork-ai/flockwork/components"
)

// An action system reads an order and reports its outcome.
func ExampleOrder() {
	const greet components.Action = 3
	intent := components.Intent{}
	intent.Orders[components.Act] = components.Order{Action: greet, Serial: 1} // the AI posts it

	if order := &intent.Orders[components.Act]; order.Action == greet && order.Outcome == components.Pending {
		order.Outcome = components.Succeeded
	}
	fmt.Println(intent.Orders[components.Act].Outcome == components.Succeeded)
	// Output: true
}

// A system for agents of any tier serves those that are due.
func ExampleLOD() {
	lod := components.NewLOD()
	fmt.Println("due:", lod.Due())

	lod.Last = 500_000_000
	fmt.Println("since its last decision:", lod.Elapsed(2_000_000_000))
	// Output:
	// due: false
	// since its last decision: 1.5s
}

// A component holds no Go pointers.
func ExampleCheckPointerFree() {
	type Pet struct{ Tag string }
	fmt.Println(components.CheckPointerFree(reflect.TypeFor[components.Health]()))
	err := components.CheckPointerFree(reflect.TypeFor[Pet]())
	fmt.Println(strings.ReplaceAll(err.Error(), "; ", ";\n"))
	// Output:
	// <nil>
	// component components_test.Pet holds a Go pointer: components_test.Pet.Tag is a string;
	// use an index or a handle instead
}
