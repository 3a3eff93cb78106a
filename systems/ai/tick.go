package ai

import (
	"fmt"
	"math/bits"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/internal/gather"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/internal/scratch"
)

// spanRows is how many rows of a chunk one task scans for agents that are due. Blocks are filled within a span, and
// then from the remainders of all spans, so the agents of a block do not depend on the workers.
const spanRows = 1024

// span is a range of rows of one chunk.
type span struct {
	class             *sizeClass
	chunk, start, end int
	remainder         []remainderRow // due agents that did not fill a block, by tree, in storage order
}

// remainderRow is an agent of a remainder and the number of its tree.
type remainderRow struct {
	number uint32
	row    blackboard.Row
}

// remainderBlock is a block of agents from the remainders of spans.
type remainderBlock struct {
	class  *sizeClass
	number uint32
	rows   []blackboard.Row
}

// worker is the state of one worker.
type worker struct {
	executor *executor.Executor
	block    executor.Block
	gather   *gather.Gather
	pending  []pendingRows // by number of the tree: due agents that do not fill a block yet
	touched  []uint32      // the numbers of trees that had pending rows in this span
	events   []hookEvent
	stats    Stats
	scored   int64 // of the counter of the executor, what stats has already
	skipped  int64 // likewise
}

// pendingRows are due agents of one tree.
type pendingRows struct {
	rows  [64]blackboard.Row
	count int
}

// tickAll ticks the agents that are due. The world is locked meanwhile. A panic of a leaf unlocks it.
func (s *System) tickAll() {
	defer s.closeClasses()
	s.spans = s.spans[:0]
	for _, c := range s.classes {
		s.openClass(c)
	}
	s.workerPool.Run(len(s.spans), s.scanTask)
	s.collectRemainders()
	s.workerPool.Run(len(s.remainders), s.remainderTask)
	s.ticked = true
}

// scanSpan ticks the due agents of a span in blocks of one tree. Agents that do not fill a block become its remainder.
func (s *System) scanSpan(worker, index int) {
	span := &s.spans[index]
	w, c := s.workers[worker], span.class
	lods := c.lods[span.chunk]
	minds := c.agents.Chunks[span.chunk].Minds
	mixed := lods != nil
	for row := span.start; row < span.end; {
		if lods != nil && !lods[row].Due() {
			row++ // first: minds of agents that are not due are not read
			continue
		}
		number := minds[row*c.words] & 0xffff
		if number == 0 {
			row++ // an agent without a tree
			continue
		}
		p := s.pendingOf(w, span, row, number)
		count := min(span.end-row, len(p.rows)-p.count)
		if lods != nil {
			count = countDue(lods[row : row+count])
		}
		if count < len(p.rows) || mixed {
			count = countSameTree(minds[row*c.words:(row+count)*c.words], c.words)
		}
		if count < len(p.rows) {
			s.addPending(w, span, number, row, count)
			row += count
			continue
		}
		// Most often whole columns run one tree, so that is tried first.
		w.block.Rows, w.block.First = nil, blackboard.Row{Chunk: int32(span.chunk), Row: int32(row)}
		w.block.Number = uint16(number)
		w.gather.SetRange(c.columns, c.programs[number].factIndex, w.block.First, count)
		s.tickBlock(w, c, &c.programs[number], count)
		for m := w.executor.Mismatched; m != 0; m &= m - 1 {
			mixed = true
			row := row + bits.TrailingZeros64(m)
			if number := minds[row*c.words] & 0xffff; number != 0 {
				s.addPending(w, span, number, row, 1)
			}
		}
		row += count
	}
	for _, number := range w.touched {
		p := &w.pending[number]
		for _, row := range p.rows[:p.count] {
			span.remainder = append(span.remainder, remainderRow{number, row})
		}
		p.count = 0
	}
	w.touched = w.touched[:0]
}

// addPending adds rows to the pending rows of a tree, and ticks these when they fill a block.
func (s *System) addPending(w *worker, span *span, number uint32, row, count int) {
	p := s.pendingOf(w, span, row, number)
	if p.count == 0 {
		w.touched = append(w.touched, number)
	}
	for i := range count {
		p.rows[p.count+i] = blackboard.Row{Chunk: int32(span.chunk), Row: int32(row + i)}
	}
	p.count += count
	if p.count == len(p.rows) {
		s.tickRows(w, span.class, &span.class.programs[number], p.rows[:])
		p.count = 0
	}
}

// countSameTree returns how many minds, from the first on, run the same tree.
//
//go:noinline
func countSameTree(minds []uint32, words int) (count int) {
	number := minds[0]
	differ := uint32(0)
	for at := 0; at < len(minds); at += words {
		differ |= minds[at] ^ number
	}
	if differ&0xffff == 0 {
		return len(minds) / words
	}
	for (minds[count*words]^number)&0xffff == 0 {
		count++
	}
	return count
}

// countDue returns how many agents, from the first on, are due.
func countDue(lods []components.LOD) int {
	for i := range lods {
		if !lods[i].Due() {
			return i
		}
	}
	return len(lods)
}

