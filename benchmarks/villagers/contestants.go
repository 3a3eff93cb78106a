package villagers

import (
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/components"
)

// contestant is one way to choose for a crowd of villagers.
type contestant struct {
	name    string
	crowd   *crowd
	tick    func() // chooses once for every villager; this is what is timed
	prepare func() // runs before each tick, or nil; not timed
	idle    bool   // it chooses nothing
}

// Names of the contestants.
const (
	byClosures       = "closures, dictionary blackboard"
	byStructClosures = "closures, struct blackboard"
	byWriting        = "writing the dictionaries"
	byScorer         = "batch scorer"
	byHand           = "handwritten"
	byIteration      = "iteration alone"
)

// newContestants returns the contestants, each with its own crowd. The crowds are equal.
func newContestants(agents int, seed uint64) []*contestant {
	return []*contestant{
		newClosureContestant(byClosures, agents, seed, true),
		newClosureContestant(byStructClosures, agents, seed, false),
		newWritingContestant(agents, seed),
		newHandContestant(agents, seed),
		newScorerContestant(agents, seed),
		newIterationContestant(agents, seed),
	}
}

// newIterationContestant reads one word of the facts and of the choice of every villager, and chooses nothing.
func newIterationContestant(agents int, seed uint64) *contestant {
	c := newCrowd(agents, seed)
	filter := generic.NewFilter2[facts, components.Choice]()
	filter.Register(c.world)
	sum := float32(0)
	return &contestant{name: byIteration, crowd: c, idle: true, tick: func() {
		query := filter.Query(c.world)
		for query.Next() {
			needs, choice := query.Get()
			sum += needs.Hunger + float32(choice.Action)
		}
	}}
}

// between runs the events between two ticks.
func (c *contestant) between() {
	c.crowd.between()
	c.runPrepare()
}

func (c *contestant) runPrepare() {
	if c.prepare != nil {
		c.prepare()
	}
}
