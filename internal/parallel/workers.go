package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Workers is a pool of goroutines. Worker 0 is the caller of [Workers.Run]; the others, the helpers, wait between runs.
// They first poll for a short time, since a frame has several runs in a row, and then sleep.
type Workers struct {
	helpers []helper // worker i is helpers[i-1]
	task    func(worker, task int)
	tasks   int64
	next    atomic.Int64  // the first task that no worker has taken
	round   atomic.Uint64 // number of the run; bit 0 tells whether helpers may join it
	active  atomic.Int32  // helpers that work in the run or try to join it
	busy    atomic.Bool
	closing sync.Once
	closed  atomic.Bool

	mutex  sync.Mutex
	failed *TaskPanic // of the lowest task
}

// TaskPanic is the value with which [Workers.Run] panics when a task panicked.
type TaskPanic struct {
	Task  int    // number of the task
	Value any    // the value of the task's panic; nil if it ended its goroutine, as t.FailNow does
	Stack []byte // of the task
}

// Error returns the message of the panic and the stack of the task.
func (p *TaskPanic) Error() string {
	if p.Value == nil {
		return fmt.Sprintf("parallel: task %d of Workers.Run ended its goroutine", p.Task)
	}
	return fmt.Sprintf("parallel: task %d of Workers.Run: %v\n\n%s", p.Task, p.Value, p.Stack)
}

