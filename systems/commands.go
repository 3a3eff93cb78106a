package systems

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/ecs"
)

// CommandSystem applies the structural changes that were queued in the frame. It is a frame's last system.
type CommandSystem struct {
	commands *ecs.Commands
}

// Initialize finds the world's [ecs.Commands]. It panics when there is none.
func (s *CommandSystem) Initialize(w *arche.World) {
	s.commands = ecs.Resource[ecs.Commands](w, "systems.CommandSystem")
}

// Update applies the commands.
func (s *CommandSystem) Update(w *arche.World) { s.commands.Apply(w) }

// Finalize does nothing.
func (s *CommandSystem) Finalize(*arche.World) {}
