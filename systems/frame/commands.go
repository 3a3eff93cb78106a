package frame

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
)

// CommandSystem applies the structural changes that were queued in the frame. It is a frame's last system.
type CommandSystem struct {
	commands *ecs.Commands
	events   *eventlist.Lists // nil in a world without
	clock    *Clock
}

// Initialize finds the world's [ecs.Commands]. It panics when there is none.
func (s *CommandSystem) Initialize(w *arche.World) {
	s.commands = ecs.Resource[ecs.Commands](w)
	s.events, s.clock = ecs.FindResource[eventlist.Lists](w), ecs.FindResource[Clock](w)
}

// Update applies the commands, and forgets the [eventlist.Lists] that have no consumer.
func (s *CommandSystem) Update(w *arche.World) {
	s.commands.Apply(w)
	if s.events != nil && s.clock != nil {
		s.events.DropUnread(s.clock.Frame)
	}
}

// Finalize does nothing.
func (s *CommandSystem) Finalize(*arche.World) {}
