package choice

import (
	"fmt"
	"reflect"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/gather"
	"github.com/flockwork-ai/flockwork/internal/lifecycle"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/scoring"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/utility"
)

// System lets agents choose by an evaluator. Evaluator and Terms are read by Initialize.
type System struct {
	Evaluator *utility.Evaluator // needed
	Terms     []ecs.Term         // what the agents have or lack beside a Choice and a LOD; none is no restriction

	guard   lifecycle.Guard[arche.World]
	clock   *frame.Clock
	seed    uint64
	pool    *parallel.Workers
	columns *gather.FactColumns
	index   []int32 // of the evaluator's facts in the columns: 0, 1, 2 …
	workers []*worker
	chunks  []chunk
	spans   []ecs.Span
	task    func(worker, span int)
	stats   Stats
}

// Stats are counts since the system was initialised.
type Stats struct {
	Decisions int64 // agents that decided
	Scored    int64 // of these, those for which scores were computed
	Nonfinite int64 // floats that were NaN or infinite and read as their default
}

// chunk is the columns of one archetype.
type chunk struct {
	entities []components.Entity
	choices  []components.Choice
	lods     []components.LOD // nil: the agents decide in every frame
}

// worker is the state of one worker.
type worker struct {
	scorer    scoring.Scorer
	block     scoring.Block
	gather    *gather.Gather
	decisions int64
}

// spanRows is how many rows one task serves.
const spanRows = 1024

const who = "choice.System"

// Initialize implements [ecs.System].
//
// Panics without an Evaluator and with one that considers a condition of a tree, when Terms names a component twice or
// names Choice, LOD or Paused, and when the world lacks a resource of systems.Install.
func (s *System) Initialize(w *arche.World) {
	if s.Evaluator == nil || s.Evaluator.Compiled() == nil {
		panic("choice.System: no Evaluator; make one with utility.Build")
	}
	for _, term := range s.Terms {
		switch c := term.Component(); {
		case c == nil:
			panic(who + ": Terms has a zero Term; make it with ecs.Need, Optional or Without")
		case c == reflect.TypeFor[components.Choice]() || c == reflect.TypeFor[components.LOD]() ||
			c == reflect.TypeFor[components.Paused]():
			panic(fmt.Sprintf("%s: Terms names %v, which the system asks for itself; leave it out", who, c))
		}
	}
	s.Evaluator.Compiled().RefuseConditions(who)
	s.Finalize(w) // releases an earlier world
	s.guard.Begin(who, w)
	s.clock = ecs.Resource[frame.Clock](w)
	s.seed = uint64(*ecs.Resource[frame.Seed](w))
	s.pool = ecs.Resource[parallel.Workers](w)
	commands := ecs.Resource[ecs.Commands](w)
	terms := append([]ecs.Term{
		ecs.Need[components.Choice](), ecs.Optional[components.LOD](), ecs.Without[components.Paused](),
	}, s.Terms...)
	s.columns = gather.NewFactColumns(w, s.Evaluator.Facts(), terms...)
	s.index = s.index[:0]
	for i := range s.Evaluator.Facts() {
		s.index = append(s.index, int32(i))
	}
	s.task, s.stats, s.workers = s.decideSpan, Stats{}, nil
	for i := range s.pool.Count() {
		one := &worker{gather: gather.NewGather()}
		one.gather.Prepare(s.columns)
		one.block.Facts, one.block.Seed = one.gather, s.seed
		one.block.Worker, one.block.User = i, commands.Queue(i)
		s.workers = append(s.workers, one)
	}
}

// Update implements [ecs.System]: the agents that are due decide. While the clock is paused nobody does.
//
// Panics before Initialize, after Finalize and with another world than that of Initialize.
func (s *System) Update(w *arche.World) {
	s.guard.Check(who, w)
	if s.clock.Paused() {
		return
	}
	opened := s.columns.Open()
	defer s.close()
	for i := range opened {
		s.chunks = append(s.chunks, chunk{
			entities: opened[i].Entities(),
			choices:  ecs.Column[components.Choice](&opened[i], 0),
			lods:     ecs.Column[components.LOD](&opened[i], 1),
		})
	}
	s.spans = s.columns.Spans(spanRows)
	s.pool.Run(len(s.spans), s.task)
}

// close closes the columns, also after a panic of a custom input, and adds up the counts of the workers.
func (s *System) close() {
	clear(s.chunks)
	s.chunks, s.spans = s.chunks[:0], nil
	s.columns.Close()
	for _, w := range s.workers {
		w.gather.Clear()
		w.scorer.Clear()
		w.block.Column = nil
		s.stats.Decisions += w.decisions
		s.stats.Scored += w.scorer.Scored
		s.stats.Nonfinite += w.gather.Nonfinite
		w.decisions, w.scorer.Scored, w.gather.Nonfinite = 0, 0, 0
	}
}

// decideSpan lets the agents of a span decide, in blocks of 64 rows.
func (s *System) decideSpan(worker, index int) {
	w, span := s.workers[worker], s.spans[index]
	c := &s.chunks[span.Chunk]
	e := s.Evaluator.Compiled()
	for start := span.Start; start < span.End; start += 64 {
		count := min(span.End-start, 64)
		b := &w.block
		b.Mask = ^uint64(0) >> (64 - count)
		if c.lods != nil {
			b.Mask = dueLanes(c.lods[start : start+count])
		}
		if b.Mask == 0 {
			continue
		}
		b.Now, b.Column = s.clock.Now, c.choices[start:start+count]
		if e.NeedsEntities() {
			copy(b.Entities[:], c.entities[start:start+count])
		}
		w.gather.SetRange(s.columns, s.index, blackboard.Row{Chunk: int32(span.Chunk), Row: int32(start)}, count)
		w.scorer.Tick(e, b)
		w.decisions += int64(bitmask.Count(b.Mask))
	}
}

// dueLanes returns the lanes of agents that are due.
func dueLanes(lods []components.LOD) (lanes uint64) {
	for i := range lods {
		lanes |= bitmask.Of(lods[i].Due()) << i
	}
	return lanes
}

// Stats returns the counts so far.
func (s *System) Stats() Stats { return s.stats }

// Finalize implements [ecs.System]. Stats still answers.
func (s *System) Finalize(*arche.World) {
	scratch.Release(&s.columns)
	s.guard.End()
}
