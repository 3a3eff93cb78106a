package frame

import (
	"cmp"
	"slices"

	arche "github.com/mlange-42/arche/ecs"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/eventlist"
	"github.com/flockwork-ai/flockwork/internal/parallel"
	"github.com/flockwork-ai/flockwork/internal/scratch"
)

// List holds events of the host's own: what agents do to each other that [Events] does not know, such as a theft, a
// greeting or a claim. T is what the host wants to know about one, any type. Make it with [NewList].
//
// Agents post from any stage of the frame; each worker appends to a list of its own, so posting takes no lock. The
// system that consumes the events calls [List.Take] once a frame: in the same stage after those who post, in a later
// stage, or in the next frame. It gets the posts in the order of the entities that issued them, those of one issuer in
// the order in which they were posted. So the outcome depends neither on the number of workers nor on the worker that
// served an agent, provided that the posts of one issuer during a run of Herd.Parallel come from one task.
//
// Posts that nobody takes are dropped after two frames, as other events are. Frames without time do not count.
type List[T any] struct {
	workers *parallel.Workers
	events  *eventlist.Lists
	lists   []*postList[T] // by worker
	merged  []entry[T]
	taken   []Post[T]
}

// Post is an event of a [List].
type Post[T any] struct {
	Issuer components.Entity // who posted it
	Target components.Entity // of [List.PostTo]; zero for an event without
	Value  T                 // what the host wants to know
}

// postList is the posts of one worker.
type postList[T any] struct {
	entries []entry[T] // in the order of posting
	posted  uint32     // how many there have been; wraps round
	_       [64]byte   // no cache line shared with another worker's list
}

// entry is a post and what orders it. During one run of the workers one of them serves an issuer, so the run orders the
// posts of an issuer that several workers have served, and the number those of one worker.
type entry[T any] struct {
	post   Post[T]
	run    uint64
	number uint32
	age    uint32 // Lists.Age when it was posted
}

// compare orders the entries of a frame. The difference of numbers is signed, since they wrap round.
func (e entry[T]) compare(o entry[T]) int {
	return cmp.Or(e.post.Issuer.Compare(o.post.Issuer), cmp.Compare(e.run, o.run), int(int32(e.number-o.number)))
}

// NewList returns an empty list for a world that systems.Install was called on.
//
// Panics when it was not.
func NewList[T any](w *arche.World) *List[T] {
	l := &List[T]{workers: ecs.Resource[parallel.Workers](w), events: ecs.Resource[eventlist.Lists](w)}
	l.lists = make([]*postList[T], l.workers.Count())
	for i := range l.lists {
		l.lists[i] = &postList[T]{}
	}
	return l
}

// Post posts an event of issuer. The number of the worker is 0 on the goroutine that owns the world, else the number
// that Herd.Parallel passes, or that of an action's Context. An event of no agent has the zero entity as its issuer and
// comes first.
//
// Panics when there is no such worker.
func (l *List[T]) Post(worker int, issuer components.Entity, value T) {
	l.post(worker, Post[T]{Issuer: issuer, Value: value})
}

// PostTo posts an event of issuer that concerns target, and wakes target: it decides in the next LOD stage, whatever
// its tier. A system that takes the posts before the AI stage and writes facts shows the target what happened.
//
// Panics when there is no such worker.
func (l *List[T]) PostTo(worker int, issuer, target components.Entity, value T) {
	l.post(worker, Post[T]{issuer, target, value})
	l.events.Wake(worker, target)
}

func (l *List[T]) post(worker int, p Post[T]) {
	l.events.RequireWorker(worker)
	w, age := l.lists[worker], l.events.Age()
	if len(w.entries) > 0 && eventlist.Forgotten(w.entries[0].age, age) {
		fresh := slices.IndexFunc(w.entries, func(e entry[T]) bool { return !eventlist.Forgotten(e.age, age) })
		if fresh < 0 {
			fresh = len(w.entries)
		}
		w.entries = slices.Delete(w.entries, 0, fresh)
	}
	w.entries = append(w.entries, entry[T]{post: p, run: l.workers.Round(), number: w.posted, age: age})
	w.posted++
}

// Take returns the posts since the last call in the order of their issuers, and those of one issuer in the order of
// posting. The slice holds until the next call; who else wants to read the posts reads it. Call Take on the goroutine
// that owns the world.
func (l *List[T]) Take() []Post[T] {
	clear(l.taken) // so that it keeps nothing alive
	clear(l.merged)
	for _, w := range l.lists {
		// Any worker may post as much as all of them did together.
		w.entries = scratch.Reserve(w.entries, cap(l.merged))
	}
	l.merged = scratch.Merge(l.merged, l.lists, func(w **postList[T]) *[]entry[T] { return &(*w).entries },
		entry[T].compare)
	l.taken = l.taken[:0]
	for i := range l.merged {
		if !eventlist.Forgotten(l.merged[i].age, l.events.Age()) {
			l.taken = append(l.taken, l.merged[i].post)
		}
	}
	return l.taken
}

// reserve makes room for the posts of a number of agents in a frame.
func (l *List[T]) reserve(agents int) {
	for _, w := range l.lists {
		w.entries = scratch.Reserve(w.entries, agents)
	}
	l.merged, l.taken = scratch.Reserve(l.merged, agents), scratch.Reserve(l.taken, agents)
}
