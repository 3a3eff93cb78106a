package action

import (
	"fmt"
	"math/bits"
	"reflect"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/scratch"
)

// taskAgents is the number of agents of a task, and batchAgents that of a batch: a mask has a bit for each.
const (
	taskAgents  = 1024
	batchAgents = 64
)

// run is an order that an agent carries out.
type run[T any] struct {
	entity     components.Entity
	order      components.Order // as it was in the last frame in which it stood
	last       T                // the state after the last update, for an entity that is gone
	chunk, row int32            // of the agent in this frame
	found      uint32           // the last frame in which the order stood
	ended      bool             // it has an outcome or was aborted
	paused     bool             // its agent is
}

// runRef refers to an element of runs.
type runRef struct {
	entity components.Entity
	run    int32
}

// newRun is an agent with an order that it has not begun.
type newRun struct {
	entity     components.Entity
	chunk, row int32
}

// compare orders agents by entity.
func (n newRun) compare(o newRun) int { return n.entity.Compare(o.entity) }

// chunk is the columns of an archetype.
type chunk[T any] struct {
	entities []components.Entity
	intents  []components.Intent
	states   []T // nil in an archetype without T
	paused   bool
}

// worker is the state of one worker.
type worker[T any] struct {
	fresh    []newRun
	batch    Batch
	entities [batchAgents]components.Entity
	orders   [batchAgents]components.Order
	states   [batchAgents]*T
	_        [64]byte // no two workers write to one cache line
}

// scanSpan finds the orders of the action in a span: those that are carried out, and new ones.
func (s *Durative[T]) scanSpan(worker, task int) {
	span := s.spans[task]
	c := &s.chunks[span.Chunk]
	w := s.perWorker[worker]
	for row := span.Start; row < span.End; row++ {
		o := &c.intents[row].Orders[s.channel]
		if o.Action != s.action || o.Outcome != components.Pending {
			continue
		}
		e := c.entities[row]
		r := s.runOf(e)
		begun := r != nil && !r.ended && r.order.Serial == o.Serial
		switch {
		case c.states == nil && begun: // it has lost its state, and will be aborted
			o.Outcome = components.Failed
			s.events.Wake(worker, e)
		case c.states == nil:
			panic(fmt.Sprintf("action: entity %v has an order %q and no %v; add the component before a tree that "+
				"posts the action", e, s.name, reflect.TypeFor[T]()))
		case begun:
			r.order, r.chunk, r.row, r.found = *o, int32(span.Chunk), int32(row), s.clock.Frame
			r.paused = c.paused
		case c.paused:
		default:
			w.fresh = append(w.fresh, newRun{e, int32(span.Chunk), int32(row)})
		}
	}
}

// runOf returns the run of an agent, or nil.
func (s *Durative[T]) runOf(e components.Entity) *run[T] {
	if slot := s.slots.Get(e); slot != 0 && s.runs[slot-1].entity == e {
		return &s.runs[slot-1]
	}
	return nil
}

// abortLost aborts the runs whose order was not found, and drops all runs that have ended.
func (s *Durative[T]) abortLost() {
	s.aborted = s.aborted[:0]
	for _, ref := range s.active {
		if r := &s.runs[ref.run]; r.found != s.clock.Frame && !r.ended {
			s.aborted = append(s.aborted, ref)
		}
	}
	s.stats.Aborted += int64(len(s.aborted))
	s.serve(s.aborted, s.abort)
	kept := s.active[:0]
	for _, ref := range s.active {
		if s.runs[ref.run].ended {
			s.release(ref)
		} else {
			kept = append(kept, ref)
		}
	}
	s.active = kept
}

// awake returns the runs of agents that are not paused.
func (s *Durative[T]) awake() []runRef {
	s.awakes = s.awakes[:0]
	for _, ref := range s.active {
		if !s.runs[ref.run].paused {
			s.awakes = append(s.awakes, ref)
		}
	}
	return s.awakes
}

// release frees a run.
func (s *Durative[T]) release(ref runRef) {
	s.slots.Set(ref.entity, 0)
	s.runs[ref.run] = run[T]{}
	s.free = append(s.free, ref.run)
}

// beginNew makes runs of the new orders, merges them into the active ones and begins them.
func (s *Durative[T]) beginNew() {
	s.fresh = scratch.Merge(s.fresh, s.perWorker, func(w **worker[T]) *[]newRun { return &(*w).fresh }, newRun.compare)
	s.begun = s.begun[:0]
	for _, n := range s.fresh {
		at := s.place()
		s.runs[at] = run[T]{
			entity: n.entity, order: s.chunks[n.chunk].intents[n.row].Orders[s.channel],
			chunk: n.chunk, row: n.row, found: s.clock.Frame,
		}
		s.slots.Set(n.entity, at+1)
		s.begun = append(s.begun, runRef{n.entity, at})
	}
	s.stats.Begun += int64(len(s.begun))
	// Both lists are in order, so they are merged from the end.
	old, added := len(s.active)-1, len(s.begun)-1
	s.active = append(s.active, s.begun...)
	for at := len(s.active) - 1; added >= 0; at-- {
		if old >= 0 && s.begun[added].entity.Less(s.active[old].entity) {
			s.active[at] = s.active[old]
			old--
		} else {
			s.active[at] = s.begun[added]
			added--
		}
	}
	s.serve(s.begun, s.begin)
}

