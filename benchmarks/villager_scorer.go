package benchmarks

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/scoring"
	"github.com/flockwork-ai/flockwork/utility"
)

// scorerVillagers chooses by the batch scorer, over the columns of the world, in blocks of 64 rows.
type scorerVillagers struct {
	crowd     *villagers
	evaluator *utility.Evaluator
	columns   *ecs.Columns
	facts     *ecs.Facts
	index     []int32 // where the evaluator's facts are in facts: in their order
	gather    *ecs.Gather
	scorer    *scoring.Scorer
	block     scoring.Block
}

func newScorerContestant(agents int, seed uint64) *villagerContestant {
	c := newVillagers(agents, seed)
	v := &scorerVillagers{
		crowd: c, evaluator: villagerEvaluator(), gather: ecs.NewGather(c.world), scorer: new(scoring.Scorer),
	}
	terms := []ecs.Term{ecs.Need[components.Choice]()}
	terms = append(terms, ecs.FactTerms(v.evaluator.Facts(), terms...)...)
	v.columns = ecs.NewColumns(c.world, terms...)
	v.facts = ecs.NewFacts(v.columns, v.evaluator.Facts())
	for i := range v.evaluator.Facts() {
		v.index = append(v.index, int32(i))
	}
	v.block.Facts = v.gather
	return &villagerContestant{name: byScorer, crowd: c, tick: v.tick}
}

// tick chooses for all villagers.
func (v *scorerVillagers) tick() {
	chunks := v.columns.Open()
	v.facts.Open(chunks)
	b := &v.block
	b.Now = v.crowd.now()
	for k := range chunks {
		choices := ecs.Column[components.Choice](&chunks[k], 0)
		entities := chunks[k].Entities()
		for start := 0; start < len(choices); start += 64 {
			b.Column = choices[start:min(start+64, len(choices))]
			v.gather.SetRange(v.facts, v.index, blackboard.Row{Chunk: int32(k), Row: int32(start)}, len(b.Column))
			b.Mask = ^uint64(0) >> (64 - len(b.Column))
			copy(b.Entities[:], entities[start:])
			v.scorer.Tick(v.evaluator.Compiled(), b)
		}
	}
	v.facts.Close()
	v.columns.Close()
}
