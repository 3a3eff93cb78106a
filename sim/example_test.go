package sim_test

import (
	"context"
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/scenario"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// A run of a scenario has the same hash on every platform and for any number of workers.
func ExampleRun() {
	config := sim.DefaultConfig(scenario.Guards())
	config.Agents, config.Seconds = 200, 5
	report, err := sim.Run(context.Background(), config, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Frames, "frames,", report.Events[sim.EventChase], "chases, hash", report.WorldHash)

	config.Agents = 0
	_, err = sim.Run(context.Background(), config, nil)
	fmt.Println(err)
	// Output:
	// 300 frames, 138 chases, hash 235b056c5a628985
	// sim: 0 agents; use 1 to 4000000
}

func ExampleSimulation() {
	s, err := sim.NewSimulation(sim.DefaultConfig(scenario.Siege()))
	if err != nil {
		panic(err)
	}
	defer s.Close()
	for range 60 {
		s.Step()
	}
	fmt.Println("frame", s.Clock.Frame, "at", float64(s.Clock.Now)/1e9, "s")
	// Output:
	// frame 60 at 1 s
}

// A scenario written by a program adds agents to the world and its part to the report.
func ExampleScenario() {
	stones := sim.Scenario{Name: "stones", Summary: "bodies that do nothing", SetUp: func(s *sim.Simulation) error {
		stone := ecs.NewPrefab(s.World(), components.Transform{}, components.Body{Radius: 0.5})
		stone.SpawnNow(s.World(), s.Config.Agents, func(i int, e components.Entity) {
			ecs.Get[components.Transform](s.World(), e).Position, _ = s.Map.RandomPoint(uint64(i), space.MaxClearance)
		})
		s.OnReport(func(r *sim.Report) { r.Events["stone"] = int64(s.Config.Agents) })
		return nil
	}}
	config := sim.DefaultConfig(stones)
	config.Agents, config.Seconds = 10, 1
	report, err := sim.Run(context.Background(), config, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Scenario, report.Events["stone"], "decisions:", report.Decisions)
	// Output:
	// stones 10 decisions: 0
}
