package ecs

import (
	"fmt"
	"time"

	arche "github.com/mlange-42/arche/ecs"
)

// System is one step of a frame. Arche-model has the same interface, so its apps can run systems of this project.
type System interface {
	Initialize(w *arche.World) // called once, before the first frame
	Update(w *arche.World)     // called once a frame
	Finalize(w *arche.World)   // called once, after the last frame
}

// SystemFunc is a [System] that calls a function once a frame.
type SystemFunc func(w *arche.World)

// Initialize does nothing.
func (f SystemFunc) Initialize(*arche.World) {}

// Update calls the function.
func (f SystemFunc) Update(w *arche.World) { f(w) }

// Finalize does nothing.
func (f SystemFunc) Finalize(*arche.World) {}

// Schedule runs systems in the order in which they were added. It is a [System] itself. The zero value has no systems.
type Schedule struct {
	world   *arche.World // nil before Initialize and after Finalize
	stages  []stage
	observe func(stage string, took time.Duration)
}

type stage struct {
	name   string
	system System
}

// NewSchedule returns a schedule of systems, named by their types.
func NewSchedule(systems ...System) *Schedule {
	s := &Schedule{}
	for _, system := range systems {
		s.Add("", system)
	}
	return s
}

// Add appends a system. The name identifies it in [Schedule.Names], [Schedule.Replace] and [Schedule.Observe]; it need
// not be unique. An empty name means the system's type, such as "*lod.System".
//
// Panics when the system is nil, and after Initialize.
func (s *Schedule) Add(name string, system System) {
	if system == nil {
		panic(fmt.Sprintf("ecs: Schedule.Add(%q) of a nil system", name))
	}
	s.requireIdle("Add")
	if name == "" {
		name = fmt.Sprintf("%T", system)
	}
	s.stages = append(s.stages, stage{name: name, system: system})
}

// Replace replaces each system by what f returns for it. The names stay. Call it before [Schedule.Initialize].
//
// Panics when f returns nil, and after Initialize.
func (s *Schedule) Replace(f func(name string, system System) System) {
	s.requireIdle("Replace")
	for i := range s.stages {
		system := f(s.stages[i].name, s.stages[i].system)
		if system == nil {
			panic(fmt.Sprintf("ecs: Schedule.Replace of %q by a nil system", s.stages[i].name))
		}
		s.stages[i].system = system
	}
}

// Names returns the names of the systems in order.
func (s *Schedule) Names() []string {
	names := make([]string, len(s.stages))
	for i := range s.stages {
		names[i] = s.stages[i].name
	}
	return names
}

// Observe sets a function that is called after each system's Update with the name of the system and the wall-clock time
// that the Update took. Nil, the default, measures nothing.
func (s *Schedule) Observe(f func(stage string, took time.Duration)) { s.observe = f }

func (s *Schedule) requireIdle(method string) {
	if s.world != nil {
		panic("ecs: Schedule." + method + " after Initialize; change the schedule before, or after Finalize")
	}
}

// Initialize initialises all systems in order.
//
// Panics when the world is nil.
func (s *Schedule) Initialize(w *arche.World) {
	requireWorld(w, "Schedule.Initialize")
	s.world = w
	for i := range s.stages {
		s.stages[i].system.Initialize(w)
	}
}

// Update runs one frame: it updates all systems in order.
//
// Panics before Initialize, after Finalize and with another world than that of Initialize.
func (s *Schedule) Update(w *arche.World) {
	switch {
	case s.world == nil:
		panic("ecs: Schedule.Update before Initialize or after Finalize; call Initialize with the world first")
	case s.world != w:
		panic("ecs: Schedule.Update of another world than that of Initialize; use one schedule for each world")
	}
	if s.observe == nil {
		for i := range s.stages {
			s.stages[i].system.Update(w)
		}
		return
	}
	for i := range s.stages {
		start := time.Now()
		s.stages[i].system.Update(w)
		s.observe(s.stages[i].name, time.Since(start))
	}
}

// Finalize finalises all systems in order.
func (s *Schedule) Finalize(w *arche.World) {
	s.world = nil
	for i := range s.stages {
		s.stages[i].system.Finalize(w)
	}
}
