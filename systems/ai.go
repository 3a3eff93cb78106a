package systems

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
)

// AI ticks the trees of the agents that are due, in blocks of 64, and calls the hooks of what they entered and left.
// It runs behind perception and before the action systems.
//
// An agent is any entity with a mind ([components.Mind64], Mind128 or Mind256; one of them). It needs a
// [components.Intent] where its tree has Do leaves and [components.Triggers] where it has Fire leaves; with
// a [components.LOD] it is ticked when it is due, without one in every frame.
//
// Hooks run in Update, when all agents have been ticked, by entity, for one agent exits before enters, each by leaf; and
// in [ecs.Commands.Apply], before an agent is removed or its mind replaced, while its components can still be read. What
// became of an agent without the command queue's knowledge is noticed by the next Update, whose first hooks are
// the exits of what it left running. For each enter of a leaf there is one exit. A hook may queue commands
// and call [AI.Reset].
//
// Needs the resources [Clock], [Seed], [Workers], [Programs] and [ecs.Commands]. Custom leaves and predicates find
// the worker's [ecs.Queue] in the context's User.
type AI struct {
	world    *arche.World
	clock    *Clock
	seed     uint64
	pool     *Workers
	programs *Programs

	classes []*mindClass
	built   int // how many programs the classes know
	workers []*aiWorker
	tasks   []aiTask
	task    func(worker, task int)
	events  []hookEvent
	left    []hookEvent // of agents that are being reset, one's events behind the other's
	open    openLeaves
	calling bool                // hooks are being called
	resets  []components.Entity // what they asked to reset
	nobody  components.Intent   // stands in for one that was dropped

	stats AIStats
}

// AIStats are counts over the frames since the system was initialised.
type AIStats struct {
	Decisions   int64 // agents ticked
	Transitions int64 // leaves entered and still running after the tick
	Nonfinite   int64 // floats that were NaN or infinite and read as their default
}

// mindClass is all agents whose minds have one size.
type mindClass struct {
	words   int
	mind    reflect.Type
	columns *ecs.Columns
	facts   *ecs.Facts
	chunks  []ecs.Chunk
	lists   []programList // by program number; 0 is unused
}

// programList is the due agents of one program in one class.
type programList struct {
	program *aitree.Program
	index   []int32 // where the program's facts are in the class's
	rows    []ecs.Row
}

// The terms of a class's columns; those of the facts follow.
const (
	termMind = iota
	termLOD
	termIntent
	termTriggers
	termOthers // the minds of the two other classes, which no agent has besides
)

// aiTask is one block.
type aiTask struct {
	class      *mindClass
	list       *programList
	start, end int
}

type aiWorker struct {
	executor *aitree.Executor
	block    aitree.Block
	gather   *ecs.Gather
	lods     [64]*components.LOD
	events   []hookEvent
	stats    AIStats
}

// hookEvent is an enter or an exit of a leaf with hooks.
type hookEvent struct {
	entity  components.Entity
	program *aitree.Program
	event   aitree.Event
}

