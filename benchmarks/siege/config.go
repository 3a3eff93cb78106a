package siege

import (
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

// config is the siege that is compared.
func config(agents int) sim.Config {
	c := sim.DefaultConfig(scenario.Siege())
	c.Agents = agents
	return c
}
