package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Workers is a pool of goroutines that are kept for the run's life. Worker 0 is the caller of
// [Workers.Run], the others wait for it between runs: for a moment awake, since in a frame one run follows the other,
// then asleep.
type Workers struct {
	helpers []helper // worker i is helpers[i-1]
	task    func(worker, task int)
	tasks   int64
	next    atomic.Int64  // the first task that nobody has taken
	round   atomic.Uint64 // the number of the run, and in bit 0 whether it is open to helpers
	active  atomic.Int32  // helpers that are at work, or look whether they may be
	busy    atomic.Bool
	closing sync.Once
	closed  atomic.Bool

	mutex  sync.Mutex
	failed *TaskPanic // of the lowest task
}

// TaskPanic is what [Workers.Run] panics with when a task did.
type TaskPanic struct {
	Task  int
	Value any    // what the task panicked with; nil if it ended its goroutine, as t.FailNow does
	Stack []byte // of the task
}

// Error returns the message of the panic, and the stack of the task.
func (p *TaskPanic) Error() string {
	if p.Value == nil {
		return fmt.Sprintf("parallel: task %d of Workers.Run ended its goroutine", p.Task)
	}
	return fmt.Sprintf("parallel: task %d of Workers.Run: %v\n\n%s", p.Task, p.Value, p.Stack)
}

// Unwrap returns the error that the task panicked with, nil if it was none.
func (p *TaskPanic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// helper is a goroutine of the pool.
type helper struct {
	asleep atomic.Bool
	wake   chan struct{} // holds one
	_      [64]byte      // no two share a cache line
}

// NewWorkers starts a pool of count workers, the caller being one of them. More workers than processors cost time: to
// wake one takes some microseconds.
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
		// In its first sleep a goroutine is given a timer, which no frame is to pay for; most often this goroutine is
		// the one that will call Run.
		time.Sleep(time.Nanosecond)
		stockWaits()
	}
	return w
}

// stockWaits sees to it that a helper that goes to sleep need not allocate. To wait for a channel takes a record, which
// the runtime has from a list of the processor's, and which goes back to the list of the processor that the goroutine
// is woken on; where the list is empty, it makes one. So many goroutines that wait at once leave every list well
// filled. Some of them hold a thread each, so that the runtime need not start one later.
var stockWaits = sync.OnceFunc(func() {
	const listed = 128 // by the runtime for each processor
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
			for woken := time.Now(); time.Since(woken) < 20*time.Microsecond; { // the other processors get their share
			}
		})
	}
	waiting.Wait()
	time.Sleep(time.Millisecond) // for the last of them to wait
	close(gate)
	gone.Wait()
})

// Count returns the number of workers.
func (w *Workers) Count() int { return len(w.helpers) + 1 }

// Run calls f for each task in 0…tasks-1 and returns when all are done. Tasks are handed out in order to
// whichever worker is free, so what f does must not depend on the worker; it may use it to pick scratch
// memory. Make f once: a function literal that is passed here is allocated.
//
// A panic in a task is raised again here, as a [*TaskPanic], when all workers have stopped; tasks that had not begun
// are left out. Of several it is that of the lowest task.
//
// Panics when called by a task, by two goroutines at once, or after Close.
func (w *Workers) Run(tasks int, f func(worker, task int)) {
	if tasks <= 0 {
		return
	}
	if !w.busy.CompareAndSwap(false, true) {
		panic("parallel: Workers.Run called while another Run goes on")
	}
	if w.closed.Load() {
		w.busy.Store(false)
		panic("parallel: Workers.Run after Close")
	}
	w.task, w.tasks = f, int64(tasks)
	w.next.Store(0)
	defer w.join()
	if helpers := w.helpers[:min(tasks-1, len(w.helpers))]; len(helpers) > 0 {
		w.round.Add(1) // it is open
		for i := range helpers {
			helpers[i].rouse()
		}
	}
	w.work(0)
}

// rouse wakes a helper if it sleeps.
func (h *helper) rouse() {
	if h.asleep.CompareAndSwap(true, false) {
		h.wake <- struct{}{}
	}
}

// join closes a Run to helpers that have not come, waits for those that have and raises what failed in it.
func (w *Workers) join() {
	if w.round.Load()&1 != 0 {
		w.round.Add(1) // it is closed
	}
	// The helpers are at their last tasks, so they are met soonest by looking again. Nor is there a lock to wait for:
	// to sleep at one, the runtime may allocate.
	for looks := 0; w.active.Load() > 0; looks++ {
		if looks < looksAwake {
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

// looksAwake is how often a worker looks for the others before it sleeps: some tenths of a millisecond.
const looksAwake = 2000

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
	for looks := 0; !w.closed.Load(); looks++ {
		if round := w.round.Load(); round&1 != 0 && round != seen {
			seen, looks = round, 0
			w.help(worker, round)
			continue
		}
		if looks < looksAwake {
			runtime.Gosched()
			continue
		}
		looks = 0
		h.asleep.Store(true)
		// A run may have begun after the last look. Whoever sees to it first takes back that it is asleep: this
		// worker, which then goes on, or the caller, which has then sent a wake.
		if round := w.round.Load(); round&1 != 0 && round != seen && h.asleep.CompareAndSwap(true, false) {
			continue
		}
		<-h.wake
	}
}

// help works in a run, if it is still open. To be counted first and look then means that the caller, who closes first
// and counts then, waits for all who are let in.
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
		w.next.Store(w.tasks) // nobody begins another
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
