package systems_test

import (
	"fmt"
	"log"
	"strings"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/utility"
)

func ExampleInstall() {
	world := arche.NewWorld()
	systems.Install(&world, systems.Options{FPS: 50, Seed: 1, Workers: 2})
	workers := ecs.Resource[systems.Workers](&world, "example")
	defer workers.Close()

	clock := ecs.Resource[systems.Clock](&world, "example")
	schedule := ecs.NewSchedule(&systems.CommandSystem{}) // the last system of a frame
	schedule.Initialize(&world)
	for range 3 {
		clock.Advance()
		schedule.Update(&world)
	}
	schedule.Finalize(&world)
	fmt.Println("frame", clock.Frame, "at", clock.Now, "ns")
	// Output: frame 3 at 60000000 ns
}

func ExampleClock() {
	clock, err := systems.NewClock(60)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		clock.Advance()
		fmt.Println(clock.Frame, clock.Now)
	}
	// Output:
	// 1 16666666
	// 2 33333333
	// 3 50000000
}

func ExampleWorkers() {
	workers := systems.NewWorkers(4)
	defer workers.Close()
	squares := make([]int, 10)
	square := func(worker, task int) { squares[task] = task * task } // made once
	workers.Run(len(squares), square)
	fmt.Println(squares)
	// Output: [0 1 4 9 16 25 36 49 64 81]
}

func ExampleEvents() {
	wolf, bear, deer := components.Entity{Index: 1}, components.Entity{Index: 2}, components.Entity{Index: 3}
	events := systems.NewEvents(2)
	events.Hurt(1, bear, deer, 10) // by worker 1
	events.Hurt(0, wolf, deer, 5)
	for _, wound := range events.MergeWounds() {
		fmt.Println(wound.Target.Index, "lost", wound.Amount, "and blames", wound.By.Index)
	}
	// Output: 3 lost 15 and blames 2
}

func ExampleCommandSystem() {
	world := arche.NewWorld()
	systems.Install(&world, systems.Options{FPS: 60, Workers: 1})
	var wolf components.Entity
	ecs.NewPrefab(&world, components.Transform{}).SpawnNow(&world, 1, func(_ int, e components.Entity) { wolf = e })

	var last systems.CommandSystem
	last.Initialize(&world)
	ecs.Resource[ecs.Commands](&world, "example").Queue(0).Remove(wolf, wolf)
	fmt.Println(ecs.Alive(&world, wolf))
	last.Update(&world)
	fmt.Println(ecs.Alive(&world, wolf))
	// Output:
	// true
	// false
}

// An agent walks round a wall to a point.
func ExampleLocomotion() {
	ground, err := systems.ParseMap("yard", strings.NewReader("type octile\nheight 3\nwidth 7\nmap\n...@...\n...@...\n.......\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	world := arche.NewWorld()
	systems.Install(&world, systems.Options{FPS: 50, Seed: 1, Workers: 1, Map: ground})
	clock := ecs.Resource[systems.Clock](&world, "example")
	actions, err := systems.StandardActions(ecs.Resource[aitree.Actions](&world, "example"))
	if err != nil {
		fmt.Println(err)
		return
	}
	locomotion := &systems.Locomotion{}
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
func ExampleCombat() {
	world := arche.NewWorld()
	systems.Install(&world, systems.Options{FPS: 50, Seed: 1, Workers: 1})
	clock := ecs.Resource[systems.Clock](&world, "example")
	actions, err := systems.StandardActions(ecs.Resource[aitree.Actions](&world, "example"))
	if err != nil {
		fmt.Println(err)
		return
	}
	combat := &systems.Combat{Damage: 30}
	combat.OnDeath(func(victim, killer components.Entity) { fmt.Println(victim.Index, "was killed by", killer.Index) })
	frame := ecs.NewSchedule(combat, &systems.CommandSystem{})
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
	routes := &systems.Routes{}
	gate := routes.Add([]components.Vec2{{X: 10, Y: 4}, {X: 30, Y: 4}})
	fmt.Println(gate, routes.Waypoints(gate)[1])
	fmt.Println(systems.GenerateRoutes(systems.GenerateMap(64, 64, 1), 100, 1).Len())
	// Output:
	// 0 {30 4}
	// 100
}

// A soldier strikes who is near and shoots at who is further away, as long as there is ammunition. README.md shows it.
func Example_utility() {
	facts := &systems.Facts
	brain, err := utility.Build("soldier", utility.Choose(
		utility.NewAction("melee",
			utility.Consider(facts.CandidateDistance, utility.Smoothstep()).Range(6, 1),
		).For(facts.Candidates),
		utility.NewAction("ranged",
			utility.Consider(facts.CandidateDistance, utility.Smoothstep()).Range(2, 14),
			utility.Consider(facts.AmmoShare, utility.Linear()).Gate(),
		).For(facts.Candidates),
	).Inertia(0.05).Commit(1))
	if err != nil {
		log.Fatal(err)
	}
	attack := aitree.UtilitySelector(brain,
		aitree.On("melee", aitree.Do(systems.MeleeAction, aitree.ChosenTarget())),
		aitree.On("ranged", aitree.Do(systems.ShootAction, aitree.ChosenTarget())))

	actions := aitree.NewActions()
	if _, err := systems.StandardActions(actions); err != nil {
		log.Fatal(err)
	}
	soldier, err := aitree.Build("soldier", actions, attack)
	if err != nil {
		log.Fatal(err)
	}
	block := aitree.NewBlock(soldier, 1)
	lanes := block.Facts
	now := components.Timestamp(0)
	tick := func(ammo float32, distances ...float32) { // of hostiles 1, 2, …
		lanes.SetFloat(facts.AmmoShare, 0, ammo)
		lanes.SetInt(facts.Candidates.Count(), 0, int64(len(distances)))
		for i, d := range distances {
			lanes.SetEntity(facts.Candidates.Entity(i), 0, components.Entity{Index: uint32(i + 1)})
			lanes.SetFloat(facts.Candidates.Field(i, facts.CandidateDistance), 0, d)
		}
		now += 2e9 // longer than it is committed
		block.Tick(now)
		order := block.Order(0, components.Act)
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
