package sim

import (
	"fmt"
	"math"
)

// Config is the configuration of a run. [DefaultConfig] returns a valid one.
type Config struct {
	Scenario Scenario // fills the world
	Agents   int      // 1…MaxAgents
	Seconds  float64  // simulated time; the run has Seconds·FPS frames, rounded
	FPS      int      // frames per simulated second, 1…MaxFPS
	Seed     uint64   // of all random draws; any value
	Map      string   // path of a MovingAI .map file; empty generates a map with 16 m² for each agent
	Workers  int      // goroutines that serve a frame, 1…MaxWorkers; the outcome does not depend on it
	Explain  int      // number of the agent whose tree the report explains, 1…Agents by creation; 0: none
	LOD      bool     // true: agents decide at the rate of their LOD tier; false: all decide in every frame
}

// Scenario fills a world with agents. Package scenario has those of the command; a program can define others.
type Scenario struct {
	Name    string // one word, as reports and the command show it
	Summary string // one line

	// SetUp adds the agents, the scenario's systems and its part of the report. It is called once for each simulation,
	// when the world has its resources and before its systems are initialised.
	SetUp func(*Simulation) error
}

// Bounds of a [Config].
const (
	MaxAgents  = 4_000_000 // of [Config.Agents]
	MaxSeconds = 1e8       // of [Config.Seconds]
	MaxFPS     = 1000      // of [Config.FPS]
	MaxWorkers = 256       // of [Config.Workers]
)

// DefaultConfig returns the configuration that the command runs without flags: 2,000 agents on a generated map, 30
// seconds at 60 frames per second, seed 1, 1 worker, with LOD.
func DefaultConfig(scenario Scenario) Config {
	return Config{Scenario: scenario, Agents: 2000, Seconds: 30, FPS: 60, Seed: 1, Workers: 1, LOD: true}
}

// Validate returns an error that names the first value that is out of bounds, and the bounds.
func (c Config) Validate() error {
	switch {
	case c.Scenario.SetUp == nil:
		return fmt.Errorf("sim: no scenario; set Config.Scenario to one that has SetUp, such as those of sim/scenario")
	case c.Agents < 1 || c.Agents > MaxAgents:
		return fmt.Errorf("sim: %d agents; use 1 to %d", c.Agents, MaxAgents)
	case math.IsNaN(c.Seconds) || c.Seconds <= 0 || c.Seconds > MaxSeconds:
		return fmt.Errorf("sim: %v seconds; use more than 0 and at most %g", c.Seconds, MaxSeconds)
	case c.FPS < 1 || c.FPS > MaxFPS:
		return fmt.Errorf("sim: %d frames per second; use 1 to %d", c.FPS, MaxFPS)
	case c.Explain < 0 || c.Explain > c.Agents:
		return fmt.Errorf("sim: explain agent %d; agents are 1 to %d", c.Explain, c.Agents)
	case c.Workers < 1 || c.Workers > MaxWorkers:
		return fmt.Errorf("sim: %d workers; use 1 to %d", c.Workers, MaxWorkers)
	case c.Frames() < 1:
		return fmt.Errorf("sim: %v seconds at %d frames per second is less than a frame; use at least %g seconds",
			c.Seconds, c.FPS, 1/float64(c.FPS))
	case c.Frames() > math.MaxUint32/2:
		return fmt.Errorf("sim: %v seconds at %d frames per second is more than %d frames",
			c.Seconds, c.FPS, math.MaxUint32/2)
	}
	return nil
}

// Frames returns the number of frames of the run: Seconds times FPS, rounded.
func (c Config) Frames() int { return int(math.Round(c.Seconds * float64(c.FPS))) }
