package lod

import (
	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// Observers are the points, in metres, that agents are near to or far from: cameras, players. It is a resource of
// the world that the host keeps up to date. In a world without it, or with an empty one, everyone is near.
type Observers []components.Vec2

// System is the system that says how often each agent decides, by its distance to the nearest observer, and which ones do
// so in this frame. It runs after the clock moved and before the systems that work for the agents that are due.
//
// An agent takes part by having a [components.LOD]; one that also has a [components.Transform] is near or far, one
// without is always near. Systems that serve the due read [components.LOD.Due] and [components.LOD.Elapsed];
// there is nothing to report back, so any number of them may serve an agent, or none.
//
// The system applies the wake-ups that [frame.Events] holds when it runs, which are those that action systems raised in the
// last frame. Those that are raised later, by perception, can be served in the same frame through [Cadence.WakeNow].
type System struct {
	Config Config // of the world's [Cadence]; not read after Initialize

	clock     *frame.Clock
	events    *frame.Events
	cadence   *Cadence
	columns   *ecs.Columns
	lods      ecs.Lookup[components.LOD]
	observers arche.ResID
	chunks    []Chunk
}

// Initialize puts a new [Cadence] into the world, as a resource, in place of one that a LOD system left there before.
//
// Panics when the configuration is not valid, and when the world has no [frame.Clock] or no [frame.Events].
func (s *System) Initialize(w *arche.World) {
	s.Finalize(w) // of the world before, if nobody did
	s.clock = ecs.Resource[frame.Clock](w, "lod.System")
	s.events = ecs.Resource[frame.Events](w, "lod.System")
	cadence, err := NewCadence(s.Config, s.clock.FPS)
	if err != nil {
		panic(err.Error())
	}
	s.cadence = cadence
	if id := arche.ResourceID[Cadence](w); w.Resources().Has(id) {
		w.Resources().Remove(id)
	}
	arche.AddResource(w, cadence)
	s.lods = ecs.NewLookup[components.LOD](w)
	s.observers = arche.ResourceID[Observers](w)
	s.columns = ecs.NewColumns(w, ecs.Need[components.LOD](), ecs.Optional[components.Transform]())
}

// Update marks the agents that decide in this frame.
func (s *System) Update(w *arche.World) {
	for _, e := range s.events.MergeWakes() {
		if l := s.lods.Get(e); l != nil {
			l.Wake()
		}
	}
	var observers Observers
	if w.Resources().Has(s.observers) {
		observers = *w.Resources().Get(s.observers).(*Observers)
	}
	chunks := s.columns.Open()
	for i := range chunks {
		k := &chunks[i]
		s.chunks = append(s.chunks, Chunk{
			Entities: k.Entities(),
			LODs:     ecs.Column[components.LOD](k, 0),
			Places:   ecs.Column[components.Transform](k, 1),
		})
	}
	s.cadence.Frame(s.clock.Frame, s.clock.Now, s.chunks, observers)
	// A column that the world has outgrown must not be kept alive from here.
	clear(s.chunks)
	s.chunks = s.chunks[:0]
	s.columns.Close()
}

// Finalize releases what the system holds of the world, whose [Cadence] can still be asked for its counters.
func (s *System) Finalize(*arche.World) { scratch.Release(&s.columns) }
