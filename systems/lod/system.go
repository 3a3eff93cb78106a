package lod

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/lifecycle"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/internal/waker"
	"github.com/flockwork-ai/flockwork/systems/frame"
	"github.com/flockwork-ai/flockwork/systems/internal/position"
)

// Observers are the positions in metres to which the distance of an agent is measured: cameras, players. It is a
// resource of the world that the host adds and keeps up to date; only the nearest observer counts. In a world without
// the resource, or with an empty one, every agent is in the nearest tier.
type Observers []components.Vec2

// System decides how often each agent decides, by its distance to the nearest observer, and marks the agents that
// decide in this frame. It runs after the clock has advanced and before the systems that serve the agents that are due.
//
// An agent takes part if it has a [components.LOD]. With a [components.Transform] its distance counts; without one it
// is in the nearest tier. Systems that serve due agents read [components.LOD.Due] and [components.LOD.Elapsed]. They
// do not report back, so several systems can serve one agent.
//
// The system applies the wake-ups that were raised by Events.Wake since it ran last. Perception, which runs later in
// the frame, can let an agent decide in the same frame.
type System struct {
	Config Config // read by Initialize only

	guard   lifecycle.Guard[arche.World]
	clock   *frame.Clock
	events  *eventlist.Lists
	cadence *cadence
	columns *position.Columns
	lods    ecs.Lookup[components.LOD]
	chunks  []chunk
}

// Initialize makes a new cadence. It replaces the one of an earlier System of the world.
//
// Panics when the configuration is not valid ([Config.Validate]), when a rate is too low for the clock's frame rate,
// and when the world has no [frame.Clock] or no [frame.Events].
func (s *System) Initialize(w *arche.World) {
	s.Finalize(w) // releases the columns of an earlier world
	s.guard.Begin("lod.System", w)
	s.clock = ecs.Resource[frame.Clock](w)
	s.events = ecs.Resource[eventlist.Lists](w)
	var err error
	if s.cadence, err = newCadence(s.Config, s.clock.FPS); err != nil {
		panic(err.Error())
	}
	if id := arche.ResourceID[waker.Waker](w); w.Resources().Has(id) {
		w.Resources().Remove(id)
	}
	arche.AddResource(w, &waker.Waker{
		WakeNow: s.cadence.wakeNow, Frame: func() uint32 { return s.cadence.state.Frame },
	})
	s.lods = ecs.NewLookup[components.LOD](w)
	s.columns = position.NewColumns(w, true, ecs.Need[components.LOD](), ecs.Without[components.Paused]())
}

// Update marks the agents that decide in this frame. While the clock is paused it does nothing.
//
// Panics before Initialize, after Finalize and with another world than that of Initialize.
func (s *System) Update(w *arche.World) {
	s.guard.Check("lod.System", w)
	if s.clock.Paused() {
		s.cadence.skipFrame()
		return
	}
	for _, e := range s.events.Wakes() {
		if l := s.lods.Get(e); l != nil {
			l.Flags |= lodflag.Woken
		}
	}
	var observers Observers
	if resource := ecs.FindResource[Observers](w); resource != nil {
		observers = *resource
	}
	chunks := s.columns.Open()
	for i := range chunks {
		k := &chunks[i]
		s.chunks = append(s.chunks, chunk{
			Entities:   k.Entities(),
			LODs:       ecs.Column[components.LOD](k, 0),
			Transforms: s.columns.Transforms(i),
		})
	}
	s.cadence.runFrame(s.cadence.nextFrame(s.clock.Frame), s.clock.Now, s.chunks, observers)
	// Columns are valid while open; a kept one would hold on to memory that the world has replaced.
	clear(s.chunks)
	s.chunks = s.chunks[:0]
	s.columns.Close()
}

// Stats returns the counts so far.
func (s *System) Stats() Stats {
	if s.cadence == nil {
		return Stats{}
	}
	return s.cadence.Stats()
}

// TierNames returns the names of the tiers, nearest first: those of the configuration, or else their rates.
func (s *System) TierNames() []string {
	if s.cadence == nil {
		return nil
	}
	return s.cadence.TierNames()
}

// Finalize releases the columns of the world. Its [cadence] stays and still reports its counters.
func (s *System) Finalize(*arche.World) {
	scratch.Release(&s.columns)
	s.guard.End()
}
