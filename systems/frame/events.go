package frame

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
)

// Events raises what agents do to each other in a frame: a resource of the world, for custom systems and actions. Each
// method takes the number of the worker that calls it: 0 on the goroutine that owns the world, else the number that
// Herd.Parallel passes. What is raised is merged in the order of entities by the system that consumes it, so the
// outcome does not depend on the worker. An event that no system of the world consumes is dropped after two frames.
//
// The methods panic when there is no such worker, and for Events that systems.Install did not make.
type Events eventlist.Handle

func (e *Events) lists() *eventlist.Lists { return (*eventlist.Handle)(e).Lists() }

// Hurt raises a blow of source against target. The amount is in points of health. The combat system adds
// up the blows against each target in this frame, if it has not run yet, else in the next.
func (e *Events) Hurt(worker int, source, target components.Entity, amount int32) {
	e.lists().Hurt(worker, source, target, amount)
}

// Noise raises a sound of source at a point, in metres, that carries for loudness metres. Agents with Senses that are
// in reach hear it in the next perception stage, and are woken.
func (e *Events) Noise(worker int, source components.Entity, at components.Vec2, loudness float32) {
	e.lists().Noise(worker, source, at, loudness)
}

// Wake lets an agent decide in the next LOD stage, whatever its tier. It is the way to wake an agent. An agent without
// a LOD decides in every frame anyway.
func (e *Events) Wake(worker int, entity components.Entity) { e.lists().Wake(worker, entity) }

// EventKind is a kind of event that is counted.
type EventKind uint8

// The kinds.
const (
	Sighting   = EventKind(eventlist.Sighting)   // a hostile came into sight
	NoiseHeard = EventKind(eventlist.NoiseHeard) // a noise reached an agent
	Strike     = EventKind(eventlist.Strike)     // a strike or a shot hit
	Death      = EventKind(eventlist.Death)      // an agent died
	Respawn    = EventKind(eventlist.Respawn)    // an agent respawned
)

// String returns the kind's name.
func (k EventKind) String() string { return eventlist.Kind(k).String() }

// Count returns how many events of a kind there have been since the start.
//
// Panics when there is no such kind.
func (e *Events) Count(kind EventKind) int64 { return e.lists().Total(eventlist.Kind(kind)) }
