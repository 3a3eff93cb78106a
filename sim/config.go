package sim

import (
	"fmt"
	"math"
	"strings"
)

// Config says what to run.
type Config struct {
	Scenario string
	Agents   int     // 1…MaxAgents
	Seconds  float64 // simulated; the run has Seconds·FPS frames, rounded
	FPS      int     // frames per simulated second, 1…MaxFPS
	Seed     uint64
	Map      string // path of a MovingAI .map file; empty generates a map that gives each agent 16 m²
	Workers  int    // goroutines that serve a frame, 1…MaxWorkers
	Explain  int    // agent whose choices by utility the report explains, 1…Agents in the order made; 0: nobody
	LOD      bool   // whether agents decide by the cadence of their tier or all in every frame
}

// Bounds of a [Config].
const (
	MaxAgents  = 4_000_000
	MaxSeconds = 1e8
	MaxFPS     = 1000
	MaxWorkers = 256
)

// DefaultConfig is what the command runs when it is told nothing.
func DefaultConfig() Config {
	return Config{Scenario: "siege", Agents: 2000, Seconds: 30, FPS: 60, Seed: 1, Workers: 1, LOD: true}
}

// Validate returns an error that names the first value that is out of bounds, and the bounds.
func (c Config) Validate() error {
	if _, err := scenario(c.Scenario); err != nil {
		return err
	}
	switch {
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
	case c.frames() < 1:
		return fmt.Errorf("sim: %v seconds at %d frames per second is less than a frame; use at least %g seconds",
			c.Seconds, c.FPS, 1/float64(c.FPS))
	case c.frames() > math.MaxUint32/2:
		return fmt.Errorf("sim: %v seconds at %d frames per second is more than %d frames",
			c.Seconds, c.FPS, math.MaxUint32/2)
	}
	return nil
}

func (c Config) frames() int { return int(math.Round(c.Seconds * float64(c.FPS))) }

// Scenario is a world to run.
type Scenario struct {
	Name    string
	Summary string // one line
	setUp   func(*Simulation) error
}

// Scenarios returns the known scenarios, in the order in which a list shows them.
func Scenarios() []Scenario {
	return []Scenario{
		{Name: "guards", Summary: "guards patrol a town, chase intruders and fight them", setUp: setUpGuards},
		{
			Name: "skirmish", Summary: "two sides meet in a town and fight hand to hand and from afar",
			setUp: setUpSkirmish,
		},
		{Name: "siege", Summary: "villagers, guards and besiegers in one town", setUp: setUpSiege},
		{
			Name: "villagers", Summary: "villagers eat, sleep, meet and work as their needs and the hour tell them",
			setUp: setUpVillagers,
		},
	}
}

// scenario returns the scenario of a name; the error lists the known ones.
func scenario(name string) (Scenario, error) {
	var known []string
	for _, s := range Scenarios() {
		if s.Name == name {
			return s, nil
		}
		known = append(known, s.Name)
	}
	return Scenario{}, fmt.Errorf("sim: unknown scenario %q; known are: %s", name, strings.Join(known, ", "))
}
