package scenario

import (
	"fmt"
	"strings"

	"github.com/flockwork-ai/flockwork/sim"
)

// Guards returns the scenario "guards": guards patrol a town, chase intruders and fight them.
func Guards() sim.Scenario {
	return sim.Scenario{
		Name: "guards", Summary: "guards patrol a town, chase intruders and fight them", SetUp: setUpGuards,
	}
}

// Skirmish returns the scenario "skirmish": two sides fight in a town, and the dead do not respawn.
func Skirmish() sim.Scenario {
	return sim.Scenario{
		Name: "skirmish", Summary: "two sides meet in a town and fight hand to hand and from afar",
		SetUp: setUpSkirmish,
	}
}

// Siege returns the scenario "siege": villagers, guards and besiegers in one town. It is the command's default.
func Siege() sim.Scenario {
	return sim.Scenario{Name: "siege", Summary: "villagers, guards and besiegers in one town", SetUp: setUpSiege}
}

// Villagers returns the scenario "villagers": villagers choose their activities by their needs and the time of day.
func Villagers() sim.Scenario {
	return sim.Scenario{
		Name: "villagers", Summary: "villagers eat, sleep, meet and work as their needs and the hour tell them",
		SetUp: setUpVillagers,
	}
}

// All returns the scenarios of this package by name.
func All() []sim.Scenario { return []sim.Scenario{Guards(), Skirmish(), Siege(), Villagers()} }

// Names returns the names of [All], in order.
func Names() []string {
	var names []string
	for _, s := range All() {
		names = append(names, s.Name)
	}
	return names
}

// Named returns the scenario of a name. The error lists the known names.
func Named(name string) (sim.Scenario, error) {
	for _, s := range All() {
		if s.Name == name {
			return s, nil
		}
	}
	return sim.Scenario{}, fmt.Errorf("scenario: unknown scenario %q; known are: %s", name, strings.Join(Names(), ", "))
}
