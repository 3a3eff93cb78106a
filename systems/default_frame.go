package systems

import (
	"fmt"
	"reflect"
	"time"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
)

// Stage is a part of the frame. The stages run in the order of their constants.
type Stage uint8

// The stages of a frame.
const (
	LODStage        Stage = iota // which agents decide in this frame
	PerceptionStage              // what those agents sense, and their needs
	AIStage                      // trees tick, choices are made, intents are posted
	ActionStage                  // movement and combat carry intents out
	CommandStage                 // structural changes are applied
	stages          = iota
)

var stageNames = [stages]string{"lod", "perception", "ai", "actions", "commands"}

// String returns the stage's name, as reports show it.
func (s Stage) String() string {
	if int(s) < len(stageNames) {
		return stageNames[s]
	}
	return "unknown"
}

// Stages returns the stages of a frame in order.
func Stages() []Stage {
	list := make([]Stage, stages)
	for i := range list {
		list[i] = Stage(i)
	}
	return list
}

// scheduled is a system of the frame and the stage that its time is counted to.
type scheduled struct {
	stage  Stage
	system ecs.System
}

// Before inserts a system into the frame, before the library's systems of a stage and after those that were inserted
// there earlier.
//
// Panics after the first frame has begun, and when the system is nil.
func (h *Herd) Before(stage Stage, system ecs.System) {
	h.requireMade("Before")
	h.insert(&h.before, "Before", stage, system)
}

// After inserts a system into the frame, after the library's systems of a stage and after those that were inserted
// there earlier.
//
// Panics after the first frame has begun, and when the system is nil.
func (h *Herd) After(stage Stage, system ecs.System) {
	h.requireMade("After")
	h.insert(&h.after, "After", stage, system)
}

func (h *Herd) insert(lists *[stages][]ecs.System, method string, stage Stage, system ecs.System) {
	switch {
	case isNil(system):
		panic(fmt.Sprintf("systems: Herd.%s(%v) of a nil system", method, stage))
	case system == ecs.System(h):
		panic(fmt.Sprintf("systems: Herd.%s(%v) of the herd itself", method, stage))
	case int(stage) >= stages:
		panic(fmt.Sprintf("systems: Herd.%s: there is no stage %d; use LODStage to CommandStage", method, stage))
	}
	h.requireNotBegun(method)
	lists[stage] = append(lists[stage], system)
}

// Replace sets a function that is given each system of the frame, inserted ones included, and returns the system that
// runs in its place, which may be the same: for a host's own implementation of a step, and for measurements. Nil
// replaces nothing.
//
// Panics after the first frame has begun. The first frame panics when the function returns nil.
func (h *Herd) Replace(f func(stage Stage, system ecs.System) ecs.System) {
	h.requireNotBegun("Replace")
	h.replace = f
}

func isNil(system ecs.System) bool {
	v := reflect.ValueOf(system)
	return system == nil || (v.Kind() == reflect.Pointer || v.Kind() == reflect.Func) && v.IsNil()
}

func (h *Herd) requireNotBegun(method string) {
	if h.schedule != nil {
		panic(fmt.Sprintf("systems: Herd.%s after the first frame has begun; change the frame before Step", method))
	}
}

// Observe sets a function that is told, after each system of a frame, the system's stage and what it took by the wall
// clock. Nil, the default, measures nothing. It may be called between frames.
func (h *Herd) Observe(f func(stage Stage, took time.Duration)) { h.observe = f }

// Step runs one frame of 1/FPS seconds. The first call initialises the systems.
//
// Panics as [Herd.Update] does, and with [Options.HostClock], where StepTo is to be called.
func (h *Herd) Step() {
	if h.hostClock {
		panic("systems: Herd.Step with Options.HostClock; call StepTo with the host's time")
	}
	h.begin()
	h.Update(h.world)
}

// StepTo runs one frame that ends at a time of the host's clock, counted from the start of the run. A frame in which no
// time passes is allowed. The first call initialises the systems.
//
// Panics when the time is not above 0 or is before that of the last frame, without [Options.HostClock], and as
// [Herd.Update] does.
func (h *Herd) StepTo(now time.Duration) {
	if !h.hostClock {
		panic("systems: Herd.StepTo without Options.HostClock; set it, or call Step")
	}
	if h.running {
		panic("systems: a frame inside a frame; hooks and systems must not call Step, StepTo or Update")
	}
	h.begin()
	h.Clock.Set(components.Timestamp(now))
	h.Update(h.world)
}

