package guardtree

import (
	"time"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim/scenario"
)

// TreeName is the name of the tree, a key of its random draws.
const TreeName = "guard"

// Nodes of the tree that draw, by index in pre-order.
const (
	BreathNode = 9  // catching breath after fleeing
	PauseNode  = 40 // the pause of a patrol
)

// Numbers of the tree in the units of the contestants: nanoseconds and microseconds.
const (
	NoiseMemory  = components.Timestamp(scenario.GuardNoiseMemory)
	CallInterval = int64(scenario.GuardCallInterval / time.Microsecond)
)

// NewActions returns a registry with the guard's actions. Their handles are the same in every registry it returns.
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

// Program compiles the guard's tree for the block executor.
func Program(actions *aitree.Actions) *aitree.Program {
	return harness.Must(aitree.Build(TreeName, actions, scenario.GuardTree(scenario.GuardHooks{})))
}

// Handles are the handles of the guard's actions.
type Handles struct {
	Seek, Flee, Patrol, Wander, Strike, Shout components.Action
}

// NewHandles returns the handles in a registry of [NewActions].
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
