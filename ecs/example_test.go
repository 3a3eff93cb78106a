package ecs_test

import (
	"fmt"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

func ExampleColumns() {
	world := arche.NewWorld()
	ecs.NewPrefab(&world, components.Transform{}, components.Body{}).SpawnNow(&world, 3, nil)
	ecs.NewPrefab(&world, components.Transform{}, components.Body{}, components.Health{Current: 10}).SpawnNow(&world, 2,
		nil)

	columns := ecs.NewColumns(&world, ecs.Need[components.Transform](), ecs.Optional[components.Health]())
	chunks := columns.Open()
	for i := range chunks {
		transforms := ecs.Column[components.Transform](&chunks[i], 0)
		health := ecs.Column[components.Health](&chunks[i], 1) // nil where agents have none
		for row := range transforms {
			transforms[row].Position.X += 0.5
		}
		fmt.Println(len(transforms), "agents,", len(health), "of them with health")
	}
	columns.Close()
	// Output:
	// 3 agents, 0 of them with health
	// 2 agents, 2 of them with health
}

func ExampleCommands() {
	world := arche.NewWorld()
	corpse := ecs.NewPrefab(&world, components.Transform{})
	var wolf components.Entity
	ecs.NewPrefab(&world, components.Transform{}, components.Mind64{Words: [16]uint32{1}}).
		SpawnNow(&world, 1, func(_ int, e components.Entity) { wolf = e })

	commands := ecs.NewCommands(1)
	commands.OnLeave(func(w *arche.World, e components.Entity, reason ecs.LeaveReason) {
		fmt.Println("the wolf's leaves end:", reason)
	})
	commands.OnSpawn(func(w *arche.World, e components.Entity, p *ecs.Prefab, _ uint64) {
		fmt.Println("a corpse lies at", ecs.Get[components.Transform](w, e).Position)
	})

	queue := commands.Queue(0) // worker 0
	queue.Remove(wolf, wolf)
	queue.Remove(wolf, wolf) // harmless
	queue.Spawn(wolf, corpse, components.Vec2{X: 3, Y: 4})
	fmt.Println("alive while queued:", ecs.Alive(&world, wolf))
	commands.Apply(&world)
	fmt.Println("alive when applied:", ecs.Alive(&world, wolf))
	// Output:
	// alive while queued: true
	// the wolf's leaves end: removed
	// a corpse lies at {3 4}
	// alive when applied: false
}

func ExamplePrefab() {
	world := arche.NewWorld()
	guard := ecs.NewPrefab(&world, components.Transform{}, components.Health{Current: 100, Max: 100},
		components.NewLOD())
	guard.SpawnNow(&world, 3, func(i int, e components.Entity) {
		ecs.Get[components.Transform](&world, e).Position.X = float32(10 * i)
	})

	columns := ecs.NewColumns(&world, ecs.Need[components.Transform](), ecs.Need[components.Health]())
	chunks := columns.Open()
	fmt.Println(ecs.Column[components.Transform](&chunks[0], 0)[2].Position,
		ecs.Column[components.Health](&chunks[0], 1)[2].Max)
	columns.Close()
	// Output: {20 0} 100
}

// member is a relation component: each soldier belongs to a squad.
type member struct{ arche.Relation }

// Soldiers are spawned as members of a squad; one of them changes to another.
func ExampleQueue_SpawnRelated() {
	world := arche.NewWorld()
	soldier := ecs.NewPrefab(&world, components.Transform{}, member{})
	squads := [2]components.Entity{ecs.FromArche(world.NewEntity()), ecs.FromArche(world.NewEntity())}
	relation := arche.ComponentID[member](&world)
	count := func(squad components.Entity) int {
		filter := arche.NewRelationFilter(arche.All(relation), ecs.ToArche(squad))
		q := world.Query(&filter)
		defer q.Close()
		return q.Count()
	}

	commands := ecs.NewCommands(1)
	queue := commands.Queue(0)
	for i := range 3 {
		queue.SpawnRelated(squads[0], soldier, components.Vec2{X: float32(i)}, squads[0])
	}
	commands.Apply(&world)
	fmt.Println(count(squads[0]), count(squads[1]))

	filter := arche.NewRelationFilter(arche.All(relation), ecs.ToArche(squads[0]))
	q := world.Query(&filter)
	q.Next()
	turncoat := ecs.FromArche(q.Entity())
	q.Close()
	ecs.Relate[member](queue, turncoat, turncoat, squads[1])
	commands.Apply(&world)
	fmt.Println(count(squads[0]), count(squads[1]))
	// Output:
	// 3 0
	// 2 1
}

// tide moves each agent east by one metre a frame.
type tide struct{ columns *ecs.Columns }

func (t *tide) Initialize(w *arche.World) {
	t.columns = ecs.NewColumns(w, ecs.Need[components.Transform]())
}

func (t *tide) Update(*arche.World) {
	chunks := t.columns.Open()
	for i := range chunks {
		transforms := ecs.Column[components.Transform](&chunks[i], 0)
		for row := range transforms {
			transforms[row].Position.X++
		}
	}
	t.columns.Close()
}

func (t *tide) Finalize(*arche.World) {}

func ExampleSchedule() {
	world := arche.NewWorld()
	var boat components.Entity
	ecs.NewPrefab(&world, components.Transform{}).SpawnNow(&world, 1, func(_ int, e components.Entity) { boat = e })

	schedule := &ecs.Schedule{}
	schedule.Add("tide", &tide{})
	schedule.Initialize(&world)
	for range 5 {
		schedule.Update(&world)
	}
	schedule.Finalize(&world)
	fmt.Println(schedule.Names(), ecs.Get[components.Transform](&world, boat).Position)
	// Output: [tide] {5 0}
}

func ExampleLookup() {
	world := arche.NewWorld()
	var wolf components.Entity
	ecs.NewPrefab(&world, components.Health{Current: 7}).SpawnNow(&world, 1,
		func(_ int, e components.Entity) { wolf = e })

	health := ecs.NewLookup[components.Health](&world)
	fmt.Println(health.Get(wolf).Current)
	fmt.Println(health.Get(components.Entity{}) == nil)
	// Output:
	// 7
	// true
}

// A table keeps values beside the world.
func ExampleTable() {
	world := arche.NewWorld()
	var wolves []components.Entity
	ecs.NewPrefab(&world, components.Transform{}).
		SpawnNow(&world, 3, func(_ int, e components.Entity) { wolves = append(wolves, e) })

	var meals ecs.Table[int]
	meals.Set(wolves[1], 2)
	*meals.Entry(wolves[1])++
	fmt.Println(meals.Get(wolves[0]), meals.Get(wolves[1]), meals.Get(wolves[2]))
	// Output: 0 3 0
}

// A resource that may be missing.
func ExampleFindResource() {
	type Weather struct{ Rain bool }
	world := arche.NewWorld()
	fmt.Println(ecs.FindResource[Weather](&world) == nil)
	arche.AddResource(&world, &Weather{Rain: true})
	fmt.Println(ecs.FindResource[Weather](&world).Rain)
	// Output:
	// true
	// true
}
