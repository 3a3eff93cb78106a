// Package testworld makes small worlds for tests of systems: a stage for action systems, people who perceive each other,
// and maps.
package testworld

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/internal/resources"
)

// Install puts the resources of systems into a world, and panics when it cannot.
func Install(w *arche.World, o resources.Options) {
	if err := resources.Install(w, o); err != nil {
		panic(err)
	}
}
