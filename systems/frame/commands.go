package frame

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/lifecycle"
)

// CommandSystem applies the structural changes that were queued in the frame. It is a frame's last system.
type CommandSystem struct {
	guard    lifecycle.Guard[arche.World]
	commands *ecs.Commands
	events   *eventlist.Lists // nil in a world without
	clock    *Clock
}

// Initialize finds the world's [ecs.Commands]. It panics when there is none.
func (s *CommandSystem) Initialize(w *arche.World) {
	s.guard.Begin("frame.CommandSystem", w)
	s.commands = ecs.Resource[ecs.Commands](w)
	s.events, s.clock = ecs.FindResource[eventlist.Lists](w), ecs.FindResource[Clock](w)
}

// Update applies the commands, and forgets the [eventlist.Lists] that have no consumer.
//
// Panics before Initialize, after Finalize and with another world than that of Initialize.
func (s *CommandSystem) Update(w *arche.World) {
	s.guard.Check("frame.CommandSystem", w)
	s.commands.Apply(w)
	if s.events != nil && s.clock != nil && !s.clock.Paused() {
		s.events.DropUnread(s.clock.Frame)
	}
}

// Finalize ends the use of the world.
func (s *CommandSystem) Finalize(*arche.World) { s.guard.End() }
