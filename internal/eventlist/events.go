// Package eventlist holds the lists of what agents do to each other in a frame.
package eventlist

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/scratch"
)

// Lists hold what agents do to each other in a frame. Each worker appends to lists of its own. The system that consumes
// a kind merges its lists in entity order, so the outcome depends neither on the number of workers nor on the worker
// that served an agent. Each kind has one consumer, on the goroutine that owns the world. Events that are raised after
// it has run wait for the next frame.
type Lists struct {
	workers []*workerEvents
	blows   []blow
	wounds  []Wound
	noises  []Noise
	wakes   []components.Entity
	dropped uint32            // frame of the last DropUnread
	age     uint32            // frames in which DropUnread was called; wraps round
	unread  [eventLists]uint8 // by list: calls of DropUnread since it was read
}

// Handle gives access to lists through package frame, which shows users what they may raise.
type Handle struct{ lists *Lists }

// Handle returns a handle of the lists.
func (e *Lists) Handle() *Handle { return &Handle{e} }

// Lists returns the lists of a handle.
//
// Panics for a handle that no world has.
func (h *Handle) Lists() *Lists {
	if h == nil || h.lists == nil {
		panicHandle()
	}
	return h.lists
}

func panicHandle() {
	panic("frame: Events that are not a world's; use those of Herd.Events, which systems.Install makes")
}

// The lists, and after how many frames unread events are dropped. Whatever the order of systems, a consumer reads its
// list once between two calls of DropUnread, except before the first.
const (
	listBlows = iota
	listNoises
	listWakes
	eventLists

	unreadFrames = 2
)

// workerEvents are the lists of one worker.
type workerEvents struct {
	blows  []blow
	noises []Noise
	wakes  []components.Entity
	counts [Kinds]int64
	_      [64]byte // no cache line shared with another worker's lists
}

// blow is damage of one entity to another.
type blow struct {
	source, target components.Entity
	amount         int32
}

// compare orders blows by target, then by source. The sum of equal ones does not depend on their order.
func (b blow) compare(o blow) int {
	return cmp.Or(b.target.Compare(o.target), b.source.Compare(o.source))
}

// Wound is all the damage that one entity took.
type Wound struct {
	Target components.Entity // the entity that is hurt
	Amount int32             // the sum, limited to the range of an int32
	By     components.Entity // the source of the last blow, in the order of Entity.Less
	Blows  int32             // how many
}

// Noise is a sound that can be heard.
type Noise struct {
	Source   components.Entity // its origin
	At       components.Vec2   // metres
	Loudness float32           // metres it carries
}

// compare orders noises by source, position and loudness. Floats are ordered by their bits: any total order will do,
// and this one covers NaN and -0.
func (n Noise) compare(o Noise) int {
	return cmp.Or(
		n.Source.Compare(o.Source),
		cmp.Compare(math.Float32bits(n.At.X), math.Float32bits(o.At.X)),
		cmp.Compare(math.Float32bits(n.At.Y), math.Float32bits(o.At.Y)),
		cmp.Compare(math.Float32bits(n.Loudness), math.Float32bits(o.Loudness)),
	)
}

// Kind is a kind of event that a report counts.
type Kind uint8

// The kinds.
const (
	Sighting   Kind = iota // a hostile came into sight
	NoiseHeard             // a noise reached an agent
	Strike                 // a strike or a shot hit
	Death                  // an agent died
	Respawn                // an agent respawned
	// Kinds is how many kinds there are.
	Kinds = iota
)

var eventNames = [Kinds]string{
	"sighting", "noise heard", "strike", "death", "respawn",
}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) < len(eventNames) {
		return eventNames[k]
	}
	return "unknown"
}

// New returns empty lists for a number of workers.
func New(workers int) *Lists {
	e := &Lists{workers: make([]*workerEvents, workers)}
	for i := range e.workers {
		e.workers[i] = &workerEvents{}
	}
	return e
}

// of returns the lists of a worker. It panics when there is no such worker.
func (e *Lists) of(worker int) *workerEvents {
	e.RequireWorker(worker)
	return e.workers[worker]
}

// RequireWorker panics when there is no such worker.
func (e *Lists) RequireWorker(worker int) {
	if uint(worker) >= uint(len(e.workers)) {
		panicWorker(worker, len(e.workers))
	}
}

