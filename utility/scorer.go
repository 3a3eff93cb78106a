package utility

import (
	"fmt"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/scoring"
	"github.com/flockwork-ai/flockwork/utility/explain"
)

// Scorer decides for up to 64 agents by one evaluator, without a world and without a tree. Agent i has lane i of Facts,
// Choices[i] and Entities[i]. Make it with [NewScorer]; one goroutine uses it at a time.
//
// To decide, set the facts and Now, call [Scorer.Decide], and read Choices or [Scorer.Action].
type Scorer struct {
	Facts    *blackboard.Lanes    // what the agents know; at first the defaults of the facts
	Choices  []components.Choice  // what the agents have chosen; at first nothing. Decide takes them as in force
	Entities []components.Entity  // the agents: keys of draws, seen by custom inputs; at first indices 1, 2, 3 …
	Now      components.Timestamp // the clock that all agents share, in nanoseconds
	Seed     uint64               // a key of every draw
	User     any                  // passed to custom inputs

	evaluator *Evaluator
	engine    scoring.Scorer
	block     scoring.Block
}

// NewScorer returns a scorer for a number of agents, with room for their facts and choices.
//
// It panics if the number is not in 1..64, if the evaluator is nil or was not made by [Build], and if it has a
// [ConsiderCondition].
func NewScorer(e *Evaluator, agents int) *Scorer {
	if e == nil || e.compiled == nil {
		panic("utility: NewScorer without an evaluator; make one with Build")
	}
	e.compiled.RefuseConditions("utility: NewScorer")
	if agents < 1 || agents > 64 {
		panic(fmt.Sprintf("utility: a scorer for %d agents; use 1 to 64, and several scorers for more", agents))
	}
	s := &Scorer{
		Facts:    blackboard.NewLanes(e.Facts()),
		Choices:  make([]components.Choice, agents),
		Entities: make([]components.Entity, agents),

		evaluator: e,
	}
	s.block.Mask = ^uint64(0) >> (64 - agents)
	for i := range agents {
		s.Entities[i].Index = uint32(i + 1)
		s.block.Memory[i] = make([]uint32, e.compiled.MemoryWords)
	}
	return s
}

// Decide lets all agents decide once. It replaces Choices: a kept choice keeps its Since, and a new one gets Now. After
// its first call it allocates nothing.
//
// It panics if Choices or Entities has fewer elements than there are agents.
func (s *Scorer) Decide() {
	b := s.load()
	s.engine.Tick(s.evaluator.compiled, b)
}

// Explain explains what an agent would choose now. It changes nothing.
//
// It panics if there is no such agent, or as [Scorer.Decide] does.
func (s *Scorer) Explain(agent int) *explain.Choice {
	s.require("Explain", agent)
	return s.engine.Explain(s.evaluator.compiled, s.load(), agent)
}

// Action returns the name of the action that an agent has chosen, or "" if it has no choice. It panics if there is no
// such agent.
func (s *Scorer) Action(agent int) string {
	s.require("Action", agent)
	s.requireColumns()
	number := int(s.Choices[agent].Action)
	if actions := s.evaluator.compiled.Actions; number > 0 && number <= len(actions) {
		return actions[number-1].Name
	}
	return ""
}

// require panics unless there is such an agent.
func (s *Scorer) require(method string, agent int) {
	s.requireMade()
	if agent < 0 || agent >= s.agents() {
		panic(fmt.Sprintf("utility: Scorer.%s of agent %d; use 0 to %d, the scorer's agents", method, agent,
			s.agents()-1))
	}
}

func (s *Scorer) requireMade() {
	if s == nil || s.evaluator == nil {
		panic("utility: a Scorer that was not made; make one with NewScorer")
	}
}

func (s *Scorer) agents() int { return bitmask.Count(s.block.Mask) }

// load fills the block with the fields that a user may have changed.
func (s *Scorer) load() *scoring.Block {
	s.requireMade()
	s.requireColumns()
	n := s.agents()
	b := &s.block
	copy(b.Entities[:n], s.Entities)
	b.Column, b.Facts, b.Now, b.Seed, b.User = s.Choices[:n], s.Facts, s.Now, s.Seed, s.User
	return b
}

// requireColumns panics when the user has put too short a slice into a field.
func (s *Scorer) requireColumns() {
	n := s.agents()
	if len(s.Choices) < n || len(s.Entities) < n {
		panic(fmt.Sprintf(
			"utility: a scorer for %d agents has %d Choices and %d Entities; use one of each per agent",
			n, len(s.Choices), len(s.Entities)))
	}
	if s.Facts == nil {
		panic("utility: a Scorer whose Facts are nil; keep those of NewScorer, or set a blackboard.NewLanes")
	}
}
