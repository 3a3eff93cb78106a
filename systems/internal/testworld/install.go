// Package testworld makes small worlds for tests of systems: an [ActionWorld] for movement and combat, a [SensingWorld]
// for perception, and maps.
package testworld

import (
	"fmt"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
	"github.com/flockwork-ai/flockwork/systems/internal/resources"
)

// Install adds the resources of systems to a world. It panics when an option is out of range.
func Install(w *arche.World, o resources.Options) {
	if err := resources.Install(w, o); err != nil {
		panic(err)
	}
}

// AssignMind queues that an entity gets a fresh mind of a size in bytes, which will run the program of a number.
func AssignMind(q *ecs.Queue, e components.Entity, program uint16, bytes int) {
	switch bytes {
	case 64:
		ecs.Assign(q, e, e, mindlayout.NewMind64(program))
	case 128:
		ecs.Assign(q, e, e, mindlayout.NewMind128(program))
	case 256:
		ecs.Assign(q, e, e, mindlayout.NewMind256(program))
	default:
		panic(fmt.Sprintf("testworld: no mind has %d bytes", bytes))
	}
}
