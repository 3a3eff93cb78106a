package sim_test

import (
	"context"
	"fmt"

	"github.com/flockwork-ai/flockwork/sim"
)

func ExampleRun() {
	config := sim.DefaultConfig()
	config.Scenario, config.Agents, config.Seconds = "guards", 200, 5
	report, err := sim.Run(context.Background(), config, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Frames, "frames,", report.Actions["patrol"].Starts > 100, report.Events["chase"] > 0)

	config.Agents = 0
	_, err = sim.Run(context.Background(), config, nil)
	fmt.Println(err)
	// Output:
	// 300 frames, true true
	// sim: 0 agents; use 1 to 4000000
}

func ExampleSimulation() {
	s, err := sim.NewSimulation(sim.DefaultConfig())
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