// compare orders events as they are handed on: by entity, then exits before enters, then by leaf.
func (e hookEvent) compare(o hookEvent) int {
	return cmp.Or(
		e.entity.Compare(o.entity),
		cmp.Compare(b2i(e.event.Kind == aitree.Enter), b2i(o.event.Kind == aitree.Enter)),
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
func (s *AI) Stats() AIStats { return s.stats }

// Starts adds to dst, by action handle, how many orders were posted and triggers fired since the system was initialised.
func (s *AI) Starts(dst []int64) []int64 {
	return s.sum(dst, func(x *aitree.Executor) []int64 { return x.Starts })
}

// Active adds to dst, by action handle, how many orders stand. One whose agent was removed, or whose mind was replaced,
// without the command queue is counted on.
func (s *AI) Active(dst []int64) []int64 {
	return s.sum(dst, func(x *aitree.Executor) []int64 { return x.Active })
}

func (s *AI) sum(dst []int64, of func(*aitree.Executor) []int64) []int64 {
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

// Initialize implements [ecs.System].
func (s *AI) Initialize(w *arche.World) {
	const who = "systems.AI"
	s.world = w
	s.clock = ecs.Resource[Clock](w, who)
	s.seed = uint64(*ecs.Resource[Seed](w, who))
	s.pool = ecs.Resource[Workers](w, who)
	s.programs = ecs.Resource[Programs](w, who)
	commands := ecs.Resource[ecs.Commands](w, who)
	for i := range s.pool.Count() {
		worker := &aiWorker{executor: aitree.NewExecutor(), gather: ecs.NewGather(w)}
		worker.block.Worker = i
		worker.block.User = commands.Queue(i)
		worker.block.Facts = worker.gather
		worker.block.Seed = s.seed
		s.workers = append(s.workers, worker)
	}
	s.task = s.tick
	s.classes = []*mindClass{
		{words: 16, mind: reflect.TypeFor[components.Mind64]()},
		{words: 32, mind: reflect.TypeFor[components.Mind128]()},
		{words: 64, mind: reflect.TypeFor[components.Mind256]()},
	}
	s.open.initialize(w, s.programs)
	commands.OnLeave(func(_ *arche.World, e components.Entity, _ ecs.LeaveReason) { s.leave(e) })
	s.build()
}

// Finalize implements [ecs.System].
func (s *AI) Finalize(*arche.World) {
	for _, c := range s.classes {
		c.columns.Release()
	}
	s.classes = nil
}

// Update implements [ecs.System].
func (s *AI) Update(*arche.World) {
	if s.built != s.programs.Len() {
		s.build()
	}
	for s.callLost() {
	}
	s.tasks = s.tasks[:0]
	for _, c := range s.classes {
		s.collect(c)
	}
	s.pool.Run(len(s.tasks), s.task)
	for _, c := range s.classes {
		c.chunks = nil
		c.columns.Close()
	}
	s.events = s.events[:0]
	for _, w := range s.workers {
		w.release()
		s.events = append(s.events, w.events...)
		w.events = w.events[:0]
		s.stats.Decisions += w.stats.Decisions
		s.stats.Transitions += w.stats.Transitions
		s.stats.Nonfinite += w.gather.Nonfinite
		w.stats, w.gather.Nonfinite = AIStats{}, 0
	}
	slices.SortFunc(s.events, hookEvent.compare)
	s.callHooks(s.events)
}

// build makes the columns of each class hold the components of all programs' facts.
func (s *AI) build() {
	for _, c := range s.classes {
		var facts []components.Fact
		c.lists = make([]programList, s.programs.Len()+1)
		for number := 1; number <= s.programs.Len(); number++ {
			p := s.programs.Get(uint16(number))
			list := &c.lists[number]
			list.program = p
			for _, f := range p.Facts() {
				at := slices.IndexFunc(facts, f.Same)
				if at < 0 {
					at = len(facts)
					facts = append(facts, f)
				}
				list.index = append(list.index, int32(at))
			}
		}
		terms := []ecs.Term{ecs.NeedType(c.mind), ecs.Optional[components.LOD](), ecs.Optional[components.Intent](), ecs.Optional[components.Triggers]()}
		for _, other := range s.classes {
			if other != c {
				terms = append(terms, ecs.OptionalType(other.mind))
			}
		}
		terms = append(terms, ecs.FactTerms(facts, terms...)...)
		if c.columns != nil {
			c.columns.Release()
		}
		c.columns = ecs.NewColumns(s.world, terms...)
		c.facts = ecs.NewFacts(c.columns, facts)
		s.adopt(c)
	}
	s.built = s.programs.Len()
}

// adopt takes into account what runs already in minds of programs that are new to the system: those of a world
// that it did not tick so far. Their exits will be called like any.
func (s *AI) adopt(c *mindClass) {
	for _, k := range c.columns.Open() {
		words := ecs.MindWords(&k, termMind)
		for row, e := range k.Entities() {
			mind := words[row*c.words : (row+1)*c.words]
			n := int(components.MindProgram(mind))
			if n > s.built && n < len(c.lists) && c.lists[n].program.MindBytes() <= c.words*4 {
				s.open.adopt(e, c.lists[n].program, mind)
			}
		}
	}
	c.columns.Close()
}

// collect lists the due agents of a class by program, in storage order, and cuts the lists into blocks.
func (s *AI) collect(c *mindClass) {
	c.chunks = c.columns.Open()
	c.facts.Open(c.chunks)
	for i := range c.lists {
		c.lists[i].rows = c.lists[i].rows[:0]
	}
	for i := range c.chunks {
		k := &c.chunks[i]
		s.requireOneMind(c, k)
		lods := ecs.Column[components.LOD](k, termLOD)
		words := ecs.MindWords(k, termMind)
		stride := c.words
		for row := range k.Len() {
			if lods != nil && !lods[row].Due() {
				continue
			}
			number := words[row*stride] & 0xffff
			if number == 0 {
				continue // an agent without a tree
			}
			if int(number) >= len(c.lists) || c.lists[number].program.MindBytes() > c.words*4 {
				s.programs.mindProgram(words[row*stride:], c.words*4, k.Entities()[row]) // panics, naming both
			}
			list := &c.lists[number]
			list.rows = append(list.rows, ecs.Row{Chunk: int32(i), Row: int32(row)})
		}
	}
	for i := range c.lists {
		list := &c.lists[i]
		for start := 0; start < len(list.rows); start += 64 {
			s.tasks = append(s.tasks, aiTask{class: c, list: list, start: start, end: min(start+64, len(list.rows))})
		}
	}
}

// requireOneMind panics when the agents of a chunk have minds of two sizes.
func (s *AI) requireOneMind(c *mindClass, k *ecs.Chunk) {
	term := termOthers
	for _, other := range s.classes {
		if other == c {
			continue
		}
		if base, _ := k.Base(term); base != nil {
			panic(fmt.Sprintf("systems: entity %v has a %v and a %v: an agent has one mind; exchange it with Queue.SetTree",
				k.Entities()[0], c.mind, other.mind))
		}
		term++
	}
}

// tick ticks one block.
func (s *AI) tick(worker, task int) {
	t := &s.tasks[task]
	w := s.workers[worker]
	c, list := t.class, t.list
	rows := list.rows[t.start:t.end]
	g, b := w.gather, &w.block
	g.Set(c.chunks, c.facts, list.index, rows)
	g.EntityLane(&b.Entities)
	g.Words(&b.Minds, termMind, c.words)
	b.Mask = ^uint64(0) >> (64 - len(rows))
	b.Now = s.clock.Now
	if list.program.Does() {
		if lane := ecs.Pointers(g, &b.Intents, termIntent); lane >= 0 {
			panic(lacks(list.program, "Do", b.Entities[lane], "components.Intent"))
		}
	}
	if list.program.Fires() {
		if lane := ecs.Pointers(g, &b.Triggers, termTriggers); lane >= 0 {
			panic(lacks(list.program, "Fire", b.Entities[lane], "components.Triggers"))
		}
	}
	if list.program.Since() {
		ecs.Pointers(g, &w.lods, termLOD)
		for i := range rows {
			b.Since[i] = int64(s.clock.Step)
			if l := w.lods[i]; l != nil {
				b.Since[i] = int64(l.Elapsed(b.Now))
			}
		}
	}
	x := w.executor
	x.Tick(list.program, b)
	w.stats.Decisions += int64(len(rows))
	w.stats.Transitions += int64(x.Transitions)
	for _, e := range x.Events {
		w.events = append(w.events, hookEvent{b.Entities[e.Lane], list.program, e})
	}
}

func lacks(p *aitree.Program, leaves string, e components.Entity, component string) string {
	return fmt.Sprintf("systems: program %q has %s leaves, and entity %v, which runs it, has no %s: add one", p.Name(), leaves, e, component)
}

// release drops what the last block holds of the columns: the world may outgrow them.
func (w *aiWorker) release() {
	w.gather.Clear()
	clear(w.block.Minds[:])
	clear(w.block.Intents[:])
	clear(w.block.Triggers[:])
	clear(w.lods[:])
}

// Reset aborts what runs in an agent's mind, calls the exit hooks and makes the mind as new, cooldowns
// included: for an agent that is pooled or respawned. Removal and tree swaps through the command queue do so themselves.
//
// It belongs to the goroutine that owns the world, between the stages of a frame or in a hook. A hook's call takes
// effect when the hooks that are due have been called, so that none is called out of order.
func (s *AI) Reset(e components.Entity) {
	if s.calling {
		s.resets = append(s.resets, e)
		return
	}
	s.leave(e)
}

// leave resets an agent now. The exits it owes are in the account, whatever became of its mind.
func (s *AI) leave(e components.Entity) {
	if words := s.open.mind(e); words != nil && components.MindProgram(words) != 0 {
		p := s.programs.mindProgram(words, len(words)*4, e)
		w := s.workers[0]
		b := &w.block
		b.Mask, b.Now = 1, s.clock.Now
		b.Entities[0], b.Minds[0] = e, words
		b.Intents[0] = s.open.intents.Get(e)
		if b.Intents[0] == nil {
			b.Intents[0] = &s.nobody
		}
		w.executor.Reset(p, b)
		b.Minds[0], b.Intents[0] = nil, nil
	}
	start := len(s.left)
	s.left = s.open.owed(e, s.left)
	left := s.left[start:]
	slices.SortFunc(left, hookEvent.compare)
	s.callHooks(left)
	s.left = s.left[:start]
}

// callHooks calls the hooks of events in order: an exit where one is owed, and an enter where the leaf still runs,
// which an earlier hook may have ended. Then it does the resets that hooks asked for.
func (s *AI) callHooks(events []hookEvent) {
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

func (s *AI) hooksCalled() { s.resets, s.calling = s.resets[:0], false }

// callLost calls the exit hooks of agents that were removed, or whose minds were replaced, without the command queue. It
// reports whether there were any: their hooks may have done the same to others.
func (s *AI) callLost() bool {
	s.events = s.open.lost(s.events[:0])
	slices.SortFunc(s.events, hookEvent.compare)
	s.callHooks(s.events)
	return len(s.events) > 0
}
