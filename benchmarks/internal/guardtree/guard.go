package guardtree

import (
	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

// What the contestants need to know of the guard's tree to decide exactly as it does.

// TreeName is a key of the tree's random draws.
const TreeName = "guard"

// Nodes of the tree that draw, by their index in pre-order.
const (
	BreathNode = 9
	PauseNode  = 40
)

const (
	NoiseMemory  = components.Timestamp(scenario.GuardNoiseSeconds * 1e9)
	CallInterval = int64(scenario.GuardCallSeconds * 1e6)
)

// NewActions registers the guard's actions. Handles go by order, so they are the same in each register it makes.
func NewActions() *aitree.Actions {
	actions := aitree.NewActions()
	for _, name := range []string{"seek", "flee", "patrol", "wander"} {
		harness.Must(actions.Register(name, components.Move))
	}
	for _, name := range []string{"strike", "shout"} {
		harness.Must(actions.RegisterTrigger(name))
	}
	return actions
}

// Program compiles the guard's tree.
func Program(actions *aitree.Actions) *aitree.Program {
	return harness.Must(aitree.Build(TreeName, actions, scenario.GuardTree(scenario.GuardHooks{})))
}

// Handles is the handles of the guard's actions.
type Handles struct {
	Seek, Flee, Patrol, Wander, Strike, Shout components.Action
}

func NewHandles() Handles {
	actions := NewActions()
	handle := func(name string) components.Action {
		h, _ := actions.Lookup(name)
		return h
	}
	return Handles{
		Seek: handle("seek"), Flee: handle("flee"), Patrol: handle("patrol"), Wander: handle("wander"),
		Strike: handle("strike"), Shout: handle("shout"),
	}
}
