package movement

import (
	"math"
	"time"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/lifecycle"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/random"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/setting"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
	"github.com/flockwork-ai/flockwork/systems/space"
)

// System moves agents, all of them in every frame, and reports the outcomes of the move orders (see [action.Seek]). It
// writes Transform, Body.Velocity, Steering, Route.Next and the move order's outcome.
//
// An agent needs [components.Transform] and [components.Body]. With a [components.Intent] it carries out its move
// order; without a standard order it stands. Without an Intent it keeps its velocity. With a [components.Steering] it
// walks round buildings and fails orders that it cannot carry out. With a [components.Faction] it keeps apart from
// other bodies.
//
// The zero value is ready for Initialize. The settings are read by Initialize; later changes have no effect.
type System struct {
	// TurnRate is how fast agents turn, in radians per second. 0 means 6; negative: they never turn.
	TurnRate float32
	// BlockedAfter is the time without progress after which an order fails. 0 means 5 s; negative: never.
	BlockedAfter time.Duration

	turnRate     float32 // as used: with its default
	blockedAfter float32 // seconds

	guard      lifecycle.Guard[arche.World]
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
	bases   []int                  // number of the first agent of each chunk
	next    []components.Vec2      // where each agent will stand
	walkers []walker               // by worker
	move    func(worker, task int) // a field, so that Update allocates no closure
	commit  func(worker, task int)
}

// Stats counts faults since Initialize.
type Stats struct {
	Nonfinite int64 // agents × frames in which a part of a Transform, Body or order was NaN or infinite
	Freed     int64 // agents inside a wall that were moved to the nearest passable tile
	Stranded  int64 // agents × frames in which an agent was too deep inside a wall to be freed
}

// Terms of the columns.
const (
	moveTransform = iota
	moveBody
	moveIntent
	moveSteering
	moveRoute
)

// drawKey separates the draws of movement from those of other systems. A change of it changes all outcomes.
const drawKey = "systems.Locomotion"

// moveRows is the number of agents of a task.
const moveRows = 512

const name = "movement.System"

const (
	defaultTurnRate     = 6 // radians per second
	defaultBlockedAfter = 5 * time.Second
)

// Initialize prepares the system for a world that systems.Install was called on.
//
// Panics when the world lacks a resource, and when TurnRate is not finite.
func (s *System) Initialize(w *arche.World) {
	s.turnRate = setting.NumberOrDefault(name, "TurnRate", s.TurnRate, defaultTurnRate)
	s.blockedAfter = setting.InSeconds(setting.DurationOrDefault(s.BlockedAfter, defaultBlockedAfter))
	if s.BlockedAfter < 0 {
		s.blockedAfter = math.MaxFloat32 // never
	}
	s.Finalize(w) // releases the columns of an earlier world
	s.guard.Begin(name, w)
	s.clock = ecs.Resource[frame.Clock](w)
	s.workers = ecs.Resource[parallel.Workers](w)
	s.world = ecs.FindResource[space.Map](w)
	s.routes = ecs.Resource[space.Routes](w)
	s.grid = spatial.AttachGrid(w)
	s.separator = newSeparator(s.grid, s.world, s.workers.Count())
	s.seed = random.Mix(random.String(drawKey), uint64(*ecs.Resource[frame.Seed](w)))
	actions, err := action.Register(ecs.Resource[aitree.Actions](w))
	if err != nil {
		panic(name + ": " + err.Error())
	}
	s.actions = actions
	s.columns = ecs.NewColumns(w, ecs.Need[components.Transform](), ecs.Need[components.Body](),
		ecs.Optional[components.Intent](), ecs.Optional[components.Steering](), ecs.Optional[components.Route](),
		ecs.Without[components.Paused]())
	s.transforms = ecs.NewLookup[components.Transform](w)
	s.walkers = make([]walker, s.workers.Count())
	s.move, s.commit = s.moveSpan, s.commitSpan
}

// Update moves all agents by the clock's last step, at most by one second. While the clock is paused it does nothing.
//
// Panics before Initialize, after Finalize and with another world than that of Initialize.
func (s *System) Update(w *arche.World) {
	s.guard.Check(name, w)
	dt := s.clock.Delta
	if s.clock.Paused() {
		return
	}
	s.grid.Refresh()
	s.chunks = s.columns.Open()
	s.spans = s.columns.Spans(moveRows)
	s.bases = s.bases[:0]
	agents := 0
	for i := range s.chunks {
		s.bases = append(s.bases, agents)
		agents += s.chunks[i].Len()
	}
	s.next = scratch.Sized(s.next, agents)
	s.separator.refresh(s.workers)
	for i := range s.walkers {
		s.walkers[i].begin(s, min(dt, maxDelta))
	}
	s.workers.Run(len(s.spans), s.move)
	s.workers.Run(len(s.spans), s.commit)
	s.columns.Close()
}

// Finalize releases the columns of the world. [System.Stats] can still be called.
func (s *System) Finalize(*arche.World) {
	scratch.Release(&s.columns)
	s.guard.End()
}

// Stats returns the counters since Initialize.
func (s *System) Stats() Stats {
	var sum Stats
	for i := range s.walkers {
		c := &s.walkers[i].stats
		sum.Nonfinite += c.Nonfinite
		sum.Freed += c.Freed
		sum.Stranded += c.Stranded
	}
	return sum
}

// moveSpan computes the next positions of the agents of a task. It writes all other components directly, since no other
// agent reads them.
func (s *System) moveSpan(worker, task int) {
	span := s.spans[task]
	chunk := &s.chunks[span.Chunk]
	next := s.next[s.bases[span.Chunk]:]
	entities := chunk.Entities()
	transforms := ecs.Column[components.Transform](chunk, moveTransform)
	bodies := ecs.Column[components.Body](chunk, moveBody)
	intents := ecs.Column[components.Intent](chunk, moveIntent)
	steerings := ecs.Column[components.Steering](chunk, moveSteering)
	routes := ecs.Column[components.Route](chunk, moveRoute)
	walker := &s.walkers[worker]
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
func (s *System) commitSpan(_, task int) {
	span := s.spans[task]
	transforms := ecs.Column[components.Transform](&s.chunks[span.Chunk], moveTransform)[span.Start:span.End]
	next := s.next[s.bases[span.Chunk]+span.Start:][:len(transforms)]
	for i := range transforms {
		transforms[i].Position = next[i]
	}
}
