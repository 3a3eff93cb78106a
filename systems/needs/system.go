package needs

import (
	"fmt"
	"time"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/lifecycle"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/setting"
	"github.com/flockwork-ai/flockwork/systems/action"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/spatial"
)

// System lets needs grow, carries out eat, sleep, socialise, work and rest (see [action.Seek]) and writes the facts
// that agents need to choose among them. It writes components.Needs, Engagement, Place and the outcomes of these
// orders. The package comment has the rules.
//
// An agent needs [components.Needs], [components.Engagement], [components.Intent] and [components.Transform]; without a
// [components.Home] it finds no food. Only agents with a [components.Faction] are company for others.
//
// The zero value is ready for Initialize, which reads the settings; later changes have no effect.
type System struct {
	Rates         Rates         // the zero value means [DefaultRates]
	Sun           Sun           // the zero value means [DefaultSun]
	StartTime     time.Duration // time of day, from midnight, when the clock is at 0; 0 is midnight
	Reach         float32       // metres within which a place can be used; 0 means 3, negative: none
	CompanyRadius float32       // metres within which others are company; 0 means 4, negative: none

	rates         usedRates
	flows         [components.Activities]flow
	daylight      daylight
	reach         float32 // as used: with its default, as companyRadius
	companyRadius float32

	guard      lifecycle.Guard[arche.World]
	world      *arche.World
	clock      *frame.Clock
	workers    *parallel.Workers
	events     *eventlist.Lists
	grid       *spatial.Grid
	actions    action.Handles
	kinds      [components.Activities]components.PlaceKind // that an activity occupies; 0: none
	agents     *ecs.Columns
	sites      *ecs.Columns
	places     ecs.Lookup[components.Place]
	transforms ecs.Lookup[components.Transform]

	// Within a frame.
	chunks     []ecs.Chunk
	spans      []ecs.Span
	activities ecs.Table[uint8] // 1 + activity; 0: no agent with needs
	claims     []placeClaim     // of all workers
	day        float32          // of this frame
	duePhases  uint64           // by phase of a second: whether needs of agents with it change in this frame
	perWorker  []worker
	advance    func(worker, task int)
	look       func(worker, task int)
}

// worker is the state of one worker.
type worker struct {
	claims []placeClaim
	places ecs.Table[placeUse]
	stats  Stats
	_      [64]byte // no two workers write to one cache line
}

// Terms of the columns.
const (
	needsNeeds = iota
	needsEngagement
	needsIntent
	needsTransform
	needsHome
	needsLOD
	needsPaused
)

const name = "needs.System"

const (
	taskRows  = 1024    // agents of a task
	claimRoom = 1 << 16 // maximum number of claims in a frame for which memory is reserved

	second components.Timestamp = 1e9
	hour                        = 3600 * second
)

// Initialize prepares the system for a world that systems.Install was called on.
//
// Panics when the world lacks a resource and when a setting is out of range.
func (s *System) Initialize(w *arche.World) {
	s.readSettings(name)
	s.Finalize(w) // releases the columns of an earlier world
	s.guard.Begin(name, w)
	s.world = w
	s.clock = ecs.Resource[frame.Clock](w)
	s.workers = ecs.Resource[parallel.Workers](w)
	s.events = ecs.Resource[eventlist.Lists](w)
	s.grid = spatial.AttachGrid(w)
	actions, err := action.Register(ecs.Resource[aitree.Actions](w))
	if err != nil {
		panic(name + ": " + err.Error())
	}
	s.actions = actions
	s.kinds[components.Eating] = components.Store
	s.kinds[components.Sleeping] = components.Bed
	s.kinds[components.Working] = components.Workplace
	s.agents = ecs.NewColumns(w, ecs.Need[components.Needs](), ecs.Need[components.Engagement](),
		ecs.Need[components.Intent](), ecs.Need[components.Transform](),
		ecs.Optional[components.Home](), ecs.Optional[components.LOD](), ecs.Optional[components.Paused]())
	s.sites = ecs.NewColumns(w, ecs.Need[components.Place]())
	s.places = ecs.NewLookup[components.Place](w)
	s.transforms = ecs.NewLookup[components.Transform](w)
	s.perWorker = make([]worker, s.workers.Count())
	s.advance, s.look = s.advanceSpan, s.lookSpan
}

// readSettings converts the settings, with their defaults, to the form in which they are used. It panics, naming the
// field, when one is out of range.
func (s *System) readSettings(name string) {
	rates, sun := s.Rates, s.Sun
	setting.SetDefault(&rates, DefaultRates())
	setting.SetDefault(&sun, DefaultSun())
	rates.require(name)
	sun.require(name)
	if s.StartTime < 0 {
		panic(fmt.Sprintf("%s: StartTime is %v; use a time of day, from midnight", name, s.StartTime))
	}
	s.reach = setting.NumberOrDefault(name, "Reach", s.Reach, 3)
	s.companyRadius = setting.NumberOrDefault(name, "CompanyRadius", s.CompanyRadius, 4)
	s.flows, s.rates, s.daylight = rates.flows(), rates.used(), sun.daylight()
}

// Update applies a frame's time to all agents, and refreshes the facts of the agents that are due to decide. While the
// clock is paused it does nothing.
//
// Panics before Initialize, after Finalize and with another world than that of Initialize.
func (s *System) Update(w *arche.World) {
	s.guard.Check(name, w)
	if s.clock.Paused() {
		return
	}
	s.grid.Refresh()
	s.duePhases = phasesBetween(s.clock.Now, s.clock.Now-s.clock.Step)
	s.day = s.daylight.at(s.clock.Now, components.Timestamp(s.StartTime))
	s.chunks = s.agents.Open()
	s.spans = s.agents.Spans(taskRows)
	sites := s.sites.Open()
	s.prepare(sites)
	s.workers.Run(len(s.spans), s.advance)
	s.countUse(sites)
	s.grantClaims()
	s.workers.Run(len(s.spans), s.look)
	s.sites.Close()
	s.agents.Close()
	s.chunks, s.spans = nil, nil
}

// Finalize releases the columns of the world. [System.Stats] can still be called.
func (s *System) Finalize(*arche.World) {
	scratch.Release(&s.agents)
	scratch.Release(&s.sites)
	s.guard.End()
}

// prepare sizes and clears the memory of a frame.
func (s *System) prepare(sites []ecs.Chunk) {
	places := 0 // length of a table of places
	for i := range sites {
		for _, e := range sites[i].Entities() {
			places = max(places, int(e.Index)+1)
		}
	}
	agents := 0
	for i := range s.chunks {
		agents += s.chunks[i].Len()
	}
	s.events.Reserve(agents)
	room := min(agents, claimRoom)
	for i := range s.perWorker {
		w := &s.perWorker[i]
		w.places.Reset()
		w.places.Grow(places)
		w.claims = scratch.Sized(w.claims, room)[:0]
	}
	s.claims = scratch.Sized(s.claims, room)[:0]
	s.activities.Reset()
	s.activities.Grow(s.grid.IndexBound())
}
