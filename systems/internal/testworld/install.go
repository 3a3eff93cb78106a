// Package testworld makes small worlds for tests of systems: an [ActionWorld] for movement and combat, a [SensingWorld]
// for perception, and maps.
package testworld

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/systems/internal/resources"
)

// Install adds the resources of systems to a world. It panics when an option is out of range.
func Install(w *arche.World, o resources.Options) {
	if err := resources.Install(w, o); err != nil {
		panic(err)
	}
}
