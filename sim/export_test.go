package sim

import "github.com/flockwork-ai/flockwork/components"

// ExplainedAgents returns the agents that a simulation can explain, by their numbers.
func ExplainedAgents(s *Simulation) []components.Entity { return s.agents }

// Explain explains the agent of a number.
func Explain(s *Simulation, number int) string { return s.explain(number, s.agents) }

// AllAgents returns the entities with a mind, by index.
func AllAgents(s *Simulation) []components.Entity { return s.listAgents() }
