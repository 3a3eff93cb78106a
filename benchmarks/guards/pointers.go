package guards

import (
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/benchmarks/internal/draws"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/guardtree"
	"github.com/flockwork-ai/flockwork/benchmarks/internal/pointertree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
)

// treeIndex is the index of a guard's tree. A component can hold no pointer to the tree.
type treeIndex struct{ Index int32 }

type pointerFilter = generic.Filter5[
	components.Percept, components.Health, sim.Post, components.Intent, treeIndex,
]

// pointerGuards ticks a tree of node objects for each guard.
type pointerGuards struct {
	guardtree.FactWriter
	guards *pointerFilter
	trees  []*pointertree.Tree
}

func newPointerGuards(c *crowd, dictionary bool) *pointerGuards {
	p := &pointerGuards{
		FactWriter: guardtree.FactWriter{World: c.world, Clock: c.clock, Dictionary: dictionary},
		guards:     generic.NewFilter5[components.Percept, components.Health, sim.Post, components.Intent, treeIndex](),
	}
	p.guards.Register(c.world)
	actions := guardtree.NewHandles()
	read := guardtree.StructReadings(&actions)
	if dictionary {
		read = guardtree.DictionaryReadings(&actions)
	}
	query := p.guards.Query(c.world)
	for query.Next() {
		_, _, _, _, tree := query.Get()
		tree.Index = int32(len(p.trees))
		t := &pointertree.Tree{Root: guardtree.NewNodes(read, &actions)}
		t.Board.Self = ecs.FromArche(query.Entity())
		t.Board.Fired = &c.fired
		t.Board.Waits = draws.NewWaits(c.seed, guardtree.TreeName)
		if dictionary {
			t.Board.Values = map[string]any{}
		}
		p.trees = append(p.trees, t)
	}
	return p
}

// tick writes every guard's blackboard and ticks its tree.
func (p *pointerGuards) tick() {
	now := int64(p.Clock.Now) / 1000
	query := p.guards.Query(p.World)
	for query.Next() {
		percept, health, post, intent, index := query.Get()
		t := p.trees[index.Index]
		bb := &t.Board
		bb.Intent, bb.Instant = intent, now
		p.Write(bb, now, percept, health, post)
		t.Root.Tick(bb, p.Clock.Delta)
	}
}
