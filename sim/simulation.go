package sim

import (
	"fmt"
	"path/filepath"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim/town"
	"github.com/flockwork-ai/flockwork/systems"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// Simulation is a [systems.Herd] in a world that a [Scenario] filled. It embeds the herd, with its steps and resources
// (LOD, Combat, Clock, Events, Map, …). The SetUp function of a scenario makes agents, changes the settings of steps or
// sets steps to nil, inserts systems, and calls [Simulation.OnReport].
type Simulation struct {
	*systems.Herd
	Config Config // as given to NewSimulation; read only

	onReport []func(*Report)
	camera   camera
	agents   []components.Entity // made by the scenario; nil when Config.Explain is 0
}

// NewSimulation makes the world of a configuration, ready for its first frame. The caller calls Close at the end.
//
// It returns an error when the configuration is not valid ([Config.Validate]), when its map cannot be read, and when
// the SetUp function of the scenario fails. Nothing needs to be closed then.
func NewSimulation(c Config) (*Simulation, error) { return NewSimulationWith(c, nil) }

// NewSimulationWith makes a simulation as [NewSimulation] does and replaces systems: replace is called with each system
// of the frame and its stage and returns the system that runs instead. A nil replace replaces none.
//
// Panics when replace returns nil.
func NewSimulationWith(c Config, replace func(systems.Stage, ecs.System) ecs.System) (*Simulation, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	m, err := openMap(c)
	if err != nil {
		return nil, err
	}
	world := arche.NewWorld()
	herd, err := systems.Install(&world, systems.Options{FPS: c.FPS, Seed: c.Seed, Workers: c.Workers, Map: m})
	if err != nil {
		return nil, fmt.Errorf("sim: %w", err)
	}
	s := &Simulation{Herd: herd, Config: c, camera: newCamera(m)}
	s.LOD.Config.Off = !c.LOD
	s.SetObservers(s.camera.at(0))
	s.Before(systems.LODStage, ecs.SystemFunc(s.moveCamera))
	if err := c.Scenario.SetUp(s); err != nil {
		s.Close()
		return nil, fmt.Errorf("sim: scenario %q: %w", c.Scenario.Name, err)
	}
	if c.Explain > 0 {
		s.agents = s.listAgents()
	}
	s.Replace(replace)
	s.Initialize(&world)
	return s, nil
}

// openMap loads the map of a configuration, or generates one with 16 m² for each agent.
func openMap(c Config) (*space.Map, error) {
	if c.Map != "" {
		return space.LoadMap(filepath.Clean(c.Map))
	}
	width, height := town.Size(c.Agents)
	return town.Generate(width, height, c.Seed), nil
}

// OnReport adds a function that writes the scenario's part of a report. It is called after the last frame, when all
// other fields except WorldHash are set. [Scenario.SetUp] calls OnReport.
func (s *Simulation) OnReport(write func(*Report)) { s.onReport = append(s.onReport, write) }
