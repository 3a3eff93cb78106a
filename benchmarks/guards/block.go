package guards

import (
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/guardtree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
	"github.com/flockwork-ai/flockwork/systems/ai"
)

// newBlock gives the tree to the guards of a crowd. It returns the program and the AI system that ticks it in blocks.
func newBlock(c *crowd) (*aitree.Program, *ai.System) {
	program := guardtree.Program(ecs.Resource[aitree.Actions](c.world))
	number := harness.Must(ecs.Resource[ai.Trees](c.world).Add(program))
	minds := generic.NewFilter1[components.Mind64]().Query(c.world)
	for minds.Next() {
		*minds.Get() = mindlayout.NewMind64(uint16(number))
	}
	ai := &ai.System{}
	ai.Initialize(c.world)
	return program, ai
}
