package scenarios

import (
	"fmt"
	"runtime"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems"
)

// Decisions is what a decision costs in the AI stage of a scenario, in nanoseconds: the medians of repetitions.
type Decisions struct {
	Scenario string  `json:"scenario"`     // its name
	Agents   int     `json:"agents"`       // of the first two crowds
	Large    int     `json:"large_agents"` // of the third
	LOD      float64 `json:"lod_ns"`       // few agents are due in a frame
	AllDue   float64 `json:"all_due_ns"`   // every agent decides in every frame
	LargeDue float64 `json:"large_due_ns"` // likewise, of the large crowd
}

// CompareDecisions measures three crowds of a scenario in turn: a number of agents with LOD and without, and a large
// number without. settle is the number of frames before these of the first repetition. The large crowd runs one frame
// in each repetition.
//
// An error is one of the configuration.
func CompareDecisions(chosen sim.Scenario, agents, large, settle, repetitions, frames int) (*Decisions, error) {
	type crowd struct {
		agents, frames int
		lod            bool
		watch          *Stopwatch
		simulation     *sim.Simulation
		costs          []float64
	}
	crowds := []*crowd{
		{agents: agents, frames: frames, lod: true}, {agents: agents, frames: frames}, {agents: large, frames: 1},
	}
	for _, c := range crowds {
		config := sim.DefaultConfig(chosen)
		config.Agents, config.LOD = c.agents, c.lod
		s, err := sim.NewSimulation(config)
		if err != nil {
			return nil, fmt.Errorf("benchmarks: %w", err)
		}
		defer s.Close()
		c.simulation, c.watch = s, NewStopwatch(s, repetitions*frames)
		c.watch.Settle(settle)
	}
	stage := systems.AIStage.String()
	for range repetitions {
		for _, c := range crowds {
			runtime.GC()
			before, measured := decisionsOf(c.simulation), len(c.watch.stages[stage])
			c.watch.Run(c.frames)
			total := 0.0
			for _, ns := range c.watch.stages[stage][measured:] {
				total += ns
			}
			if decided := decisionsOf(c.simulation) - before; decided > 0 {
				c.costs = append(c.costs, total/float64(decided))
			}
		}
	}
	d := &Decisions{Scenario: chosen.Name, Agents: agents, Large: large}
	for i, to := range []*float64{&d.LOD, &d.AllDue, &d.LargeDue} {
		*to = harness.Quantile(crowds[i].costs, 0.5)
	}
	return d, nil
}

// Write writes the costs as text.
func (d *Decisions) Write(p *harness.Printer) {
	p.Line("A decision in the AI stage of the scenario %s, in ns, in turn", d.Scenario)
	p.Line("  %9d agents, few due  %8.1f", d.Agents, d.LOD)
	p.Line("  %9d agents, all due  %8.1f", d.Agents, d.AllDue)
	p.Line("  %9d agents, all due  %8.1f", d.Large, d.LargeDue)
}
