package blackboard_test

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// A component of one's own, and the facts that trees can read of it.
func ExampleFact() {
	type Merchant struct {
		Coins int32
		Shut  bool
	}
	coins := blackboard.IntFact("coins", func(m *Merchant) *int32 { return &m.Coins }, 0)
	shut := blackboard.BoolFact("shut", func(m *Merchant) *bool { return &m.Shut }, true)
	fmt.Println(coins.Name(), coins.Kind(), "at byte", coins.Field().Offset, coins.Err())
	fmt.Println(shut.Name(), shut.Kind(), "at byte", shut.Field().Offset, shut.Err())

	type Leaky struct{ Name string }
	fmt.Println(components.CheckPointerFree(blackboard.FloatFact("", func(*Leaky) *float32 { return nil }, 0).Component()))
	// Output:
	// coins integer at byte 0 <nil>
	// shut bool at byte 4 <nil>
	// component blackboard_test.Leaky holds a Go pointer: blackboard_test.Leaky.Name is a string; use an index or a handle instead
}

// Keys that are known at run time only are slots of a board.
func ExampleBoardSchema() {
	var schema blackboard.BoardSchema
	threat, _ := schema.Number("threat", 0.5) // a fact for a tree
	board := schema.New()
	_ = schema.Set(&board, "threat", float32(0.9))
	data, _ := schema.Encode(&board)
	fmt.Println(threat.Kind(), string(data))
	fmt.Println(schema.Set(&board, "treat", float32(1)))
	// Output:
	// float32 {"threat":0.9}
	// blackboard: unknown board key "treat"; known are: ["threat"]
}