func panicWorker(worker, workers int) {
	panic(fmt.Sprintf("frame: Events of worker %d; there are %d, numbered from 0: pass the number that "+
		"Herd.Parallel or a context gives, or 0 on the goroutine that owns the world", worker, workers))
}

// Hurt records that source strikes target.
func (e *Lists) Hurt(worker int, source, target components.Entity, amount int32) {
	w := e.of(worker)
	w.blows = append(w.blows, blow{source, target, amount})
}

// Noise records a sound at a point, in metres, that carries for loudness metres.
func (e *Lists) Noise(worker int, source components.Entity, at components.Vec2, loudness float32) {
	w := e.of(worker)
	w.noises = append(w.noises, Noise{source, at, loudness})
}

// Wake records that an agent is to decide in the next LOD stage.
func (e *Lists) Wake(worker int, entity components.Entity) {
	w := e.of(worker)
	w.wakes = append(w.wakes, entity)
}

// Reserve makes room for the events of a number of agents in a frame.
func (e *Lists) Reserve(agents int) {
	for _, w := range e.workers {
		w.blows, w.noises = scratch.Reserve(w.blows, agents), scratch.Reserve(w.noises, agents)
		w.wakes = scratch.Reserve(w.wakes, agents)
	}
	e.blows, e.wounds = scratch.Reserve(e.blows[:0], agents), scratch.Reserve(e.wounds[:0], agents)
	e.noises, e.wakes = scratch.Reserve(e.noises[:0], agents), scratch.Reserve(e.wakes[:0], agents)
}

// Count counts n events of a kind.
func (e *Lists) Count(worker int, kind Kind, n int) { e.of(worker).counts[kind] += int64(n) }

// Total returns how many events of a kind were counted since the start.
//
// Panics when there is no such kind.
func (e *Lists) Total(kind Kind) int64 {
	if kind >= Kinds {
		panic(fmt.Sprintf("frame: Events.Count of kind %d; use Sighting to Respawn", kind))
	}
	var sum int64
	for _, w := range e.workers {
		sum += w.counts[kind]
	}
	return sum
}

// Wounds takes the blows since the last call and returns one wound for each target, in the order of targets. The slice
// holds until the next call.
func (e *Lists) Wounds() []Wound {
	e.unread[listBlows] = 0
	e.wounds = e.wounds[:0]
	e.blows = scratch.Merge(e.blows, e.workers, func(w **workerEvents) *[]blow { return &(*w).blows }, blow.compare)
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

// Noises takes the noises since the last call and returns them in the order of their sources; those of
// one source by place and loudness. The slice holds until the next call.
func (e *Lists) Noises() []Noise {
	e.unread[listNoises] = 0
	e.noises = scratch.Merge(e.noises, e.workers, func(w **workerEvents) *[]Noise { return &(*w).noises },
		Noise.compare)
	return e.noises
}

// DropUnread drops the events that no consumer has read for two frames, so that the lists of a kind do not grow without
// end in a world without its consumer. The AI, combat and command systems call it; only the first call in a frame
// counts.
func (e *Lists) DropUnread(frame uint32) {
	if frame == e.dropped {
		return
	}
	e.dropped = frame
	e.age++
	for list := range e.unread {
		if e.unread[list] < unreadFrames {
			e.unread[list]++
			continue
		}
		for _, w := range e.workers {
			switch list {
			case listBlows:
				w.blows = w.blows[:0]
			case listNoises:
				w.noises = w.noises[:0]
			case listWakes:
				w.wakes = w.wakes[:0]
			}
		}
	}
}

// Age returns a number that grows by one in each frame: between those calls of DropUnread that count.
func (e *Lists) Age() uint32 { return e.age }

// Forgotten reports whether an event of a list of the host's own is dropped: whether it was raised more than two frames
// before now. Both are readings of Age.
func Forgotten(raised, now uint32) bool { return now-raised > unreadFrames }

// Wakes takes the wake-ups since the last call and returns each entity once, in order. The slice
// holds until the next call.
func (e *Lists) Wakes() []components.Entity {
	e.unread[listWakes] = 0
	e.wakes = scratch.Merge(e.wakes, e.workers,
		func(w **workerEvents) *[]components.Entity { return &(*w).wakes }, components.Entity.Compare)
	e.wakes = slices.Compact(e.wakes)
	return e.wakes
}

// Unread returns how many events no consumer has read.
func (e *Lists) Unread() (n int) {
	for _, w := range e.workers {
		n += len(w.blows) + len(w.noises) + len(w.wakes)
	}
	return n
}