// pendingOf returns the pending rows of a tree. It panics, with the name of the agent, when there is no such tree or
// the minds of the class are too small for it.
func (s *System) pendingOf(w *worker, span *span, row int, number uint32) *pendingRows {
	c := span.class
	if int(number) >= len(c.programs) || !c.programs[number].fits {
		k := &c.agents.Chunks[span.chunk]
		s.trees.require(k.Minds[row*c.words:], c.words*4, k.Entities[row])
	}
	return &w.pending[number]
}

// collectRemainders makes blocks from the remainders of the spans. The memory is in proportion to the agents, however
// many trees there are.
func (s *System) collectRemainders() {
	agents := 0
	for i := range s.spans {
		agents += s.spans[i].end - s.spans[i].start
	}
	for _, c := range s.classes {
		for _, number := range c.touched {
			c.programs[number].remaining = 0
		}
		c.touched = c.touched[:0]
	}
	for i := range s.spans {
		c := s.spans[i].class
		for _, r := range s.spans[i].remainder {
			p := &c.programs[r.number]
			if p.remaining == 0 {
				c.touched = append(c.touched, r.number)
			}
			p.remaining++
		}
	}
	// A block is full or the last of its tree.
	s.remainders = scratch.Sized(s.remainders, agents/64+min(agents, len(s.classes)*s.trees.Len()))[:0]
	rest := scratch.Sized(s.rows, agents)
	s.rows = rest
	for _, c := range s.classes {
		for _, number := range c.touched {
			p := &c.programs[number]
			var rows []blackboard.Row
			rows, rest = rest[:p.remaining], rest[p.remaining:]
			p.remainder = rows[:0]
			for start := 0; start < len(rows); start += 64 {
				s.remainders = append(s.remainders, remainderBlock{
					c, number, rows[start:min(start+64, len(rows))],
				})
			}
		}
	}
	for i := range s.spans {
		for _, r := range s.spans[i].remainder {
			p := &s.spans[i].class.programs[r.number]
			p.remainder = append(p.remainder, r.row)
		}
	}
}

// tickRemainder ticks a block of the remainders.
func (s *System) tickRemainder(worker, block int) {
	b := &s.remainders[block]
	s.tickRows(s.workers[worker], b.class, &b.class.programs[b.number], b.rows)
}

// tickRows ticks up to 64 agents of one tree.
func (s *System) tickRows(w *worker, c *sizeClass, p *classTree, rows []blackboard.Row) {
	w.block.Rows, w.block.Number = rows, 0 // all rows run p; Number may be left of an earlier block
	w.gather.Set(c.columns, p.factIndex, rows)
	s.tickBlock(w, c, p, len(rows))
}

// tickBlock ticks the agents that the block and the gather of the worker are set to.
func (s *System) tickBlock(w *worker, c *sizeClass, p *classTree, count int) {
	b := &w.block
	b.Mask = ^uint64(0) >> (64 - count)
	b.Columns = &c.agents
	c.check(p.program, b, count)
	b.Now = s.clock.Now
	if p.program.Custom {
		for i := range count {
			r := b.Row(i)
			b.Since[i] = int64(s.clock.Step)
			if lods := c.lods[r.Chunk]; lods != nil {
				b.Since[i] = int64(lods[r.Row].Elapsed(b.Now))
			}
		}
	}
	x := w.executor
	x.Tick(p.program, b)
	w.stats.Decisions += int64(count - bits.OnesCount64(x.Mismatched))
	w.stats.Transitions += int64(x.Transitions)
	for m := x.Prompt; m != 0; m &= m - 1 {
		r := b.Row(bits.TrailingZeros64(m))
		if lods := c.lods[r.Chunk]; lods != nil {
			lods[r.Row].Flags |= lodflag.Woken // the next LOD pass makes it due, beside the quota of its tier
		}
	}
	for i := range x.Fired {
		s.triggers.Fire(b.Worker, x.Fired[i].Trigger)
	}
	for _, e := range x.Events {
		w.events = append(w.events, hookEvent{b.Entity(int(e.Lane)), p.program, e})
	}
}

// check panics when an agent of a block lacks a component that its tree needs.
func (c *sizeClass) check(p *executor.Program, b *executor.Block, count int) {
	for i := 0; i < count; i++ {
		r := b.Row(i)
		k := &c.agents.Chunks[r.Chunk]
		if p.HasDo && k.Intents == nil {
			panic(missingComponent(p, "Do", k.Entities[r.Row], "components.Intent"))
		}
		if r.Chunk == b.Row(count-1).Chunk {
			break // the rows between are of the same chunk, since rows are in storage order
		}
	}
}

func missingComponent(p *executor.Program, leaves string, e components.Entity, component string) string {
	return fmt.Sprintf("ai: tree %q has %s leaves, and entity %v, which runs it, has no %s: add one",
		p.Name, leaves, e, component)
}

// release drops the references of the last block to columns, which the world may outgrow.
func (w *worker) release() {
	w.gather.Clear()
	w.executor.Clear()
	w.block.Columns, w.block.Rows = nil, nil
}
