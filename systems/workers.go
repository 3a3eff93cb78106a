package systems

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Workers is a pool of goroutines that are kept for the run's life. Worker 0 is the caller of
// [Workers.Run], the others wait for it between runs.
type Workers struct {
	wake    []chan struct{} // one for each goroutine; worker i has wake[i-1]
	task    func(worker, task int)
	tasks   int64
	next    atomic.Int64 // the first task that nobody has taken
	busy    atomic.Bool
	left    atomic.Int32 // helpers that are at work
	closing sync.Once
	closed  bool

	mutex  sync.Mutex
	failed string // message of the panic of the lowest task
	at     int    // that task
}

// NewWorkers starts a pool of count workers, the caller being one of them.
//
// Panics when count is not positive.
func NewWorkers(count int) *Workers {
	if count < 1 {
		panic(fmt.Sprintf("systems: a pool of %d workers; use 1 or more", count))
	}
	p := &Workers{wake: make([]chan struct{}, count-1)}
	for i := range p.wake {
		p.wake[i] = make(chan struct{}, 1)
		go p.loop(i + 1)
	}
	if count > 1 {
		time.Sleep(time.Nanosecond) // in its first sleep a goroutine is given a timer, which no frame is to pay for
	}
	return p
}

// Count returns the number of workers.
func (p *Workers) Count() int { return len(p.wake) + 1 }

// Run calls f for each task in 0…tasks-1 and returns when all are done. Tasks are handed out in order to
// whichever worker is free, so what f does must not depend on the worker; it may use it to pick scratch
// memory. Make f once: a function literal that is passed here is allocated.
//
// A panic in a task is raised again here, with its message and stack, when all workers have stopped; tasks
// that had not begun are left out.
//
// Panics when called by a task, by two goroutines at once, or after Close.
func (p *Workers) Run(tasks int, f func(worker, task int)) {
	if tasks <= 0 {
		return
	}
	if !p.busy.CompareAndSwap(false, true) {
		panic("systems: Workers.Run called while another Run goes on")
	}
	if p.closed {
		p.busy.Store(false)
		panic("systems: Workers.Run after Close")
	}
	if len(p.wake) == 0 || tasks == 1 {
		p.inline(tasks, f)
		return
	}
	p.task, p.tasks = f, int64(tasks)
	p.next.Store(0)
	helpers := min(tasks-1, len(p.wake))
	p.left.Store(int32(helpers))
	for _, wake := range p.wake[:helpers] {
		wake <- struct{}{}
	}
	defer p.join()
	p.work(0)
}

// join waits for the helpers of a Run and raises what failed in it.
func (p *Workers) join() {
	// The helpers are at their last tasks, so they are met soonest by looking again. Nor is there a lock to wait for:
	// to sleep at one, the runtime may allocate.
	for looks := 0; p.left.Load() > 0; looks++ {
		if looks < joinLooks {
			runtime.Gosched()
		} else {
			time.Sleep(50 * time.Microsecond)
		}
	}
	failed := p.failed
	p.task, p.failed = nil, ""
	p.busy.Store(false)
	if failed != "" {
		panic(failed)
	}
}

// joinLooks is how often join looks for the helpers before it sleeps in between.
const joinLooks = 5000

func (p *Workers) inline(tasks int, f func(worker, task int)) {
	defer p.busy.Store(false)
	for i := range tasks {
		f(0, i)
	}
}

// Close ends the goroutines. It may be called more than once, but not during a Run.
func (p *Workers) Close() {
	p.closing.Do(func() {
		p.closed = true
		for _, wake := range p.wake {
			close(wake)
		}
	})
}

func (p *Workers) loop(worker int) {
	closed := false
	defer func() {
		if !closed { // a task ended this goroutine by runtime.Goexit, as t.FailNow does
			go p.loop(worker)
		}
	}()
	for range p.wake[worker-1] {
		p.help(worker)
	}
	closed = true
}

func (p *Workers) help(worker int) {
	defer p.left.Add(-1)
	p.work(worker)
}

// work takes tasks until none is left.
func (p *Workers) work(worker int) {
	task, done := -1, false
	defer func() {
		if done {
			return
		}
		p.next.Store(p.tasks) // nobody begins another
		if reason := recover(); reason != nil {
			p.fail(task, fmt.Sprintf("systems: task %d of Workers.Run: %v\n\n%s", task, reason, debug.Stack()))
		} else if worker != 0 {
			p.fail(task, fmt.Sprintf("systems: task %d of Workers.Run ended its goroutine", task))
		}
	}()
	for {
		next := p.next.Add(1) - 1
		if next >= p.tasks {
			done = true
			return
		}
		task = int(next)
		p.task(worker, task)
	}
}

func (p *Workers) fail(task int, message string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.failed == "" || task < p.at {
		p.failed, p.at = message, task
	}
}
