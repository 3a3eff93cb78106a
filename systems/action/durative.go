package action

import (
	"fmt"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// Durative is the system of an action of your own that takes time. It reads the orders of the agents, calls the
// functions of the action, reports the outcomes and wakes the agents that it reports to. Make it with [NewDurative] or
// [NewAgentDurative], and give it to Herd.AddAction of package systems before the trees that name the action are added.
//
// T is the component that the action works on, any component without Go pointers: it keeps what the action has to
// remember between frames, and may hold facts as well. An agent needs T before it gets an order of the action. Read
// other components, of the agent or of its target, with an [ecs.Lookup].
//
// In each frame the action first ends for the agents whose order was withdrawn or replaced, then it begins for those
// with a new order, and then each agent that performs it is updated once, in the frame in which it began, too. In each
// of these steps agents come in the order of entities. In a frame in which no time passes nothing happens.
//
// Each beginning has one end: an outcome, or an abort. Where an agent is removed or gets another tree through the
// command queue, Abort is called before it, while all components are in place. An entity that was removed otherwise, or
// has lost T, is noticed in the next frame; Abort then gets T as it was after the last update.
type Durative[T any] struct {
	name    string
	channel components.Channel
	steps   Steps[T]

	action   components.Action
	clock    *frame.Clock
	workers  *parallel.Workers
	events   *frame.Events
	lists    *eventlist.Lists
	commands *ecs.Commands
	agents   *ecs.Columns
	states   ecs.Lookup[T]
	leave    func() // removes the callback of Commands.OnLeave

	runs   []run[T]         // of agents that perform the action, in no order
	free   []int32          // unused elements of runs
	active []runRef         // the used ones, in the order of entities
	awakes []runRef         // those of agents that are not paused, while some are
	slots  ecs.Table[int32] // by entity: 1 + the element of runs, 0 for none

	// Within a frame.
	chunks    []chunk[T]
	spans     []ecs.Span
	fresh     []newRun // in the order of entities
	list      []runRef // that the step serves
	begun     []runRef
	aborted   []runRef
	perWorker []*worker[T]
	scan      func(worker, task int) // fields, so that Update allocates no closures
	begin     func(worker, task int)
	update    func(worker, task int)
	abort     func(worker, task int)

	stats Stats
}

// Stats count what an action did since the start.
type Stats struct {
	Begun     int64 // how often an agent began it
	Succeeded int64 // and how often it ended so
	Failed    int64 // likewise
	Aborted   int64 // likewise
}

// Running returns how many agents perform the action now.
func (s Stats) Running() int64 { return s.Begun - s.Succeeded - s.Failed - s.Aborted }

// Steps are the functions of an action. Each serves up to 64 agents at once; states[i], b.Entities[i] and b.Orders[i]
// are of one agent. All are valid during the call only. A function that is nil does nothing.
//
// The functions must not change the structure of the world; they queue commands. What an agent does to others goes
// through b.Events or a [frame.List].
type Steps[T any] struct {
	// Begin is called once for each order, before the first Update.
	Begin func(b *Batch, states []*T)

	// Update is called once a frame. It returns the agents whose action has succeeded and those whose action has
	// failed: bit i for states[i]. The others go on. An action without Update goes on until it is aborted.
	Update func(b *Batch, states []*T) (succeeded, failed uint64)

	// Abort is called once when an action ends without an outcome. It undoes what Begin and Update did.
	Abort func(b *Batch, states []*T)

	// Parallel lets several workers call the functions at once, for different agents: they must not write to anything
	// else that is shared. If it is false the functions are called on the goroutine that owns the world.
	Parallel bool
}

// Batch is up to 64 agents that a function of [Steps] serves.
type Batch struct {
	Context
	Entities []components.Entity // in ascending order
	Orders   []components.Order  // copies, with the targets and numbers of now; of an abort, as they were last
}

// Context is what the functions of an action know of the frame.
type Context struct {
	Clock    *frame.Clock  // the instant, and the time since the last frame
	Events   *frame.Events // what the agents do to others; pass Worker to its methods
	Commands *ecs.Queue    // structural changes, for the end of the frame
	Worker   int           // the number of the worker that calls
}

// NewDurative returns the system of an action with functions that serve agents in batches.
func NewDurative[T any](name string, channel components.Channel, steps Steps[T]) *Durative[T] {
	return &Durative[T]{name: name, channel: channel, steps: steps}
}

// Register registers the action. Herd.AddAction calls it. Call it yourself to insert the system at another place of the
// frame, by Herd.Before or Herd.After. It returns an error when the name is registered with another meaning.
func (s *Durative[T]) Register(actions *aitree.Actions) error {
	handle, err := actions.Register(s.name, s.channel)
	if err != nil {
		return err
	}
	s.action = handle
	return nil
}

// Name returns the name of the action, by which trees post it.
func (s *Durative[T]) Name() string { return s.name }

// Stats returns the counts since the start.
func (s *Durative[T]) Stats() Stats { return s.stats }

// Initialize implements [ecs.System]. It registers the action where that was not done.
//
// Panics when a resource is missing, when the name is registered with another meaning, and when T cannot be a component
// or is [components.Intent].
func (s *Durative[T]) Initialize(w *arche.World) {
	who := fmt.Sprintf("action: %q", s.name)
	s.Finalize(w) // releases an earlier world
	if err := s.Register(ecs.Resource[aitree.Actions](w)); err != nil {
		panic(who + ": " + err.Error())
	}
	s.clock = ecs.Resource[frame.Clock](w)
	s.workers = ecs.Resource[parallel.Workers](w)
	s.events = ecs.Resource[frame.Events](w)
	s.lists = ecs.Resource[eventlist.Lists](w)
	s.commands = ecs.Resource[ecs.Commands](w)
	s.agents = ecs.NewColumns(w, ecs.Need[components.Intent](), ecs.Optional[T](), ecs.Optional[components.Paused]())
	s.states = ecs.NewLookup[T](w)
	s.scan, s.begin, s.update, s.abort = s.scanSpan, s.beginTask, s.updateTask, s.abortTask
	s.perWorker = make([]*worker[T], s.workers.Count())
	for i := range s.perWorker {
		s.perWorker[i] = &worker[T]{}
		s.perWorker[i].batch.Context =
			Context{Clock: s.clock, Events: s.events, Commands: s.commands.Queue(i), Worker: i}
	}
	s.leave = s.commands.OnLeave(func(_ *arche.World, e components.Entity, _ ecs.LeaveReason) { s.abortNow(e) })
}

// Finalize implements [ecs.System]. It calls none of the functions. Stats still answers.
func (s *Durative[T]) Finalize(*arche.World) {
	scratch.Release(&s.agents)
	if s.leave != nil {
		s.leave()
		s.leave = nil
	}
	s.runs, s.free, s.active, s.slots, s.perWorker = nil, nil, nil, ecs.Table[int32]{}, nil
}

// Update implements [ecs.System].
//
// Panics, with the name of the agent, when one without T has an order of the action.
func (s *Durative[T]) Update(*arche.World) {
	if s.agents == nil {
		panic(fmt.Sprintf("action: Update of %q before Initialize or after Finalize", s.name))
	}
	if s.clock.Step == 0 {
		return
	}
	defer s.close() // after a panic, too
	s.open()
	s.workers.Run(len(s.spans), s.scan)
	s.abortLost()
	s.beginNew()
	s.serve(s.awake(), s.update)
	s.count()
}

// open opens the columns and makes room for what the frame may bring.
func (s *Durative[T]) open() {
	opened := s.agents.Open()
	for i := range opened {
		c := &opened[i]
		s.chunks = append(s.chunks, chunk[T]{
			entities: c.Entities(), intents: ecs.Column[components.Intent](c, 0), states: ecs.Column[T](c, 1),
			paused: c.Has(2),
		})
	}
	s.lists.Reserve(s.agents.Len())
	for _, w := range s.perWorker {
		// Any worker may find as many orders as all of them did together.
		w.fresh = scratch.Reserve(w.fresh[:0], cap(s.fresh))
	}
	s.spans = s.agents.Spans(taskAgents)
}

// close closes the columns and drops all pointers into them.
func (s *Durative[T]) close() {
	for _, w := range s.perWorker {
		clear(w.states[:])
	}
	clear(s.chunks)
	s.chunks, s.spans, s.list = s.chunks[:0], nil, nil
	s.agents.Close()
}
