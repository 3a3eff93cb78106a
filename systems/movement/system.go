package movement

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/setting"
	"github.com/flockwork-ai/flockwork/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// System moves agents, all of them in every frame, and reports on the orders of the move channel (see
// [action.Seek]). It writes Transform, Body.Velocity, Steering, Route.Next and the move order's outcome.
//
// An agent needs [components.Transform] and [components.Body]. With a [components.Intent] it does what its move
// order says, and stands when it has none, or one that is no standard action; without one it goes on at its
// velocity. With a [components.Steering] it finds its way round buildings and knows when it is stuck.
// Agents slide along walls and never enter one, whatever their speed.
//
// Where agents that also have a [components.Faction] stand in one another they are pushed apart, as far as the walls
// allow. Every agent sees all the others where they stood when the frame began, in the order of the [spatial.Grid], so
// neither the storage nor the number of workers can change a bit.
//
// Its zero value is ready to be initialized. It needs a world set up by [resources.Install].
type System struct {
	TurnRate     float32 // radians per second; 0 stands for 6
	BlockedAfter float32 // seconds without coming nearer after which an order fails; 0 stands for 5

	clock      *frame.Clock
	workers    *parallel.Workers
	world      *space.Map // nil: open country
	routes     *space.Routes
	grid       *spatial.Grid
	separator  *separator
	actions    action.Handles
	seed       uint64
	columns    *ecs.Columns
	transforms ecs.Lookup[components.Transform]

	chunks  []ecs.Chunk
	spans   []ecs.Span
	bases   []int             // number of the first agent of each chunk
	next    []components.Vec2 // where each agent will stand
	walkers []walker
	move    func(worker, task int) // made once: a literal in Update would be allocated
	commit  func(worker, task int)
}

// Stats are what went wrong since the start.
type Stats struct {
	Nonfinite int64 // agents and frames in which something of a Transform, Body or order was NaN or infinite
	Freed     int64 // agents that stood in a wall and were put beside it
	Stranded  int64 // agents and frames in which one stood in a wall too thick to be freed
}

// Terms of the columns.
const (
	moveTransform = iota
	moveBody
	moveIntent
	moveSteering
	moveRoute
)

// drawKey tells the draws of movement from those of other systems. Another text would change all outcomes.
const drawKey = "systems.Locomotion"

const moveRows = 512 // agents of a task

// Initialize prepares the system. It panics, naming it, when the world lacks one of its resources and when a
// setting is out of range.
func (l *System) Initialize(w *arche.World) {
	const who = "movement.System"
	setting.RequireSetting(who, "TurnRate", l.TurnRate)
	setting.RequireSetting(who, "BlockedAfter", l.BlockedAfter)
	l.Finalize(w) // of the world before, if nobody did
	l.clock = ecs.Resource[frame.Clock](w, who)
	l.workers = ecs.Resource[parallel.Workers](w, who)
	l.world = setting.OptionalResource[space.Map](w)
	l.routes = ecs.Resource[space.Routes](w, who)
	l.grid = spatial.AttachGrid(w, who)
	l.separator = newSeparator(l.grid, l.world, l.workers.Count())
	l.seed = random.Mix(random.String(drawKey), uint64(*ecs.Resource[frame.Seed](w, who)))
	actions, err := action.Register(ecs.Resource[aitree.Actions](w, who))
	if err != nil {
		panic(who + ": " + err.Error())
	}
	l.actions = actions
	if l.TurnRate == 0 {
		l.TurnRate = 6
	}
	if l.BlockedAfter == 0 {
		l.BlockedAfter = 5
	}
	l.columns = ecs.NewColumns(w, ecs.Need[components.Transform](), ecs.Need[components.Body](),
		ecs.Optional[components.Intent](), ecs.Optional[components.Steering](), ecs.Optional[components.Route]())
	l.transforms = ecs.NewLookup[components.Transform](w)
	l.walkers = make([]walker, l.workers.Count())
	l.move, l.commit = l.moveSpan, l.commitSpan
}

// Update moves all agents. A frame in which no time passes moves nobody.
func (l *System) Update(*arche.World) {
	dt := l.clock.Delta
	if !(dt > 0) {
		return
	}
	l.grid.Refresh()
	l.chunks = l.columns.Open()
	l.spans = l.columns.Spans(moveRows)
	l.bases = l.bases[:0]
	agents := 0
	for i := range l.chunks {
		l.bases = append(l.bases, agents)
		agents += l.chunks[i].Len()
	}
	l.next = scratch.Sized(l.next, agents)
	l.separator.refresh(l.workers)
	for i := range l.walkers {
		l.walkers[i].begin(l, min(dt, maxDelta))
	}
	l.workers.Run(len(l.spans), l.move)
	l.workers.Run(len(l.spans), l.commit)
	l.columns.Close()
}

// Finalize releases what the system holds of the world.
func (l *System) Finalize(*arche.World) { scratch.Release(&l.columns) }

// Stats returns what went wrong since the start.
func (l *System) Stats() Stats {
	var sum Stats
	for i := range l.walkers {
		c := &l.walkers[i].stats
		sum.Nonfinite += c.Nonfinite
		sum.Freed += c.Freed
		sum.Stranded += c.Stranded
	}
	return sum
}

// moveSpan finds where the agents of a task go. All but their positions is written at once, since no other
// agent reads it.
func (l *System) moveSpan(worker, task int) {
	span := l.spans[task]
	k := &l.chunks[span.Chunk]
	next := l.next[l.bases[span.Chunk]:]
	entities := k.Entities()
	transforms := ecs.Column[components.Transform](k, moveTransform)
	bodies := ecs.Column[components.Body](k, moveBody)
	intents := ecs.Column[components.Intent](k, moveIntent)
	steerings := ecs.Column[components.Steering](k, moveSteering)
	routes := ecs.Column[components.Route](k, moveRoute)
	walker := &l.walkers[worker]
	for i := span.Start; i < span.End; i++ {
		a := agent{entity: entities[i], transform: &transforms[i], body: &bodies[i]}
		if intents != nil {
			a.order = &intents[i].Orders[components.Move]
		}
		if steerings != nil {
			a.steering = &steerings[i]
		}
		if routes != nil {
			a.route = &routes[i]
		}
		next[i] = walker.step(&a)
	}
}

// commitSpan writes the positions.
func (l *System) commitSpan(_, task int) {
	span := l.spans[task]
	transforms := ecs.Column[components.Transform](&l.chunks[span.Chunk], moveTransform)[span.Start:span.End]
	next := l.next[l.bases[span.Chunk]+span.Start:][:len(transforms)]
	for i := range transforms {
		transforms[i].Position = next[i]
	}
}
