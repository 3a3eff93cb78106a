package villagers

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/gather"
	"github.com/flockwork-ai/flockwork/internal/scoring"
	"github.com/flockwork-ai/flockwork/utility"
)

// batchScorer chooses by the batch scorer over the columns of the world, in blocks of 64 rows.
type batchScorer struct {
	crowd     *crowd
	evaluator *utility.Evaluator
	columns   *gather.FactColumns
	index     []int32 // where the evaluator's facts are in those of the columns: in their order
	gather    *gather.Gather
	scorer    *scoring.Scorer
	block     scoring.Block
}

func newScorerContestant(agents int, seed uint64) *contestant {
	c := newCrowd(agents, seed)
	v := &batchScorer{
		crowd: c, evaluator: newEvaluator(), gather: gather.NewGather(), scorer: new(scoring.Scorer),
	}
	v.columns = gather.NewFactColumns(c.world, v.evaluator.Facts(), ecs.Need[components.Choice]())
	for i := range v.evaluator.Facts() {
		v.index = append(v.index, int32(i))
	}
	v.block.Facts = v.gather
	return &contestant{name: byScorer, crowd: c, tick: v.tick}
}

// tick chooses for all villagers.
func (v *batchScorer) tick() {
	chunks := v.columns.Open()
	b := &v.block
	b.Now = v.crowd.now()
	for k := range chunks {
		choices := ecs.Column[components.Choice](&chunks[k], 0)
		entities := chunks[k].Entities()
		for start := 0; start < len(choices); start += 64 {
			b.Column = choices[start:min(start+64, len(choices))]
			v.gather.SetRange(v.columns, v.index, blackboard.Row{Chunk: int32(k), Row: int32(start)}, len(b.Column))
			b.Mask = ^uint64(0) >> (64 - len(b.Column))
			copy(b.Entities[:], entities[start:])
			v.scorer.Tick(v.evaluator.Compiled(), b)
		}
	}
	v.columns.Close()
}
