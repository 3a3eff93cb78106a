package sim

import (
	"fmt"
	"path/filepath"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/resources"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems/ai"
	"github.com/flockwork-ai/flockwork/systems/combat"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/lod"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// Simulation is a world that a [Scenario] filled, with the systems of a frame in order. A scenario's SetUp reads
// Config, World, Map, Actions and Clock, changes LOD.Config, may set Combat, and calls [Simulation.AddSystem] and
// [Simulation.OnReport].
type Simulation struct {
	Config  Config          // that it was made with
	World   *arche.World    // with the resources of all systems
	Map     *space.Map      // the ground
	Clock   *frame.Clock    // the frame's number and time
	Events  *frame.Events   // counts what systems report
	Actions *aitree.Actions // the names of actions, for building trees
	AI      *ai.System      // ticks the trees
	LOD     *lod.System     // its Config may be changed by SetUp
	Combat  *combat.System  // nil in a scenario without combat

	added    []stagedSystem // by the scenario
	onReport []func(*Report)
	schedule *ecs.Schedule
	camera   camera
	agents   []components.Entity // those that the scenario began with; nil where none is to be explained
	closed   bool
}

// NewSimulation makes the world of a configuration, ready for its first frame. The caller closes it with
// [Simulation.Close].
//
// An error says what is wrong with the configuration or with its map, or is that of the scenario's SetUp. Nothing needs
// to be closed after an error.
func NewSimulation(c Config) (*Simulation, error) { return NewSimulationWith(c, nil) }

// NewSimulationWith makes a simulation as [NewSimulation] does and replaces systems: replace is called with each system
// of the frame and the name of its stage and returns the system that runs in its place. A nil replace replaces none.
//
// Panics when replace returns nil.
func NewSimulationWith(c Config, replace func(stage string, system ecs.System) ecs.System) (*Simulation, error) {
	if err := c.Validate(); err != nil {
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
		Actions: aitree.NewActions(),
		AI:      &ai.System{},
		LOD:     &lod.System{Config: lod.Config{Off: !c.LOD}},
	}
	s.installResources()
	if err := c.Scenario.SetUp(s); err != nil {
		s.closeWorkers()
		return nil, fmt.Errorf("sim: scenario %q: %w", c.Scenario.Name, err)
	}
	if c.Explain > 0 {
		s.agents = s.listAgents()
	}
	s.schedule = ecs.NewSchedule()
	for _, staged := range s.frameSystems() {
		s.schedule.Add(staged.stage, staged.system)
	}
	if replace != nil {
		s.schedule.Replace(replace)
	}
	s.schedule.Initialize(s.World)
	return s, nil
}

// installResources adds the resources of all systems to the world.
func (s *Simulation) installResources() {
	c := s.Config
	resources.Install(s.World, resources.Options{
		FPS: c.FPS, Seed: c.Seed, Workers: c.Workers, Map: s.Map, Actions: s.Actions,
	})
	s.Clock = ecs.Resource[frame.Clock](s.World, "sim")
	s.Events = ecs.Resource[frame.Events](s.World, "sim")
	s.camera = newCamera(s.Map)
	arche.AddResource(s.World, &lod.Observers{s.camera.at(0)})
}

// openMap loads the map of a configuration, or generates one with 16 m² for each agent.
func openMap(c Config) (*space.Map, error) {
	if c.Map != "" {
		return space.LoadMap(filepath.Clean(c.Map))
	}
	width, height := town.Size(c.Agents)
	return town.Generate(width, height, c.Seed), nil
}

// OnReport adds a function that writes the scenario's part of a report. It is called after the last frame, when the
// common part is written but the world hash. [Scenario.SetUp] calls OnReport.
func (s *Simulation) OnReport(write func(*Report)) { s.onReport = append(s.onReport, write) }

// Observe sets a function that is told what each system of a frame took, with the name of its stage. Nil, the default,
// measures nothing.
func (s *Simulation) Observe(f func(stage string, nanoseconds int64)) { s.schedule.Observe(f) }

// Step runs one frame.
func (s *Simulation) Step() {
	s.Clock.Advance()
	s.camera.move(s.World, s.Clock.Now)
	s.schedule.Update(s.World)
}

// Close ends the systems and the workers. It may be called more than once. No [Simulation.Step] may follow.
func (s *Simulation) Close() {
	if s.closed {
		return
	}
	s.closed = true
	s.schedule.Finalize(s.World)
	s.closeWorkers()
}

func (s *Simulation) closeWorkers() { ecs.Resource[parallel.Workers](s.World, "sim").Close() }
