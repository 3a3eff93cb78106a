package frame

import (
	"cmp"
	"math"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/scratch"
)

// Events are what agents do to each other in a frame. Workers append to lists of their own; the system that
// consumes a kind merges its lists in entity order, so that the outcome depends neither on the number of
// workers nor on who served an agent. Each kind has one consumer, on the goroutine that owns the world; what is
// raised after it ran waits for the next frame.
type Events struct {
	Workers []*workerEvents
	blows   []blow
	wounds  []Wound
	noises  []Noise
	wakes   []components.Entity
	settled uint32            // frame of the last settle
	idle    [eventLists]uint8 // by list: settles since it was taken
}

// The lists, and after how many frames what nobody takes is dropped: whatever the order of systems, a consumer takes
// its list once between two settles but for the first of them.
const (
	listBlows = iota
	listNoises
	listWakes
	eventLists

	idleFrames = 2
)

type workerEvents struct {
	blows  []blow
	noises []Noise
	Wakes  []components.Entity
	counts [EventKinds]int64
	_      [64]byte // no cache line shared with another worker's lists
}

type blow struct {
	source, target components.Entity
	amount         int32
}

// compare orders blows by who is struck, then by who strikes. Their sum does not depend on the order of the others.
func (b blow) compare(o blow) int {
	return cmp.Or(b.target.Compare(o.target), b.source.Compare(o.source))
}

// Wound is all the damage that one entity took.
type Wound struct {
	Target components.Entity
	Amount int32             // the sum, limited to the range of an int32
	By     components.Entity // who struck last: of those who struck, the last in the order of Entity.Less
	Blows  int32             // how many
}

// Noise is a sound that can be heard.
type Noise struct {
	Source   components.Entity
	At       components.Vec2 // metres
	Loudness float32         // metres it carries
}

// compare orders noises by source, place and loudness. Floats are ordered by their bits: any total order serves, and
// this one knows NaN and -0.
func (n Noise) compare(o Noise) int {
	return cmp.Or(
		n.Source.Compare(o.Source),
		cmp.Compare(math.Float32bits(n.At.X), math.Float32bits(o.At.X)),
		cmp.Compare(math.Float32bits(n.At.Y), math.Float32bits(o.At.Y)),
		cmp.Compare(math.Float32bits(n.Loudness), math.Float32bits(o.Loudness)),
	)
}

// EventKind is a kind of event that a report counts.
type EventKind uint8

// The kinds.
const (
	Sighting   EventKind = iota // a hostile came into sight
	NoiseHeard                  // a noise reached an agent
	Strike                      // a blow landed
	Death                       // an agent died
	Respawn                     // an agent came back
	// EventKinds is how many kinds there are.
	EventKinds = iota
)

var eventNames = [EventKinds]string{
	"sighting", "noise heard", "strike", "death", "respawn",
}

// String returns the kind's name.
func (k EventKind) String() string {
	if int(k) < len(eventNames) {
		return eventNames[k]
	}
	return "unknown"
}

// NewEvents returns empty lists for a number of workers.
func NewEvents(workers int) *Events {
	e := &Events{Workers: make([]*workerEvents, workers)}
	for i := range e.Workers {
		e.Workers[i] = &workerEvents{}
	}
	return e
}

// Hurt records that source strikes target.
func (e *Events) Hurt(worker int, source, target components.Entity, amount int32) {
	w := e.Workers[worker]
	w.blows = append(w.blows, blow{source, target, amount})
}

// Noise records a sound at a point, in metres, that carries for loudness metres.
func (e *Events) Noise(worker int, source components.Entity, at components.Vec2, loudness float32) {
	w := e.Workers[worker]
	w.noises = append(w.noises, Noise{source, at, loudness})
}

// Wake asks that an agent decides at the next opportunity.
func (e *Events) Wake(worker int, entity components.Entity) {
	w := e.Workers[worker]
	w.Wakes = append(w.Wakes, entity)
}

// Reserve makes room for what a herd of agents does in a frame.
func (e *Events) Reserve(agents int) {
	for _, w := range e.Workers {
		w.blows, w.noises, w.Wakes = scratch.Reserve(w.blows, agents), scratch.Reserve(w.noises, agents), scratch.Reserve(w.Wakes, agents)
	}
	e.blows, e.wounds = scratch.Reserve(e.blows[:0], agents), scratch.Reserve(e.wounds[:0], agents)
	e.noises, e.wakes = scratch.Reserve(e.noises[:0], agents), scratch.Reserve(e.wakes[:0], agents)
}

// Tally counts n events of a kind.
func (e *Events) Tally(worker int, kind EventKind, n int) { e.Workers[worker].counts[kind] += int64(n) }

// Count returns how many events of a kind were counted since the start.
func (e *Events) Count(kind EventKind) int64 {
	var sum int64
	for _, w := range e.Workers {
		sum += w.counts[kind]
	}
	return sum
}

// MergeWounds takes the blows since the last call and returns them as one wound for each target, in the
// order of targets. The slice holds until the next call.
func (e *Events) MergeWounds() []Wound {
	e.idle[listBlows] = 0
	e.wounds = e.wounds[:0]
	e.blows = scratch.Merge(e.blows, e.Workers, func(w **workerEvents) *[]blow { return &(*w).blows }, blow.compare)
	for start := 0; start < len(e.blows); {
		target := e.blows[start].target
		sum, end := int64(0), start
		for ; end < len(e.blows) && e.blows[end].target == target; end++ {
			sum += int64(e.blows[end].amount)
		}
		e.wounds = append(e.wounds, Wound{
			Target: target,
			Amount: int32(min(max(sum, math.MinInt32), math.MaxInt32)),
			By:     e.blows[end-1].source,
			Blows:  int32(end - start),
		})
		start = end
	}
	return e.wounds
}

// MergeNoises takes the noises since the last call and returns them in the order of their sources; those of
// one source by place and loudness. The slice holds until the next call.
func (e *Events) MergeNoises() []Noise {
	e.idle[listNoises] = 0
	e.noises = scratch.Merge(e.noises, e.Workers, func(w **workerEvents) *[]Noise { return &(*w).noises }, Noise.compare)
	return e.noises
}

// Settle forgets what nobody has taken for two frames, so that in a world without a kind's consumer its lists do not
// grow for ever. [combat.System] and [CommandSystem] call it; only the first call of a frame counts.
func (e *Events) Settle(frame uint32) {
	if frame == e.settled {
		return
	}
	e.settled = frame
	for list := range e.idle {
		if e.idle[list] < idleFrames {
			e.idle[list]++
			continue
		}
		for _, w := range e.Workers {
			switch list {
			case listBlows:
				w.blows = w.blows[:0]
			case listNoises:
				w.noises = w.noises[:0]
			case listWakes:
				w.Wakes = w.Wakes[:0]
			}
		}
	}
}

// MergeWakes takes the wake-ups since the last call and returns each entity once, in order. The slice
// holds until the next call.
func (e *Events) MergeWakes() []components.Entity {
	e.idle[listWakes] = 0
	e.wakes = scratch.Merge(e.wakes, e.Workers,
		func(w **workerEvents) *[]components.Entity { return &(*w).Wakes }, components.Entity.Compare)
	e.wakes = slices.Compact(e.wakes)
	return e.wakes
}
