package benchmarks

import (
	"github.com/mlange-42/arche/generic"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
)

// treeIndex says which tree is a guard's: a component can hold no pointer to it.
type treeIndex struct{ Index int32 }

// pointerGuards ticks a tree of node objects for each guard.
type pointerGuards struct {
	factWriter
	guards *generic.Filter6[components.Percept, components.Health, sim.Post, components.Intent, components.Triggers, treeIndex]
	trees  []*behaviorTree
}

func newPointerGuards(c *crowd, dictionary bool) *pointerGuards {
	p := &pointerGuards{
		factWriter: factWriter{world: c.world, clock: c.clock, dictionary: dictionary},
		guards:     generic.NewFilter6[components.Percept, components.Health, sim.Post, components.Intent, components.Triggers, treeIndex](),
	}
	p.guards.Register(c.world)
	actions := newActionSet()
	read := fieldReadings(&actions)
	if dictionary {
		read = dictionaryReadings(&actions)
	}
	query := p.guards.Query(c.world)
	for query.Next() {
		_, _, _, _, _, tree := query.Get()
		tree.Index = int32(len(p.trees))
		t := &behaviorTree{root: newGuardNodes(read, &actions)}
		t.bb.self = ecs.FromArche(query.Entity())
		t.bb.draws = newDraws(c.seed, treeName)
		if dictionary {
			t.bb.values = map[string]any{}
		}
		p.trees = append(p.trees, t)
	}
	return p
}

// tick writes every guard's blackboard and ticks its tree.
func (p *pointerGuards) tick() {
	now := int64(p.clock.Now) / 1000
	query := p.guards.Query(p.world)
	for query.Next() {
		percept, health, post, intent, triggers, index := query.Get()
		t := p.trees[index.Index]
		bb := &t.bb
		bb.intent, bb.triggers, bb.fired, bb.instant = intent, triggers, 0, now
		p.write(bb, now, percept, health, post)
		t.root.Tick(bb, p.clock.Delta)
	}
}
