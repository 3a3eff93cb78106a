package systems

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/ecs"
)

// ClockSystem gives every frame the same length: it advances the world's [Clock] and runs before all other
// systems. A host that keeps its own time leaves it out and calls [Clock.Set].
type ClockSystem struct{ clock *Clock }

// Initialize implements [ecs.System]. It panics when the world has no [Clock].
func (s *ClockSystem) Initialize(w *arche.World) {
	s.clock = ecs.Resource[Clock](w, "systems.ClockSystem")
}

// Update implements [ecs.System].
func (s *ClockSystem) Update(*arche.World) { s.clock.Advance() }

// Finalize implements [ecs.System].
func (s *ClockSystem) Finalize(*arche.World) {}
