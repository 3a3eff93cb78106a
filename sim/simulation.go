package sim

import (
	"fmt"
	"path/filepath"
	"time"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/systems"
)

// Simulation is a world that a scenario filled, with the stages of a frame in order.
type Simulation struct {
	Config Config
	World  *arche.World
	Map    *systems.Map
	Clock  *systems.Clock
	Events *systems.Events
	AI     *systems.AI
	LOD    *systems.LOD
	Combat *systems.Combat // nil where the scenario has none

	actions  *aitree.Actions
	schedule *ecs.Schedule
	closed   bool
	camera   camera
	conclude []func(*Report)     // add what is the scenario's own
	village  *village            // nil where there is none
	agents   []components.Entity // that the scenario began with; nil where none is to be explained
}

// Observe sets a function that is told what each system of a frame took, with the name of its stage; nil measures
// nothing.
func (s *Simulation) Observe(f func(stage string, took time.Duration)) { s.schedule.Observe(f) }

// Stages returns the names of a frame's stages, in order.
func Stages() []string {
	return []string{stageLOD, stagePerception, stageAI, stageActions, stageCommands}
}

// Stages of a frame, as reports name them.
const (
	stageLOD        = "lod"
	stagePerception = "perception"
	stageAI         = "ai"
	stageActions    = "actions"
	stageCommands   = "commands"
)

// NewSimulation makes the world of a configuration, ready for its first frame. Close it when it is done with.
//
// An error names what is wrong with the configuration or with its map; nothing is left behind then.
func NewSimulation(c Config) (*Simulation, error) { return NewSimulationWith(c, nil) }

// NewSimulationWith makes a simulation in which other systems do a part of the work: replace, which may be nil, is
// handed each system of the frame with the name of its stage and returns what runs in its place.
func NewSimulationWith(c Config, replace func(stage string, system ecs.System) ecs.System) (*Simulation, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	chosen, err := scenario(c.Scenario)
	if err != nil {
		return nil, err
	}
	m, err := openMap(c)
	if err != nil {
		return nil, err
	}
	world := arche.NewWorld()
	s := &Simulation{
		Config:  c,
		World:   &world,
		Map:     m,
		AI:      &systems.AI{},
		LOD:     &systems.LOD{Config: systems.LODConfig{Off: !c.LOD}},
		actions: aitree.NewActions(),
	}
	systems.Install(s.World, systems.Options{FPS: c.FPS, Seed: c.Seed, Workers: c.Workers, Map: m, Actions: s.actions})
	s.Clock = ecs.Resource[systems.Clock](s.World, "sim")
	s.Events = ecs.Resource[systems.Events](s.World, "sim")
	s.camera = newCamera(m)
	arche.AddResource(s.World, &systems.Observers{s.camera.at(0)})
	s.schedule = ecs.NewSchedule()
	if err := chosen.setUp(s); err != nil {
		s.closeWorkers()
		return nil, fmt.Errorf("sim: scenario %q: %w", c.Scenario, err)
	}
	if c.Explain > 0 {
		s.agents = s.listAgents()
	}
	if replace != nil {
		s.schedule.Replace(replace)
	}
	s.schedule.Initialize(s.World)
	return s, nil
}

// openMap loads the map of a configuration, or generates one that gives each agent 16 m².
func openMap(c Config) (*systems.Map, error) {
	if c.Map != "" {
		return systems.LoadMap(filepath.Clean(c.Map))
	}
	width, height := systems.MapSizeFor(c.Agents)
	return systems.GenerateMap(width, height, c.Seed), nil
}

// Step runs one frame.
func (s *Simulation) Step() {
	s.Clock.Advance()
	s.camera.move(s.World, s.Clock.Now)
	s.schedule.Update(s.World)
}

// Close ends the systems and the workers. It may be called more than once; no [Simulation.Step] may follow.
func (s *Simulation) Close() {
	if s.closed {
		return
	}
	s.closed = true
	s.schedule.Finalize(s.World)
	s.closeWorkers()
}

func (s *Simulation) closeWorkers() { ecs.Resource[systems.Workers](s.World, "sim").Close() }

// camera is the one observer: it circles the middle of the map.
type camera struct {
	middle components.Vec2
	radius float32
}

// lap is how long the camera takes for a circle.
const lap = components.Timestamp(60e9)

func newCamera(m *systems.Map) camera {
	w, h := float32(m.Width), float32(m.Height)
	return camera{middle: components.Vec2{X: float32(w / 2), Y: float32(h / 2)}, radius: float32(0.3 * min(w, h))}
}

// at returns where the camera is. Where it is decides who thinks when, so the circle is made of
// quarters (1-t², 2t)/(1+t²), which need no sine.
func (c camera) at(now components.Timestamp) components.Vec2 {
	quarters := float32(now%lap) / float32(lap/4)
	t := quarters - float32(int(quarters))
	square := float32(t * t)
	x, y := (1-square)/(1+square), 2*t/(1+square)
	for range int(quarters) {
		x, y = -y, x
	}
	return components.Vec2{X: c.middle.X + float32(c.radius*x), Y: c.middle.Y + float32(c.radius*y)}
}

func (c camera) move(w *arche.World, now components.Timestamp) {
	(*ecs.Resource[systems.Observers](w, "sim"))[0] = c.at(now)
}