// place returns an unused element of runs.
func (s *Durative[T]) place() int32 {
	if last := len(s.free) - 1; last >= 0 {
		at := s.free[last]
		s.free = s.free[:last]
		return at
	}
	s.runs = append(s.runs, run[T]{})
	return int32(len(s.runs) - 1)
}

// serve calls a step for a list of runs: task by task, on the workers where the action allows it. The tasks do not
// depend on the number of workers, so neither do the batches.
func (s *Durative[T]) serve(list []runRef, step func(worker, task int)) {
	s.list = list
	tasks := (len(list) + taskAgents - 1) / taskAgents
	if s.steps.Parallel {
		s.workers.Run(tasks, step)
		return
	}
	for task := range tasks {
		step(0, task)
	}
}

// task returns the runs of a task.
func (s *Durative[T]) task(task int) []runRef {
	return s.list[task*taskAgents : min((task+1)*taskAgents, len(s.list))]
}

// fill makes the worker's batch of up to 64 runs, without the states.
func (w *worker[T]) fill(s *Durative[T], part []runRef) (*Batch, []*T) {
	for i, ref := range part {
		w.entities[i], w.orders[i] = ref.entity, s.runs[ref.run].order
	}
	w.batch.Entities, w.batch.Orders = w.entities[:len(part)], w.orders[:len(part)]
	return &w.batch, w.states[:len(part)]
}

func (s *Durative[T]) beginTask(worker, task int) {
	w := s.perWorker[worker]
	for part := s.task(task); len(part) > 0 && s.steps.Begin != nil; {
		batch := part[:min(batchAgents, len(part))]
		b, states := w.fill(s, batch)
		s.stand(batch, states)
		s.steps.Begin(b, states)
		part = part[len(batch):]
	}
}

// stand finds the states of agents whose order stands.
func (s *Durative[T]) stand(part []runRef, states []*T) {
	for i, ref := range part {
		r := &s.runs[ref.run]
		states[i] = &s.chunks[r.chunk].states[r.row]
	}
}

func (s *Durative[T]) updateTask(worker, task int) {
	w := s.perWorker[worker]
	for part := s.task(task); len(part) > 0; {
		batch := part[:min(batchAgents, len(part))]
		b, states := w.fill(s, batch)
		s.stand(batch, states)
		var succeeded, failed uint64
		if s.steps.Update != nil {
			succeeded, failed = s.steps.Update(b, states)
		}
		for i, ref := range batch {
			s.runs[ref.run].last = *states[i]
		}
		s.report(worker, batch, succeeded, components.Succeeded)
		s.report(worker, batch, failed&^succeeded, components.Failed)
		part = part[len(batch):]
	}
}

// report ends runs with an outcome and wakes their agents.
func (s *Durative[T]) report(worker int, part []runRef, ended uint64, outcome components.Outcome) {
	ended &= ^uint64(0) >> (batchAgents - len(part))
	for ; ended != 0; ended &= ended - 1 {
		r := &s.runs[part[bits.TrailingZeros64(ended)].run]
		r.ended, r.order.Outcome = true, outcome
		s.chunks[r.chunk].intents[r.row].Orders[s.channel].Outcome = outcome
		s.events.Wake(worker, r.entity)
	}
}

func (s *Durative[T]) abortTask(worker, task int) {
	w := s.perWorker[worker]
	for part := s.task(task); len(part) > 0; {
		batch := part[:min(batchAgents, len(part))]
		s.abortBatch(w, batch)
		part = part[len(batch):]
	}
}

// abortBatch aborts the runs of up to 64 agents, which may be gone.
func (s *Durative[T]) abortBatch(w *worker[T], part []runRef) {
	b, states := w.fill(s, part)
	for i, ref := range part {
		r := &s.runs[ref.run]
		r.ended = true
		if states[i] = s.states.Get(r.entity); states[i] == nil {
			states[i] = &r.last
		}
	}
	if s.steps.Abort != nil {
		s.steps.Abort(b, states)
	}
}

// abortNow aborts the run of an agent that will be removed or get another mind.
func (s *Durative[T]) abortNow(e components.Entity) {
	r := s.runOf(e)
	if r == nil || r.ended {
		return
	}
	w := s.perWorker[0]
	s.stats.Aborted++
	part := [1]runRef{{e, s.slots.Get(e) - 1}}
	s.abortBatch(w, part[:])
	w.states[0] = nil
}

// count adds up the outcomes of the frame.
func (s *Durative[T]) count() {
	for _, ref := range s.active {
		switch r := &s.runs[ref.run]; {
		case !r.ended:
		case r.order.Outcome == components.Succeeded:
			s.stats.Succeeded++
		default:
			s.stats.Failed++
		}
	}
}
