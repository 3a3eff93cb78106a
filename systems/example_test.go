package systems_test

import (
	"fmt"
	"log"
	"strings"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/resources"
	"github.com/flockwork-ai/flockwork/internal/testworld"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/combat"
	"github.com/flockwork-ai/flockwork/systems/fact"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/movement"
	"github.com/flockwork-ai/flockwork/systems/space"
	"github.com/flockwork-ai/flockwork/utility"
)

// An agent walks round a wall to a point.
func Example_movement() {
	ground, err := space.ParseMap("yard", strings.NewReader("type octile\nheight 3\nwidth 7\nmap\n...@...\n...@...\n.......\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	world := arche.NewWorld()
	testworld.Install(&world, resources.Options{FPS: 50, Seed: 1, Workers: 1, Map: ground})
	clock := ecs.Resource[frame.Clock](&world, "example")
	actions, err := action.Register(ecs.Resource[aitree.Actions](&world, "example"))
	if err != nil {
		fmt.Println(err)
		return
	}
	locomotion := &movement.System{}
	locomotion.Initialize(&world)

	// A tree would post the order; here it is written by hand.
	intent := components.Intent{}
	intent.Orders[components.Move] = components.Order{Action: actions.Seek, Point: components.Vec2{X: 6.5, Y: 0.5}, Serial: 1}
	var walker components.Entity
	ecs.NewPrefab(&world,
		components.Transform{Position: components.Vec2{X: 0.5, Y: 0.5}, Heading: components.Vec2{X: 1}},
		components.Body{Radius: 0.3, Speed: 2},
		intent,
		components.Steering{},
	).SpawnNow(&world, 1, func(_ int, e components.Entity) { walker = e })

	order := &ecs.Get[components.Intent](&world, walker).Orders[components.Move]
	for order.Outcome == components.Pending {
		clock.Advance()
		locomotion.Update(&world)
	}
	fmt.Println("there:", order.Outcome == components.Succeeded)
	fmt.Println("in time:", clock.Now < 5e9)
	// Output:
	// there: true
	// in time: true
}

// Two guards strike an intruder down.
func Example_combat() {
	world := arche.NewWorld()
	testworld.Install(&world, resources.Options{FPS: 50, Seed: 1, Workers: 1})
	clock := ecs.Resource[frame.Clock](&world, "example")
	actions, err := action.Register(ecs.Resource[aitree.Actions](&world, "example"))
	if err != nil {
		fmt.Println(err)
		return
	}
	combat := &combat.System{Damage: 30}
	combat.OnDeath(func(victim, killer components.Entity) { fmt.Println(victim.Index, "was killed by", killer.Index) })
	frame := ecs.NewSchedule(combat, &frame.CommandSystem{})
	frame.Initialize(&world)

	var all []components.Entity
	soldier := ecs.NewPrefab(&world, components.Transform{}, components.Faction{ID: 1}, components.Health{Current: 50, Max: 50}, components.Triggers{})
	soldier.SpawnNow(&world, 3, func(i int, e components.Entity) {
		ecs.Get[components.Faction](&world, e).ID = uint8(1 + i/2)
		all = append(all, e)
	})
	for _, guard := range all[:2] { // a tree would fire these
		ecs.Get[components.Triggers](&world, guard).List[0] = components.Trigger{Action: actions.Strike, Target: all[2]}
	}
	clock.Advance()
	frame.Update(&world)
	fmt.Println("alive:", ecs.Alive(&world, all[2]))
	// Output:
	// 3 was killed by 2
	// alive: false
}

func ExampleRoutes() {
	routes := &space.Routes{}
	gate := routes.Add([]components.Vec2{{X: 10, Y: 4}, {X: 30, Y: 4}})
	fmt.Println(gate, routes.Waypoints(gate)[1])
	fmt.Println(town.Routes(town.Generate(64, 64, 1), 100, 1).Len())
	// Output:
	// 0 {30 4}
	// 100
}

// A soldier strikes who is near and shoots at who is further away, as long as there is ammunition. README.md shows it.
func Example_utility() {
	brain, err := utility.Build("soldier", utility.Choose(
		utility.NewAction("melee",
			utility.Consider(fact.CandidateDistance, utility.Smoothstep()).Range(6, 1),
		).For(fact.Candidates),
		utility.NewAction("ranged",
			utility.Consider(fact.CandidateDistance, utility.Smoothstep()).Range(2, 14),
			utility.Consider(fact.AmmoShare, utility.Linear()).Gate(),
		).For(fact.Candidates),
	).Inertia(0.05).Commit(1))
	if err != nil {
		log.Fatal(err)
	}
	attack := aitree.UtilitySelector(brain,
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
	var mind components.Mind64
	var intent components.Intent
	lanes := blackboard.NewLanes(soldier.Facts())
	block := aitree.Block{Mask: 1, Facts: lanes}
	block.Minds[0], block.Intents[0] = mind.Words[:], &intent
	executor := aitree.NewExecutor()
	tick := func(ammo float32, distances ...float32) { // of hostiles 1, 2, …
		lanes.SetFloat(fact.AmmoShare, 0, ammo)
		lanes.SetInt(fact.Candidates.Count(), 0, int64(len(distances)))
		for i, d := range distances {
			lanes.SetEntity(fact.Candidates.Entity(i), 0, components.Entity{Index: uint32(i + 1)})
			lanes.SetFloat(fact.Candidates.Field(i, fact.CandidateDistance), 0, d)
		}
		block.Now += 2e9 // longer than it is committed
		executor.Tick(soldier, &block)
		order := intent.Orders[components.Act]
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
