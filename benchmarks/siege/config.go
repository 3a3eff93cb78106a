package siege

import (
	"github.com/flockwork-ai/flockwork/sim"
)

// config is the siege that is compared.
func config(agents int) sim.Config {
	c := sim.DefaultConfig()
	c.Scenario, c.Agents = "siege", agents
	return c
}
