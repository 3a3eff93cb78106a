package space_test

import (
	"fmt"
	"strings"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// A map is parsed, and tells where to walk and what to see.
func Example() {
	m, err := space.ParseMap("corridor.map", strings.NewReader(`type octile
height 3
width 7
map
@@@@@@@
@.....@
@@@.@@@
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	west, east, south := components.Vec2{X: 1.5, Y: 1.5}, components.Vec2{X: 5.5, Y: 1.5},
		components.Vec2{X: 3.5, Y: 2.9}
	fmt.Println("tile (3, 2) can be walked on:", m.Passable(3, 2))
	fmt.Println("from west to east:", m.Sees(west, east))
	fmt.Println("from west to south:", m.Sees(west, south))
	// Output:
	// tile (3, 2) can be walked on: true
	// from west to east: true
	// from west to south: false
}

func ExampleRoutes() {
	routes := &space.Routes{}
	gate := routes.Add([]components.Vec2{{X: 10, Y: 4}, {X: 30, Y: 4}})
	fmt.Println(gate, routes.Waypoints(gate)[1], routes.Len())
	// Output: 0 {30 4} 1
}

// A body walks along a wall.
func ExampleWalk() {
	m := space.NewMap(4, 2)
	m.Set(1, 0, space.Wall)
	at := components.Vec2{X: 0.5, Y: 0.75}
	footing := space.FootingAt(m, at)
	at, hit := space.Walk(m, &footing, at, components.Vec2{X: 0.375, Y: 0.125}, space.Clearance(0.25))
	fmt.Println(at, hit)
	// Output: {0.75 0.875} true
}

// The path leads round a wall: the tile to head for is the last one that can be walked to straight.
func ExampleWayfinder() {
	m, err := space.ParseMap("yard",
		strings.NewReader("type octile\nheight 3\nwidth 7\nmap\n...@...\n...@...\n.......\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	var finder space.Wayfinder
	x, y, steps, whole := finder.Find(m, space.TileCentre(0, 0), space.TileCentre(6, 0), space.Clearance(0.3))
	fmt.Println(x, y, steps, whole)
	// Output: 2 2 10 true
}

// A viewshed rules out most of what is behind a wall; a ray decides about the rest.
func ExampleViewshed() {
	m := space.NewMap(9, 3)
	m.Fill(4, 0, 1, 2, space.Wall)
	viewer := space.TileCentre(1, 1)
	var shed space.Viewshed
	shed.Set(m, viewer)
	for _, at := range []components.Vec2{space.TileCentre(3, 1), space.TileCentre(7, 1), space.TileCentre(7, 2)} {
		fmt.Println(shed.Hides(at), m.Sees(viewer, at))
	}
	// Output:
	// false true
	// true false
	// false false
}
