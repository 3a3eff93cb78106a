package benchmarks

import (
	"github.com/flockwork-ai/flockwork/sim"
)

// siegeConfig is the siege that is compared.
func siegeConfig(agents int) sim.Config {
	c := sim.DefaultConfig()
	c.Scenario, c.Agents = "siege", agents
	return c
}