// Unwrap returns the value of the task's panic if it is an error, otherwise nil.
func (p *TaskPanic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// helper is a goroutine of the pool.
type helper struct {
	asleep atomic.Bool
	wake   chan struct{} // of capacity 1
	_      [64]byte      // no two helpers share a cache line
}

// NewWorkers starts a pool of count workers, including the caller. More workers than processors cost time: a wake-up
// takes some microseconds.
//
// Panics when count is not positive.
func NewWorkers(count int) *Workers {
	if count < 1 {
		panic(fmt.Sprintf("parallel: a pool of %d workers; use 1 or more", count))
	}
	w := &Workers{helpers: make([]helper, count-1)}
	for i := range w.helpers {
		w.helpers[i].wake = make(chan struct{}, 1)
		go w.loop(i + 1)
	}
	if count > 1 {
		// The first sleep of a goroutine allocates a timer. This goroutine most often is the one that calls Run, so it
		// sleeps here, and no frame allocates.
		time.Sleep(time.Nanosecond)
		stockWaits()
	}
	return w
}

// stockWaits ensures that a helper that goes to sleep does not allocate. A wait on a channel takes a record from a list
// of the processor; after the wake-up the record goes to the list of the processor on which the goroutine runs. The
// runtime allocates a record when the list is empty. Many goroutines that wait at once fill all lists. Some of them
// lock a thread each, so that the runtime need not start threads later.
var stockWaits = sync.OnceFunc(func() {
	const listed = 128 // records in the list of a processor
	gate := make(chan struct{})
	var waiting, gone sync.WaitGroup
	processors := min(runtime.GOMAXPROCS(0), 32)
	for i := range listed * processors {
		waiting.Add(1)
		gone.Go(func() {
			if i < 2*processors {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
			}
			waiting.Done()
			<-gate
			for woken := time.Now(); time.Since(woken) < 20*time.Microsecond; { // other processors wake some, too
			}
		})
	}
	waiting.Wait()
	time.Sleep(time.Millisecond) // until the last of them waits
	close(gate)
	gone.Wait()
})

// Count returns the number of workers.
func (w *Workers) Count() int { return len(w.helpers) + 1 }

// Round returns a number that is the same during a run and greater after it, for what several workers note. A run that
// is served by the caller alone need not change it.
func (w *Workers) Round() uint64 { return w.round.Load() }

// Run calls f for each task in 0…tasks-1 and returns when all are done. Free workers take tasks in order, so the result
// of f must not depend on the worker; f may use it to choose scratch memory. Keep f in a variable: a function literal
// in the call is allocated.
//
// When a task panics, Run panics with a [*TaskPanic] after all workers have stopped. Tasks that have not begun are
// skipped. If several tasks panic, Run reports the lowest one.
//
// Panics when called by a task, by two goroutines at once, or after Close.
func (w *Workers) Run(tasks int, f func(worker, task int)) {
	if tasks <= 0 {
		return
	}
	if !w.busy.CompareAndSwap(false, true) {
		panic("parallel: Workers.Run called during another Run")
	}
	if w.closed.Load() {
		w.busy.Store(false)
		panic("parallel: Workers.Run after Close")
	}
	w.task, w.tasks = f, int64(tasks)
	w.next.Store(0)
	defer w.join()
	if helpers := w.helpers[:min(tasks-1, len(w.helpers))]; len(helpers) > 0 {
		w.round.Add(1) // helpers may join
		for i := range helpers {
			helpers[i].wakeUp()
		}
	}
	w.work(0)
}

// wakeUp wakes a helper if it sleeps.
func (h *helper) wakeUp() {
	if h.asleep.CompareAndSwap(true, false) {
		h.wake <- struct{}{}
	}
}

// join closes a run to further helpers, waits for the helpers that joined it, and panics if a task failed.
func (w *Workers) join() {
	if w.round.Load()&1 != 0 {
		w.round.Add(1) // closed to helpers
	}
	// The helpers are at their last tasks, so polling is the fastest way to wait. A lock is no alternative: a wait for
	// it can allocate.
	for polls := 0; w.active.Load() > 0; polls++ {
		if polls < maxPolls {
			runtime.Gosched()
		} else {
			time.Sleep(50 * time.Microsecond)
		}
	}
	failed := w.failed
	w.task, w.failed = nil, nil
	w.busy.Store(false)
	if failed != nil {
		panic(failed)
	}
}

// maxPolls is how often a worker polls before it sleeps: some tenths of a millisecond.
const maxPolls = 2000

// Close ends the goroutines. It may be called more than once, but not during a Run.
func (w *Workers) Close() {
	w.closing.Do(func() {
		w.closed.Store(true)
		for i := range w.helpers {
			close(w.helpers[i].wake)
		}
	})
}

func (w *Workers) loop(worker int) {
	defer func() {
		if !w.closed.Load() { // a task ended this goroutine by runtime.Goexit, as t.FailNow does
			go w.loop(worker)
		}
	}()
	h, seen := &w.helpers[worker-1], uint64(0)
	for polls := 0; !w.closed.Load(); polls++ {
		if round := w.round.Load(); round&1 != 0 && round != seen {
			seen, polls = round, 0
			w.help(worker, round)
			continue
		}
		if polls < maxPolls {
			runtime.Gosched()
			continue
		}
		polls = 0
		h.asleep.Store(true)
		// A run may have begun after the last poll. Either this worker clears asleep, and continues, or the caller has
		// cleared it, and sends a wake-up.
		if round := w.round.Load(); round&1 != 0 && round != seen && h.asleep.CompareAndSwap(true, false) {
			continue
		}
		<-h.wake
	}
}

// help works in a run if it is still open. The helper adds itself to active before it checks round, and the caller
// closes the round before it reads active. So the caller waits for every helper that joins.
func (w *Workers) help(worker int, round uint64) {
	w.active.Add(1)
	defer w.active.Add(-1)
	if w.round.Load() == round {
		w.work(worker)
	}
}

// work takes tasks until none is left.
func (w *Workers) work(worker int) {
	task, done := -1, false
	defer func() {
		if done {
			return
		}
		w.next.Store(w.tasks) // no worker begins another task
		if reason := recover(); reason != nil {
			w.fail(&TaskPanic{Task: task, Value: reason, Stack: debug.Stack()})
		} else if worker != 0 {
			w.fail(&TaskPanic{Task: task})
		}
	}()
	for {
		next := w.next.Add(1) - 1
		if next >= w.tasks {
			done = true
			return
		}
		task = int(next)
		w.task(worker, task)
	}
}

func (w *Workers) fail(with *TaskPanic) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.failed == nil || with.Task < w.failed.Task {
		w.failed = with
	}
}
