package combat_test

import (
	"fmt"
	"time"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/combat"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// Two guards strike an intruder down, which respawns a second later.
func Example() {
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{FPS: 50, Seed: 1, Workers: 1})
	if err != nil {
		panic(err)
	}
	defer herd.Close()
	actions, err := action.Register(herd.Actions)
	if err != nil {
		fmt.Println(err)
		return
	}
	system := &combat.System{Damage: 30, RespawnDelay: time.Second}
	system.OnDeath(func(victim, killer components.Entity) {
		fmt.Println(victim.Index, "was killed by", killer.Index)
	})
	schedule := ecs.NewSchedule(system, &frame.CommandSystem{})
	schedule.Initialize(&world)

	fighter := ecs.NewPrefab(&world, components.Transform{}, components.Faction{ID: 2},
		components.Health{Current: 50, Max: 50}, components.Fighter{})
	system.SetRespawn(0, fighter)
	var all []components.Entity
	fighter.SpawnNow(&world, 3, func(i int, e components.Entity) { all = append(all, e) })
	intruder, guards := all[0], all[1:]
	for _, guard := range guards { // a tree would fire the triggers
		ecs.Get[components.Faction](&world, guard).ID = 1
		herd.Triggers.Fire(0, components.Trigger{Agent: guard, Action: actions.Strike, Target: intruder})
	}
	herd.Clock.Advance()
	schedule.Update(&world)
	fmt.Println("alive:", ecs.Alive(&world, intruder))

	for range 50 {
		herd.Clock.Advance()
		schedule.Update(&world)
	}
	fmt.Println("respawns:", herd.Events.Count(frame.Respawn))
	// Output:
	// 1 was killed by 3
	// alive: false
	// respawns: 1
}
