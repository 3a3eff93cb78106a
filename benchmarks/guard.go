package benchmarks

import (
	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim"
)

// What the contestants need to know of the guard's tree to decide exactly as it does.

// treeName is a key of the tree's random draws.
const treeName = "guard"

// Nodes of the tree that draw, by their index in pre-order.
const (
	breathNode = 9
	pauseNode  = 40
)

const (
	heedsNoise = components.Timestamp(sim.GuardHeedsNoise * 1e9)
	callMicros = int64(sim.GuardCallSeconds * 1e6)
)

// guardActions registers the guard's actions. Handles go by order, so they are the same in each register it makes.
func guardActions() *aitree.Actions {
	actions := aitree.NewActions()
	for _, name := range []string{"seek", "flee", "patrol", "wander"} {
		must(actions.Register(name, components.Move))
	}
	for _, name := range []string{"strike", "shout"} {
		must(actions.RegisterTrigger(name))
	}
	return actions
}

// guardProgram compiles the guard's tree.
func guardProgram(actions *aitree.Actions) *aitree.Program {
	return must(aitree.Build(treeName, actions, sim.GuardTree(sim.GuardHooks{})))
}

// actionSet is the handles of the guard's actions.
type actionSet struct {
	seek, flee, patrol, wander, strike, shout components.Action
}

func newActionSet() actionSet {
	actions := guardActions()
	handle := func(name string) components.Action {
		h, _ := actions.Lookup(name)
		return h
	}
	return actionSet{
		seek: handle("seek"), flee: handle("flee"), patrol: handle("patrol"), wander: handle("wander"),
		strike: handle("strike"), shout: handle("shout"),
	}
}
