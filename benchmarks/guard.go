package benchmarks

import (
	"time"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
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
	heedsNoise = components.Timestamp(sim.GuardHeedsNoise)
	callMicros = int64(sim.GuardCallInterval / time.Microsecond)
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

// must returns v. What is built here is built from constants, so an error is a fault of this package.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// actionSet is the handles of the guard's actions.
type actionSet struct {
	seek, flee, patrol, wander, strike, shout components.Action
	of                                        [pausing + 1]components.Action // by what a guard is doing; 0 is none
}

func newActionSet() actionSet {
	actions := guardActions()
	handle := func(name string) components.Action {
		h, _ := actions.Lookup(name)
		return h
	}
	s := actionSet{
		seek: handle("seek"), flee: handle("flee"), patrol: handle("patrol"), wander: handle("wander"),
		strike: handle("strike"), shout: handle("shout"),
	}
	s.of[fleeing], s.of[lookingAround], s.of[patrolling] = s.flee, s.wander, s.patrol
	s.of[chasing], s.of[searching], s.of[investigating], s.of[returning] = s.seek, s.seek, s.seek, s.seek
	return s
}

// draws makes the draws of the tree's random waits.
type draws struct{ seed, program uint64 }

func newDraws(seed uint64) draws { return draws{seed: seed, program: random.String(treeName)} }

// between draws 0…span microseconds for a wait of a guard that begins at a reading of the clock in microseconds, as
// package aitree does.
func (d draws) between(span uint32, e components.Entity, now int64, node int) int64 {
	h := random.Mix(d.seed, uint64(e.Generation)<<32|uint64(e.Index))
	h = random.Mix(h, uint64(uint32(now)))
	h = random.Mix(h, d.program)
	h = random.Mix(h, uint64(node)<<32)
	return int64(random.Below(h, span+1))
}
