package scenario_test

import (
	"context"
	"fmt"

	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

func ExampleNamed() {
	chosen, err := scenario.Named("skirmish")
	if err != nil {
		panic(err)
	}
	config := sim.DefaultConfig(chosen)
	config.Agents, config.Seconds = 100, 10
	report, err := sim.Run(context.Background(), config, nil)
	if err != nil {
		panic(err)
	}
	for _, side := range report.Skirmish.Sides {
		fmt.Println(side.Name, side.Alive, "of", side.Agents)
	}
	// Output:
	// west 41 of 50
	// east 42 of 50
}

func ExampleAll() {
	for _, s := range scenario.All() {
		fmt.Println(s.Name+":", s.Summary)
	}
	// Output:
	// guards: guards patrol a town, chase intruders and fight them
	// skirmish: two sides meet in a town and fight hand to hand and from afar
	// siege: villagers, guards and besiegers in one town
	// villagers: villagers eat, sleep, meet and work as their needs and the hour tell them
}
