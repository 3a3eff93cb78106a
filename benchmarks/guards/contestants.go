package guards

import (
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/sim"
)

// contestant is one way to decide for a crowd of guards.
type contestant struct {
	name  string
	crowd *crowd
	tick  func() // decides once for every guard; this is what is timed
	idle  bool   // it decides nothing

	program *aitree.Program // of the block executor; nil for the others
}

// Names of the contestants.
const (
	byHand              = "handwritten"
	byHandColumns       = "handwritten over columns"
	byPointerStruct     = "pointer nodes, struct blackboard"
	byPointerDictionary = "pointer nodes, dictionary blackboard"
	byInterpreter       = "interpreter"
	byBlock             = "block executor"
	byBlockTwoWorkers   = "block executor, 2 workers"
	byIteration         = "iteration alone"
)

// newContestants returns the contestants, each with its own crowd. The crowds are equal.
func newContestants(agents int, seed uint64) []*contestant {
	return []*contestant{
		newHandContestant(agents, seed),
		newHandColumnsContestant(agents, seed),
		newPointerContestant(byPointerStruct, agents, seed, false),
		newPointerContestant(byPointerDictionary, agents, seed, true),
		newInterpreterContestant(agents, seed),
		newBlockContestant(byBlock, agents, seed, 1),
		newBlockContestant(byBlockTwoWorkers, agents, seed, 2),
		newIterationContestant(agents, seed),
	}
}

func newHandContestant(agents int, seed uint64) *contestant {
	c := newCrowd(agents, seed, 1, generic.T[handMemory]())
	return &contestant{name: byHand, crowd: c, tick: newHandwritten(c).tick}
}

func newHandColumnsContestant(agents int, seed uint64) *contestant {
	c := newCrowd(agents, seed, 1, generic.T[handMemory]())
	return &contestant{name: byHandColumns, crowd: c, tick: newHandwritten(c).tickColumns}
}

func newPointerContestant(name string, agents int, seed uint64, dictionary bool) *contestant {
	c := newCrowd(agents, seed, 1, generic.T[treeIndex]())
	return &contestant{name: name, crowd: c, tick: newPointerGuards(c, dictionary).tick}
}

func newInterpreterContestant(agents int, seed uint64) *contestant {
	c := newCrowd(agents, seed, 1, generic.T[flatMemory]())
	return &contestant{name: byInterpreter, crowd: c, tick: newInterpreter(c).tick}
}

func newBlockContestant(name string, agents int, seed uint64, workers int) *contestant {
	c := newCrowd(agents, seed, workers, generic.T[components.Mind64]())
	program, ai := newBlock(c)
	return &contestant{name: name, crowd: c, tick: func() { ai.Update(c.world) }, program: program}
}

// newIterationContestant reads one word of each component that the AI system reads in every tick, and decides nothing.
func newIterationContestant(agents int, seed uint64) *contestant {
	c := newCrowd(agents, seed, 1, generic.T[components.Mind64]())
	filter := generic.NewFilter5[
		components.Percept, components.Health, sim.Post, components.Intent, components.Mind64,
	]()
	filter.Register(c.world)
	sum := uint32(0)
	return &contestant{name: byIteration, crowd: c, idle: true, tick: func() {
		query := filter.Query(c.world)
		for query.Next() {
			percept, health, post, intent, mind := query.Get()
			sum += percept.Target.Index + uint32(health.Current) + uint32(post.Distance) +
				uint32(intent.Orders[components.Move].Outcome) + mind.Words[1]
		}
	}}
}

// leafCounts returns the number of guards that are in each leaf of the tree.
func (c *contestant) leafCounts() []int {
	counts := make([]int, len(c.program.Leaves()))
	var leaves []int
	query := generic.NewFilter1[components.Mind64]().Query(c.crowd.world)
	for query.Next() {
		leaves = c.program.Compiled().RunningLeaves(query.Get().Words[:], leaves[:0])
		for _, leaf := range leaves {
			counts[leaf]++
		}
	}
	return counts
}
