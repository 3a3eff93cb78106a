package systems

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems/action"
)

// Action is the system of an action of the host, for [Herd.AddAction]. Package action makes them: NewDurative and
// NewAgentDurative.
type Action interface {
	ecs.System
	// Register registers the action. It returns an error when the name is registered with another meaning.
	Register(actions *aitree.Actions) error
	// Name returns the name by which trees post the action.
	Name() string
}

// AddAction adds an action of the host's own: it registers the action, so that trees that are added afterwards can name
// it, and inserts its system into the frame after movement and combat. There it takes up an order in the frame that
// posts it, and sees the positions of that frame. For another place register the action yourself, by its method
// Register, and insert it by [Herd.Before] or [Herd.After]: an action that writes what movement reads, such as a Body's
// Speed, stands before [ActionStage].
//
// A host that carries out a standard action itself, such as "seek" where it moves agents itself, leaves out the step
// that does (here it sets Herd.Movement to nil) before it adds its own.
//
// An error says that the name is registered with another meaning, or that something carries out the action already.
// Panics after the first frame has begun, and when the action is nil.
func (h *Herd) AddAction(a Action) error {
	h.requireMade("AddAction")
	h.requireNotBegun("AddAction")
	if isNil(a) {
		panic("systems: Herd.AddAction of a nil action")
	}
	for _, s := range h.after[ActionStage] {
		if other, ok := s.(Action); ok && other.Name() == a.Name() {
			return fmt.Errorf("systems: Herd.AddAction: action %q has been added already", a.Name())
		}
	}
	if step := h.stepOf(a.Name()); step != "" {
		return fmt.Errorf("systems: Herd.AddAction: action %q is carried out by Herd.%s; set that to nil before",
			a.Name(), step)
	}
	if err := a.Register(h.Actions); err != nil {
		return fmt.Errorf("systems: Herd.AddAction: %w", err)
	}
	h.After(ActionStage, a)
	return nil
}

// stepOf returns the field of the herd whose step carries out an action, "" where none does.
func (h *Herd) stepOf(name string) string {
	switch name {
	case action.Seek, action.Arrive, action.Flee, action.Patrol, action.Wander, action.Stand:
		if h.Movement != nil {
			return "Movement"
		}
	case action.Melee, action.Shoot:
		if h.Combat != nil {
			return "Combat"
		}
	case action.Eat, action.Sleep, action.Socialise, action.Work, action.Rest:
		if h.Needs != nil {
			return "Needs"
		}
	}
	return ""
}
