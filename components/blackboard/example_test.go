package blackboard_test

import (
	"fmt"
	"strings"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// Merchant is a custom component.
type Merchant struct {
	Coins  int32
	Closed bool
	PaidAt components.Timestamp
}

// Facts name fields of a custom component.
func ExampleFact() {
	coins := blackboard.IntFact("coins", func(m *Merchant) *int32 { return &m.Coins }, 0)
	paid := blackboard.AgeFact("paid", func(m *Merchant) *components.Timestamp { return &m.PaidAt })
	fmt.Println(coins.Name(), "is read as", coins.Kind())
	fmt.Println(paid.Name(), "is read as", paid.Kind())

	// A fact that cannot be made carries its error, which building a tree reports.
	wrong := blackboard.FloatFact("patience", func(*Merchant) *float32 { return new(float32) }, 0)
	fmt.Println(strings.ReplaceAll(wrong.Err().Error(), "; ", ";\n"))
	// Output:
	// coins is read as integer
	// paid is read as age
	// blackboard: fact "patience": the accessor returned a pointer outside the blackboard_test.Merchant it is given;
	// return a pointer to one of its fields
}

// Offers is a component that lists possible targets of an agent.
type Offers struct {
	All   [4]Offer
	Count uint8
}

// Offer is an element of the list.
type Offer struct {
	Seller components.Entity
	Price  float32
}

// Considerations of a target are made over the element of a list.
func ExampleList() {
	offers := blackboard.ListOf("offers",
		func(o *Offers) []Offer { return o.All[:] },
		func(o *Offers) *uint8 { return &o.Count },
		func(o *Offer) *components.Entity { return &o.Seller })
	price := blackboard.FloatFact("price", func(o *Offer) *float32 { return &o.Price }, 0)
	fmt.Println(offers.Name(), offers.Len(), offers.Err())
	fmt.Println(offers.Field(2, price).Name()) // the agent's fact of one element
	// Output:
	// offers 4 <nil>
	// offers[2] price
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

// Lanes hold the facts of up to 64 agents for a tree or an evaluator that runs without a world.
func ExampleLanes() {
	coins := blackboard.IntFact("coins", func(m *Merchant) *int32 { return &m.Coins }, 5)
	closed := blackboard.BoolFact("closed", func(m *Merchant) *bool { return &m.Closed }, false)
	lanes := blackboard.NewLanes([]blackboard.Fact{coins, closed})
	lanes.SetInt(coins, 1, 80)
	lanes.SetBool(closed, 2, true)

	// What a tree asks of the first three agents, by the index of the fact.
	fmt.Printf("poor %03b, closed %03b\n", lanes.IntsBelow(0, 0b111, 50), lanes.Bools(1, 0b111))
	// Output: poor 101, closed 100
}
