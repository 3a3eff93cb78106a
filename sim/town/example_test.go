package town_test

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim/town"
)

func Example() {
	width, height := town.Size(100)
	m := town.Generate(width, height, 1)
	fmt.Println(width, "x", height, "tiles,", m.PassableTiles(), "of them passable")

	routes := town.Routes(m, 2, 1)
	for i := range routes.Len() {
		fmt.Println("route", i, routes.Waypoints(int32(i)))
	}

	village, err := town.PlanVillage(m, 30, 1)
	if err != nil {
		panic(err)
	}
	for _, n := range village {
		fmt.Println(n.Villagers, "villagers around", n.Square, "have", len(n.Stores), "stores,", len(n.Workplaces),
			"workplaces and", len(n.Beds), "beds")
	}
	// Output:
	// 40 x 40 tiles, 1256 of them passable
	// route 0 [{7.5 8.5} {13.5 9.5} {31.5 9.5} {22.5 10.5}]
	// route 1 [{31.5 28.5} {31.5 35.5} {37.5 16.5} {24.5 2.5}]
	// 30 villagers around {18.5 18.5} have 2 stores, 5 workplaces and 29 beds
}

func ExampleZOrder() {
	at := []components.Vec2{{X: 9, Y: 9}, {X: 1, Y: 0}, {X: 8, Y: 9}, {X: 0, Y: 1}}
	fmt.Println(town.ZOrder(len(at), func(i int) components.Vec2 { return at[i] }))
	// Output:
	// [1 3 2 0]
}
