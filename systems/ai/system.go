package ai

import (
	"slices"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/internal/gather"
	"github.com/flockwork-ai/flockwork/internal/lifecycle"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// System ticks the trees of the agents that are due, in blocks of 64, and calls the hooks of the leaves that they
// entered and left. It runs after perception and before the action systems. The package documentation has its rules.
//
// It needs the resources [frame.Clock], [frame.Seed], [frame.Triggers], [Trees], [ecs.Commands] and the workers, which
// systems.Install puts into a world.
type System struct {
	guard      lifecycle.Guard[arche.World]
	world      *arche.World
	clock      *frame.Clock
	seed       uint64
	workerPool *parallel.Workers
	trees      *Trees
	triggers   *frame.Triggers
	lists      *eventlist.Lists

	classes       []*sizeClass
	built         int // how many trees the classes know
	workers       []*worker
	spans         []span
	rows          []blackboard.Row // the remainders of all spans, by class and tree
	remainders    []remainderBlock
	scanTask      func(worker, span int)
	remainderTask func(worker, block int)
	resetBlock    executor.Block // one agent that is reset
	events        []hookEvent
	resetEvents   []hookEvent // a stack: the exits of the agents that are being reset
	open          openLeaves
	ticked        bool                // all blocks of this frame have been ticked
	ticks         bool                // it has ticked agents since it was initialised
	callingHooks  bool                // hooks are being called
	resetRequests []components.Entity // agents that a hook asked to reset
	noIntent      components.Intent   // for an agent that is reset and whose Intent was dropped
	unregister    func()              // of the callback of Commands.OnLeave

	stats Stats
}

// eventCapacity is the capacity of lists of events from the start, so that a busy frame does not allocate.
const eventCapacity = 1024

const who = "ai.System"

// Initialize implements [ecs.System]. It finalises an earlier use of the system. Minds that already run a tree, as
// those of a world that was loaded, are adopted: their exits will be called, unless the Finalize of an earlier system
// has.
//
// Panics when a resource is missing.
func (s *System) Initialize(w *arche.World) {
	s.Finalize(w) // releases an earlier world
	s.workers, s.stats, s.built, s.ticks = nil, Stats{}, 0, false
	s.guard.Begin(who, w)
	s.world = w
	s.clock = ecs.Resource[frame.Clock](w)
	s.seed = uint64(*ecs.Resource[frame.Seed](w))
	s.workerPool = ecs.Resource[parallel.Workers](w)
	s.trees = ecs.Resource[Trees](w)
	s.triggers = ecs.Resource[frame.Triggers](w)
	s.lists = ecs.Resource[eventlist.Lists](w)
	commands := ecs.Resource[ecs.Commands](w)
	for i := range s.workerPool.Count() {
		worker := &worker{
			executor: executor.NewExecutor(), gather: gather.NewGather(), events: make([]hookEvent, 0, eventCapacity),
			touched: make([]uint32, 0, spanRows), // each row of a span touches a tree once at the most
		}
		worker.block.Worker = i
		worker.block.User = commands.Queue(i)
		worker.block.Facts = worker.gather
		worker.block.Seed = s.seed
		s.workers = append(s.workers, worker)
	}
	s.events = make([]hookEvent, 0, eventCapacity)
	s.scanTask, s.remainderTask = s.scanSpan, s.tickRemainder
	s.classes = []*sizeClass{
		newSizeClass[components.Mind64](16),
		newSizeClass[components.Mind128](32),
		newSizeClass[components.Mind256](64),
	}
	s.open.initialize(w, s.trees)
	s.unregister = commands.OnLeave(func(_ *arche.World, e components.Entity, _ ecs.LeaveReason) { s.resetNow(e) })
	s.buildClasses()
}

// Finalize implements [ecs.System]. It calls the exit hooks of all leaves that run, as aborted, also of agents that are
// gone, as after a reset of the world: each leaf that was entered exits. It does not change their minds. Stats still
// answers.
func (s *System) Finalize(*arche.World) {
	defer s.release() // after a panic of a hook, too
	s.events = s.open.allExits(s.events[:0])
	slices.SortFunc(s.events, hookEvent.compare)
	s.callHooks(s.events)
	if s.trees != nil {
		s.trees.exitsTold = s.built > 0
	}
}

// release releases what belongs to a world.
func (s *System) release() {
	for _, c := range s.classes {
		scratch.Release(&c.columns)
	}
	if s.unregister != nil {
		s.unregister()
		s.unregister = nil
	}
	for _, w := range s.workers {
		w.block, w.gather, w.pending, w.events = executor.Block{}, nil, nil, nil
	}
	s.classes, s.spans, s.rows, s.remainders = nil, nil, nil, nil
	s.events, s.resetEvents, s.resetRequests, s.open = nil, nil, nil, openLeaves{}
	s.guard.End()
}

// Update implements [ecs.System]. While the clock is paused nobody is ticked.
//
// Panics, with the name of the agent, when a mind names no tree, is too small for it, or lacks a component that its
// tree needs. Panics before Initialize, after Finalize and with another world than that of Initialize, too.
func (s *System) Update(w *arche.World) {
	s.guard.Check(who, w)
	if s.built != s.trees.Len() {
		s.buildClasses()
	}
	for s.callLostExits() {
	}
	if s.clock.Paused() {
		return
	}
	s.ticks = true
	s.lists.DropUnread(s.clock.Frame) // triggers that nobody takes
	s.tickAll()
	for _, w := range s.workers {
		w.release()
		s.stats.Decisions += w.stats.Decisions
		s.stats.Transitions += w.stats.Transitions
		s.stats.Nonfinite += w.gather.Nonfinite
		w.stats, w.gather.Nonfinite = Stats{}, 0
		scored, spared := w.executor.Scorings()
		s.stats.Scored += scored - w.scored
		s.stats.Skipped += spared - w.skipped
		w.scored, w.skipped = scored, spared
		s.stats.Switches += w.executor.Switches
		s.stats.Failures += w.executor.Failures
		w.executor.Switches, w.executor.Failures = 0, 0
	}
	s.events = scratch.Merge(s.events, s.workers, func(w **worker) *[]hookEvent { return &(*w).events },
		hookEvent.compare)
	s.callHooks(s.events)
}
