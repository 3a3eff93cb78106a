package ai

import (
	"cmp"
	"fmt"
	"math/bits"
	"reflect"
	"slices"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/internal/mindlayout"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// System ticks the trees of the agents that are due, in blocks of 64, and calls the hooks of what they entered and left.
// It runs behind perception and before the action systems.
//
// An agent is any entity with a mind ([components.Mind64], Mind128 or Mind256; one of them). It needs a
// [components.Intent] where its tree has Do leaves and [components.Triggers] where it has Fire leaves; with
// a [components.LOD] it is ticked when it is due, without one in every frame.
//
// Hooks run in Update, when all agents have been ticked, by entity, for one agent exits before enters, each by leaf;
// and in [ecs.Commands.Apply], before an agent is removed or its mind replaced, while its components can still be read.
// What became of an agent without the command queue's knowledge is noticed by the next Update, whose first hooks are
// the exits of what it left running. For each enter of a leaf there is one exit. A hook may queue commands and call
// [System.Reset].
//
// Noticing them costs, in every frame, a look at the mind for each running leaf with an exit hook; agents that
// run none of these cost nothing.
//
// Needs the resources [frame.Clock], [frame.Seed], [parallel.Workers], [Trees] and [ecs.Commands]. Custom leaves and predicates find
// the worker's [ecs.Queue] in the context's User.
type System struct {
	world    *arche.World
	clock    *frame.Clock
	seed     uint64
	pool     *parallel.Workers
	programs *Trees

	classes []*mindClass
	built   int // how many programs the classes know
	workers []*aiWorker
	spans   []aiSpan
	blocks  []aiBlock
	scan    func(worker, span int)
	rest    func(worker, block int)
	single  executor.Block // of one agent that is reset
	events  []hookEvent
	left    []hookEvent // of agents that are being reset, one's events behind the other's
	open    openLeaves
	ticked  bool                // this frame's blocks have all been ticked
	calling bool                // hooks are being called
	resets  []components.Entity // what they asked to reset
	nobody  components.Intent   // stands in for one that was dropped
	remove  func()              // of the OnLeave callback

	stats Stats
}

// Stats are counts over the frames since the system was initialised.
type Stats struct {
	Decisions   int64 // agents ticked
	Transitions int64 // leaves entered and still running after the tick
	Nonfinite   int64 // floats that were NaN or infinite and read as their default
	Scored      int64 // choices of UtilitySelectors for which scores were computed
	Spared      int64 // choices that stood because no fact had moved enough; see utility's RescoreBeyond
	Switches    int64 // running choices that were exchanged for another
}

// mindClass is all agents whose minds have one size.
type mindClass struct {
	words    int
	mind     reflect.Type
	needed   ecs.Term // the mind, for this class
	optional ecs.Term // the mind, for the other classes
	columns  *ecs.FactColumns
	programs []classProgram // by number; 0 is unused
	open     bool
	agents   executor.Columns // while the columns are open
	lods     [][]components.LOD
}

// newMindClass returns the class of a type of mind, which has a number of words.
func newMindClass[Mind any](words int) *mindClass {
	return &mindClass{words: words, mind: reflect.TypeFor[Mind](), needed: ecs.Need[Mind](), optional: ecs.Optional[Mind]()}
}

// classProgram is a program as a class runs it.
type classProgram struct {
	program *executor.Program
	fits    bool    // the class's minds are large enough
	index   []int32 // where the program's facts are in the class's
	rest    []blackboard.Row
}

// The terms of a class's columns; those of the facts follow.
const (
	termMind = iota
	termLOD
	termIntent
	termTriggers
	termOthers // the minds of the two other classes, which no agent has besides
)

// spanRows is how many rows of a chunk one task looks through for those who are due. Blocks are made up within a span,
// and from what is left over of all spans: who shares a block does not depend on the workers.
const spanRows = 1024

// aiSpan is a range of rows of one chunk.
type aiSpan struct {
	class             *mindClass
	chunk, start, end int
	rest              []restRow // due agents that did not fill a block, by program, in storage order
}

type restRow struct {
	number uint32
	row    blackboard.Row
}

// aiBlock is a block of what the spans left over.
type aiBlock struct {
	class  *mindClass
	number uint32
	rows   []blackboard.Row
}

type aiWorker struct {
	executor *executor.Executor
	block    executor.Block
	gather   *ecs.Gather
	pending  []pendingRows // by program number: due agents that do not fill a block yet
	events   []hookEvent
	stats    Stats
	scored   int64 // of the executor, as counted already
	spared   int64
}

// pendingRows are agents of one program.
type pendingRows struct {
	rows  [64]blackboard.Row
	count int
}

// hookEvent is an enter or an exit of a leaf with hooks.
type hookEvent struct {
	entity  components.Entity
	program *executor.Program
	event   executor.Event
}

// compare orders events as they are handed on: by entity, then exits before enters, then by leaf.
func (e hookEvent) compare(o hookEvent) int {
	return cmp.Or(
		e.entity.Compare(o.entity),
		cmp.Compare(b2i(e.event.Kind == executor.Enter), b2i(o.event.Kind == executor.Enter)),
		cmp.Compare(e.event.Leaf, o.event.Leaf),
	)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Stats returns the counts so far.
func (s *System) Stats() Stats { return s.stats }

// Starts adds to dst, by action handle, how many orders were posted and triggers fired since the system was
// initialised.
func (s *System) Starts(dst []int64) []int64 {
	return s.sum(dst, func(x *executor.Executor) []int64 { return x.Starts })
}

// Active adds to dst, by action handle, how many orders stand. One whose agent was removed, or whose mind was replaced,
// without the command queue is counted on.
func (s *System) Active(dst []int64) []int64 {
	return s.sum(dst, func(x *executor.Executor) []int64 { return x.Active })
}

func (s *System) sum(dst []int64, of func(*executor.Executor) []int64) []int64 {
	for _, w := range s.workers {
		for i, n := range of(w.executor) {
			for len(dst) <= i {
				dst = append(dst, 0)
			}
			dst[i] += n
		}
	}
	return dst
}

// eventRoom is for how many events lists have room from the start, so that a busy frame need not make it.
const eventRoom = 1024

// Initialize implements [ecs.System].
func (s *System) Initialize(w *arche.World) {
	const who = "ai.System"
	s.Finalize(w) // of the world before, if nobody did
	s.workers, s.stats, s.built = nil, Stats{}, 0
	s.world = w
	s.clock = ecs.Resource[frame.Clock](w, who)
	s.seed = uint64(*ecs.Resource[frame.Seed](w, who))
	s.pool = ecs.Resource[parallel.Workers](w, who)
	s.programs = ecs.Resource[Trees](w, who)
	commands := ecs.Resource[ecs.Commands](w, who)
	for i := range s.pool.Count() {
		worker := &aiWorker{
			executor: executor.NewExecutor(), gather: ecs.NewGather(w), events: make([]hookEvent, 0, eventRoom),
		}
		worker.block.Worker = i
		worker.block.User = commands.Queue(i)
		worker.block.Facts = worker.gather
		worker.block.Seed = s.seed
		s.workers = append(s.workers, worker)
	}
	s.events = make([]hookEvent, 0, eventRoom)
	s.scan, s.rest = s.scanSpan, s.tickRest
	s.classes = []*mindClass{
		newMindClass[components.Mind64](16),
		newMindClass[components.Mind128](32),
		newMindClass[components.Mind256](64),
	}
	s.open.initialize(w, s.programs)
	s.remove = commands.OnLeave(func(_ *arche.World, e components.Entity, _ ecs.LeaveReason) { s.leave(e) })
	s.build()
}

// Finalize implements [ecs.System]. It releases what the system holds of the world, calling no hooks; the counts can
// still be asked.
func (s *System) Finalize(*arche.World) {
	for _, c := range s.classes {
		scratch.Release(&c.columns)
	}
	if s.remove != nil {
		s.remove()
		s.remove = nil
	}
	for _, w := range s.workers {
		w.block, w.gather, w.pending, w.events = executor.Block{}, nil, nil, nil
	}
	s.classes, s.spans, s.blocks = nil, nil, nil
	s.events, s.left, s.resets, s.open = nil, nil, nil, openLeaves{}
}

// Update implements [ecs.System].
func (s *System) Update(*arche.World) {
	if s.built != s.programs.Len() {
		s.build()
	}
	for s.callLost() {
	}
	s.tickAll()
	for _, w := range s.workers {
		w.release()
		s.stats.Decisions += w.stats.Decisions
		s.stats.Transitions += w.stats.Transitions
		s.stats.Nonfinite += w.gather.Nonfinite
		w.stats, w.gather.Nonfinite = Stats{}, 0
		scored, spared := w.executor.Scorings()
		s.stats.Scored += scored - w.scored
		s.stats.Spared += spared - w.spared
		w.scored, w.spared = scored, spared
		s.stats.Switches += w.executor.Switches
		w.executor.Switches = 0
	}
	s.events = scratch.Merge(s.events, s.workers, func(w **aiWorker) *[]hookEvent { return &(*w).events }, hookEvent.compare)
	s.callHooks(s.events)
}

// tickAll ticks the agents that are due. The world is locked meanwhile, and not any more when a leaf has panicked.
func (s *System) tickAll() {
	defer s.closeClasses()
	s.spans = s.spans[:0]
	for _, c := range s.classes {
		s.openClass(c)
	}
	s.pool.Run(len(s.spans), s.scan)
	s.collectRest()
	s.pool.Run(len(s.blocks), s.rest)
	s.ticked = true
}

// closeClasses closes what tickAll opened and, when it did not come to its end, forgets what it has begun.
func (s *System) closeClasses() {
	for _, c := range s.classes {
		if c.open {
			s.closeClass(c)
		}
	}
	if !s.ticked {
		for _, w := range s.workers {
			for i := range w.pending {
				w.pending[i].count = 0
			}
			w.events = w.events[:0]
			w.release()
		}
	}
	s.ticked = false
}

// build makes the columns of each class hold the components of all programs' facts.
func (s *System) build() {
	for _, c := range s.classes {
		var facts []blackboard.Fact
		c.programs = make([]classProgram, s.programs.Len()+1)
		for number := 1; number <= s.programs.Len(); number++ {
			p := s.programs.compiled(Tree(number))
			list := &c.programs[number]
			list.program, list.fits = p, p.MindBytes() <= c.words*4
			for _, f := range p.Facts {
				at := slices.IndexFunc(facts, f.Same)
				if at < 0 {
					at = len(facts)
					facts = append(facts, f)
				}
				list.index = append(list.index, int32(at))
			}
		}
		terms := []ecs.Term{
			c.needed, ecs.Optional[components.LOD](), ecs.Optional[components.Intent](),
			ecs.Optional[components.Triggers](),
		}
		for _, other := range s.classes {
			if other != c {
				terms = append(terms, other.optional)
			}
		}
		if c.columns != nil {
			c.columns.Release()
		}
		c.columns = ecs.NewFactColumns(s.world, facts, terms...)
		for _, w := range s.workers {
			w.gather.Prepare(c.columns)
		}
		s.adopt(c)
	}
	for _, w := range s.workers {
		for len(w.pending) <= s.programs.Len() {
			w.pending = append(w.pending, pendingRows{})
		}
		for number := s.built + 1; number <= s.programs.Len(); number++ {
			w.executor.Prepare(s.programs.compiled(Tree(number)))
		}
	}
	s.built = s.programs.Len()
}

// adopt takes into account what runs already in minds of programs that are new to the system: those of a world
// that it did not tick so far. Their exits will be called like any.
func (s *System) adopt(c *mindClass) {
	for _, k := range c.columns.Open() {
		words := ecs.MindColumn(&k, termMind)
		for row, e := range k.Entities() {
			mind := words[row*c.words : (row+1)*c.words]
			n := int(mindlayout.Program(mind))
			if n > s.built && n < len(c.programs) && c.programs[n].fits {
				s.open.adopt(e, c.programs[n].program, mind)
			}
		}
	}
	c.columns.Close()
}

// openClass opens the columns of a class and cuts them into spans.
func (s *System) openClass(c *mindClass) {
	chunks := c.columns.Open()
	c.open = true
	c.agents.Words = c.words
	for i := range chunks {
		k := &chunks[i]
		s.requireOneMind(c, k)
		c.agents.Chunks = append(c.agents.Chunks, executor.Chunk{
			Entities: k.Entities(),
			Minds:    ecs.MindColumn(k, termMind),
			Intents:  ecs.Column[components.Intent](k, termIntent),
			Triggers: ecs.Column[components.Triggers](k, termTriggers),
		})
		c.lods = append(c.lods, ecs.Column[components.LOD](k, termLOD))
		for start := 0; start < k.Len(); start += spanRows {
			// A span that is used again keeps the memory of its rest.
			n := len(s.spans)
			s.spans = append(s.spans[:n], s.spans[n:min(n+1, cap(s.spans))]...)
			if len(s.spans) == n {
				s.spans = append(s.spans, aiSpan{})
			}
			span := &s.spans[n]
			if span.rest == nil { // also one that growth of the list has made
				span.rest = make([]restRow, 0, min(spanRows, 64*len(c.programs)))
			}
			span.class, span.chunk, span.start, span.end = c, i, start, min(start+spanRows, k.Len())
			span.rest = span.rest[:0]
		}
	}
}

// requireOneMind panics when the agents of a chunk have minds of two sizes.
func (s *System) requireOneMind(c *mindClass, k *ecs.Chunk) {
	term := termOthers
	for _, other := range s.classes {
		if other == c {
			continue
		}
		if k.Has(term) {
			panic(fmt.Sprintf("ai: entity %v has a %v and a %v: an agent has one mind; exchange it with "+
				"Queue.SetTree",
				k.Entities()[0], c.mind, other.mind))
		}
		term++
	}
}

// closeClass closes the columns of a class and drops what it holds of them.
func (s *System) closeClass(c *mindClass) {
	clear(c.agents.Chunks)
	clear(c.lods)
	c.agents.Chunks, c.lods = c.agents.Chunks[:0], c.lods[:0]
	c.columns.Close()
	c.open = false
}

// scanSpan ticks the due agents of a span in blocks of one program and leaves over those that do not fill one.
func (s *System) scanSpan(worker, index int) {
	span := &s.spans[index]
	w, c := s.workers[worker], span.class
	lods := c.lods[span.chunk]
	minds := c.agents.Chunks[span.chunk].Minds
	mixed := lods != nil
	for row := span.start; row < span.end; {
		number := minds[row*c.words] & 0xffff
		if number == 0 || lods != nil && !lods[row].Due() {
			row++ // an agent without a tree, or one that is not due
			continue
		}
		p := s.pendingOf(w, span, row, number)
		count := min(span.end-row, len(p.rows)-p.count)
		if count < len(p.rows) || mixed {
			count = alike(minds[row*c.words:(row+count)*c.words], c.words)
		}
		if lods != nil {
			count = due(lods[row : row+count])
		}
		if count < len(p.rows) {
			s.postpone(w, span, p, row, count)
			row += count
			continue
		}
		// Most often whole columns run one program, so that is tried first.
		w.block.Rows, w.block.First = nil, blackboard.Row{Chunk: int32(span.chunk), Row: int32(row)}
		w.block.Number = uint16(number)
		w.gather.SetRange(c.columns, c.programs[number].index, w.block.First, count)
		s.tickBlock(w, c, &c.programs[number], count)
		for m := w.executor.Mismatched; m != 0; m &= m - 1 {
			mixed = true
			row := row + bits.TrailingZeros64(m)
			if number := minds[row*c.words] & 0xffff; number != 0 {
				s.postpone(w, span, s.pendingOf(w, span, row, number), row, 1)
			}
		}
		row += count
	}
	for number := range w.pending {
		p := &w.pending[number]
		for _, row := range p.rows[:p.count] {
			span.rest = append(span.rest, restRow{uint32(number), row})
		}
		p.count = 0
	}
}

// postpone adds rows to those of a program that wait until they fill a block, and ticks them if they do.
func (s *System) postpone(w *aiWorker, span *aiSpan, p *pendingRows, row, count int) {
	for i := range count {
		p.rows[p.count+i] = blackboard.Row{Chunk: int32(span.chunk), Row: int32(row + i)}
	}
	p.count += count
	if p.count == len(p.rows) {
		number := span.class.agents.Chunks[span.chunk].Minds[row*span.class.words] & 0xffff
		s.tickRows(w, span.class, &span.class.programs[number], p.rows[:])
		p.count = 0
	}
}

// alike returns how many minds, from the first on, run the program of the first.
//
//go:noinline
func alike(minds []uint32, words int) (count int) {
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

// due returns how many agents, from the first on, are due.
func due(lods []components.LOD) int {
	for i := range lods {
		if !lods[i].Due() {
			return i
		}
	}
	return len(lods)
}

// pendingOf returns where the agents of a program wait. Panics when there is no such program or the minds of the
// class are too small for it, naming the agent.
func (s *System) pendingOf(w *aiWorker, span *aiSpan, row int, number uint32) *pendingRows {
	c := span.class
	if int(number) >= len(c.programs) || !c.programs[number].fits {
		k := &c.agents.Chunks[span.chunk]
		s.programs.require(k.Minds[row*c.words:], c.words*4, k.Entities[row])
	}
	return &w.pending[number]
}

// collectRest cuts what the spans left over into blocks.
func (s *System) collectRest() {
	for _, c := range s.classes {
		for i := range c.programs {
			p := &c.programs[i]
			p.rest = p.rest[:0]
			if p.fits { // what a span leaves over of a program fills no block
				p.rest = scratch.Sized(p.rest, 64*len(s.spans))[:0]
			}
		}
	}
	for i := range s.spans {
		span := &s.spans[i]
		for _, r := range span.rest {
			p := &span.class.programs[r.number]
			p.rest = append(p.rest, r.row)
		}
	}
	s.blocks = scratch.Sized(s.blocks, len(s.spans)*s.programs.Len())[:0] // a span leaves less than a block of each program
	for _, c := range s.classes {
		for number := range c.programs {
			rows := c.programs[number].rest
			for start := 0; start < len(rows); start += 64 {
				s.blocks = append(s.blocks, aiBlock{c, uint32(number), rows[start:min(start+64, len(rows))]})
			}
		}
	}
}

// tickRest ticks a block of what was left over.
func (s *System) tickRest(worker, block int) {
	b := &s.blocks[block]
	s.tickRows(s.workers[worker], b.class, &b.class.programs[b.number], b.rows)
}

// tickRows ticks up to 64 agents of one program.
func (s *System) tickRows(w *aiWorker, c *mindClass, p *classProgram, rows []blackboard.Row) {
	w.block.Rows, w.block.Number = rows, 0 // they have been told apart; a dense block has left its number, or panicked
	w.gather.Set(c.columns, p.index, rows)
	s.tickBlock(w, c, p, len(rows))
}

// tickBlock ticks the agents that the worker's block and gather have been set to.
func (s *System) tickBlock(w *aiWorker, c *mindClass, p *classProgram, count int) {
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
	for _, e := range x.Events {
		w.events = append(w.events, hookEvent{b.Entity(int(e.Lane)), p.program, e})
	}
}

// check panics when an agent of a block lacks a component that its program needs.
func (c *mindClass) check(p *executor.Program, b *executor.Block, count int) {
	for i := 0; i < count; i++ {
		r := b.Row(i)
		k := &c.agents.Chunks[r.Chunk]
		if p.HasDo && k.Intents == nil {
			panic(lacks(p, "Do", k.Entities[r.Row], "components.Intent"))
		}
		if p.HasFire && k.Triggers == nil {
			panic(lacks(p, "Fire", k.Entities[r.Row], "components.Triggers"))
		}
		if r.Chunk == b.Row(count-1).Chunk {
			break // as are the others, in storage order
		}
	}
}

func lacks(p *executor.Program, leaves string, e components.Entity, component string) string {
	return fmt.Sprintf("ai: tree %q has %s leaves, and entity %v, which runs it, has no %s: add one",
		p.Name, leaves, e, component)
}

// release drops what the last block holds of the columns: the world may outgrow them.
func (w *aiWorker) release() {
	w.gather.Clear()
	w.executor.Clear()
	w.block.Columns, w.block.Rows = nil, nil
}

// Reset aborts what runs in an agent's mind, calls the exit hooks and makes the mind as new, cooldowns
// included: for an agent that is pooled or respawned. Removal and tree swaps through the command queue do so
// themselves.
//
// It belongs to the goroutine that owns the world, between the stages of a frame or in a hook. A hook's call takes
// effect when the hooks that are due have been called, so that none is called out of order.
func (s *System) Reset(e components.Entity) {
	if s.calling {
		s.resets = append(s.resets, e)
		return
	}
	s.leave(e)
}

// leave resets an agent now. The exits it owes are in the account, whatever became of its mind.
func (s *System) leave(e components.Entity) {
	// A mind whose program is unknown or does not fit it has never been ticked, so nothing runs in it. It may leave;
	// Update complains of those that stay.
	words := s.open.mind(e)
	if p := s.programOf(words); p != nil && p.MindBytes() <= len(words)*4 {
		b := &s.single
		b.Mask, b.Now = 1, s.clock.Now
		b.Entities[0], b.Minds[0] = e, words
		b.Intents[0] = s.open.intents.Get(e)
		if b.Intents[0] == nil {
			b.Intents[0] = &s.nobody
		}
		s.workers[0].executor.Reset(p, b)
		b.Minds[0], b.Intents[0] = nil, nil
	}
	start := len(s.left)
	s.left = s.open.owed(e, s.left)
	left := s.left[start:]
	slices.SortFunc(left, hookEvent.compare)
	s.callHooks(left)
	s.left = s.left[:start]
}

// programOf returns the program that a mind names, or nil.
func (s *System) programOf(words []uint32) *executor.Program {
	if words == nil {
		return nil
	}
	return s.programs.compiled(Tree(mindlayout.Program(words)))
}

// callHooks calls the hooks of events in order: an exit where one is owed, and an enter where the leaf still runs,
// which an earlier hook may have ended. Then it does the resets that hooks asked for.
func (s *System) callHooks(events []hookEvent) {
	outermost := !s.calling
	if outermost {
		s.calling = true
		defer s.hooksCalled() // after a panic too
	}
	for _, e := range events {
		if s.open.note(e) {
			e.program.CallHook(e.event, e.entity)
		}
	}
	if outermost {
		for i := 0; i < len(s.resets); i++ {
			s.leave(s.resets[i])
		}
	}
}

func (s *System) hooksCalled() { s.resets, s.calling = s.resets[:0], false }

// callLost calls the exit hooks of agents that were removed, or whose minds were replaced, without the command queue.
// It reports whether there were any: their hooks may have done the same to others.
func (s *System) callLost() bool {
	s.events = s.open.lost(s.events[:0])
	slices.SortFunc(s.events, hookEvent.compare)
	s.callHooks(s.events)
	return len(s.events) > 0
}