func (h *Herd) begin() {
	h.requireMade("Step")
	if h.schedule == nil {
		h.Initialize(h.world)
	}
}

// Initialize implements [ecs.System], for a host that runs the herd as one of its systems. [Herd.Step] calls it itself.
//
// Panics when a setting of a step is out of range, and when the herd was closed.
func (h *Herd) Initialize(w *arche.World) {
	h.require(w, "Initialize")
	if h.finalized {
		panic("systems: Herd.Initialize after Close or Finalize; install a new world")
	}
	if h.schedule != nil {
		panic("systems: Herd.Initialize after the first frame has begun; it is called once, by Step or by the host")
	}
	var schedule []scheduled
	for stage, own := range [stages][]ecs.System{
		LODStage:        {system(h.LOD)},
		PerceptionStage: {&spatial.GridSystem{}, system(h.Perception), system(h.Needs)},
		AIStage:         {system(h.AI)},
		ActionStage:     {system(h.Movement), system(h.Combat)},
		CommandStage:    {&frame.CommandSystem{}},
	} {
		for _, list := range [][]ecs.System{h.before[stage], own, h.after[stage]} {
			schedule = h.appendSystems(schedule, Stage(stage), list)
		}
	}
	for _, s := range schedule {
		s.system.Initialize(w)
	}
	h.schedule = schedule // last, so that a system that cannot be initialised leaves the herd as it was
}

// system returns a step as a system, nil where the step is left out.
func system[S interface {
	*T
	ecs.System
}, T any](step S) ecs.System {
	if step == nil {
		return nil
	}
	return step
}

// appendSystems appends the systems of a list, or those that replace them.
func (h *Herd) appendSystems(schedule []scheduled, stage Stage, list []ecs.System) []scheduled {
	for _, s := range list {
		if s == nil {
			continue // a step that is left out
		}
		if h.replace != nil {
			replaced := h.replace(stage, s)
			if isNil(replaced) {
				panic(fmt.Sprintf("systems: the function of Herd.Replace returned nil for %T", s))
			}
			s = replaced
		}
		schedule = append(schedule, scheduled{stage, s})
	}
	return schedule
}

// Update implements [ecs.System]: it runs one frame. Without [Options.HostClock] it moves the clock first.
//
// Panics before Initialize, after Finalize, with another world than the herd's and, with HostClock, when Clock.Set was
// not called since the last frame.
func (h *Herd) Update(w *arche.World) {
	h.require(w, "Update")
	switch {
	case h.finalized:
		panic("systems: Herd.Update after Close or Finalize")
	case h.schedule == nil:
		panic("systems: Herd.Update before Initialize; call Step, which initialises the systems")
	}
	if h.running {
		panic("systems: a frame inside a frame; hooks and systems must not call Step, StepTo or Update")
	}
	if h.hostClock && h.Clock.Frame == h.frame {
		panic("systems: Herd.Update with Options.HostClock and without Clock.Set since the last frame; call StepTo, " +
			"or Clock.Set before each Update")
	}
	h.running = true
	defer h.frameEnded() // after a panic, too
	if !h.hostClock {
		h.Clock.Advance()
	}
	h.frame = h.Clock.Frame
	for _, s := range h.schedule {
		if h.observe == nil {
			s.system.Update(w)
			continue
		}
		start := time.Now()
		s.system.Update(w)
		h.observe(s.stage, time.Since(start))
	}
	h.servePauses()
}

// frameEnded allows the next frame.
func (h *Herd) frameEnded() { h.running = false }

// Finalize implements [ecs.System]: it finalises the systems. The workers go on until [Herd.Close].
func (h *Herd) Finalize(w *arche.World) {
	h.require(w, "Finalize")
	switch {
	case h.finalized:
		return
	case h.running:
		panic("systems: Herd.Close or Finalize inside a frame; call it between frames")
	}
	h.finalized = true
	for _, s := range h.schedule {
		s.system.Finalize(w)
	}
}

func (h *Herd) require(w *arche.World, method string) {
	h.requireMade(method)
	if w != h.world {
		panic(fmt.Sprintf("systems: Herd.%s of another world than the one of Install", method))
	}
}
