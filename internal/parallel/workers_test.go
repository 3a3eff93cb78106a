package parallel

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flockwork-ai/flockwork/internal/allocs"
)

func startWorkers(t testing.TB, count int) *Workers {
	p := NewWorkers(count)
	t.Cleanup(p.Close)
	return p
}

// panicOf returns what f panics with.
func panicOf(f func()) (reason any) {
	defer func() { reason = recover() }()
	f()
	return nil
}

func TestEachTaskRunsOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		for _, tasks := range []int{0, 1, 2, 7, 8, 9, 1000} {
			t.Run(fmt.Sprintf("%d workers %d tasks", workers, tasks), func(t *testing.T) {
				p := startWorkers(t, workers)
				require.Equal(t, workers, p.Count())
				runs := make([]int, tasks)
				scratch := make([]int, workers) // unguarded: the race detector sees a worker used twice at once
				for range 3 {
					p.Run(tasks, func(worker, task int) {
						runs[task]++
						scratch[worker]++
					})
				}
				total := 0
				for _, n := range scratch {
					total += n
				}
				assert.Equal(t, 3*tasks, total)
				for task, n := range runs {
					require.Equal(t, 3, n, "task %d", task)
				}
			})
		}
	}
}

func TestOneWorkerIsTheCallerAndGoesInOrder(t *testing.T) {
	p := startWorkers(t, 1)
	assert.Empty(t, p.helpers, "it has no goroutine")
	var order []int
	p.Run(4, func(worker, task int) {
		assert.Zero(t, worker)
		order = append(order, task)
	})
	assert.Equal(t, []int{0, 1, 2, 3}, order)
}

func TestWorkersRunAtOnce(t *testing.T) {
	p := startWorkers(t, 3)
	var meeting atomic.Int32
	everyone := make(chan struct{})
	// No task returns before three of them are running.
	p.Run(3, func(int, int) {
		if meeting.Add(1) == 3 {
			close(everyone)
		}
		<-everyone
	})
	assert.EqualValues(t, 3, meeting.Load())
}

func TestPanicOfATaskIsRaisedInTheCaller(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		p := startWorkers(t, workers)
		for range 20 {
			reason := panicOf(func() {
				p.Run(100, func(_, task int) {
					if task == 13 {
						panic("the thirteenth guest")
					}
				})
			})
			// Whatever the number of workers it is the same kind of panic.
			raised := &TaskPanic{}
			require.ErrorAs(t, reason.(error), &raised)
			require.Equal(t, 13, raised.Task)
			require.Equal(t, "the thirteenth guest", raised.Value)
			require.Nil(t, raised.Unwrap())
		}
		done := atomic.Int32{}
		p.Run(10, func(int, int) { done.Add(1) })
		assert.EqualValues(t, 10, done.Load(), "the pool still works")
	}
}

// Two tasks panic, and in both orders: one of them waits until the panic of the other has been noted.
func TestOfSeveralPanicsThatOfTheLowestTaskIsRaised(t *testing.T) {
	p := startWorkers(t, 2)
	noted := func() bool {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		return p.failed != nil
	}
	for last := range 2 {
		var met atomic.Int32
		reason := panicOf(func() {
			p.Run(2, func(_, task int) {
				for met.Add(1); met.Load() < 2; { // no task panics before the other has begun
					runtime.Gosched()
				}
				for task == last && !noted() {
					runtime.Gosched()
				}
				panic(task)
			})
		})
		raised := &TaskPanic{}
		require.ErrorAs(t, reason.(error), &raised)
		assert.Equal(t, 0, raised.Task, "task %d panicked last", last)
		assert.Equal(t, 0, raised.Value)
	}
}

func TestPanicNamesTheTaskAndItsStack(t *testing.T) {
	for workers := range 2 {
		p := startWorkers(t, workers+1)
		var empty []int
		reason := panicOf(func() { p.Run(2, func(_, task int) { empty[task] = 1 }) }).(error)
		assert.Regexp(t, `^parallel: task [01] of Workers.Run: `+
			`runtime error: index out of range \[[01]\] with length 0\n\n(.|\n)*workers_test.go`, reason.Error())
		var inner runtime.Error
		assert.ErrorAs(t, reason, &inner, "the panic of the task can be told")
	}
}

func TestAPanicLeavesOutTheTasksThatHadNotBegun(t *testing.T) {
	const tasks = 10_000
	p := startWorkers(t, 2)
	var begun atomic.Int32
	panicOf(func() {
		p.Run(tasks, func(_, task int) {
			begun.Add(1)
			if task == 0 {
				panic("stop")
			}
			time.Sleep(time.Millisecond)
		})
	})
	assert.Less(t, begun.Load(), int32(tasks))
}

func TestTaskThatEndsItsGoroutineIsReported(t *testing.T) {
	p := startWorkers(t, 2)
	helper := make(chan struct{})
	reason := panicOf(func() {
		p.Run(2, func(worker, _ int) {
			if worker == 0 {
				<-helper // leave the other task to the helper
				return
			}
			defer close(helper)
			runtime.Goexit()
		})
	})
	assert.Regexp(t, `^parallel: task [01] of Workers.Run ended its goroutine$`, reason)
	bothWorkersRun(t, p)
}

func TestCallerThatEndsInATaskLeavesThePoolInOrder(t *testing.T) {
	p := startWorkers(t, 2)
	var helperDone atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		helping := make(chan struct{})
		p.Run(2, func(worker, _ int) {
			if worker == 0 {
				<-helping
				runtime.Goexit() // as t.FailNow does
			}
			close(helping)
			time.Sleep(10 * time.Millisecond)
			helperDone.Store(true)
		})
	}()
	<-ended
	assert.True(t, helperDone.Load(), "it waits for the helpers first")
	bothWorkersRun(t, p)
}

// bothWorkersRun shows that a pool of two has both its workers.
func bothWorkersRun(t *testing.T, p *Workers) {
	t.Helper()
	var meeting atomic.Int32
	everyone := make(chan struct{})
	p.Run(2, func(int, int) {
		if meeting.Add(1) == 2 {
			close(everyone)
		}
		<-everyone
	})
}

func TestRunRefuses(t *testing.T) {
	for _, workers := range []int{1, 2} {
		p := NewWorkers(workers)
		nested := panicOf(func() { p.Run(2, func(int, int) { p.Run(1, func(int, int) {}) }) }).(error)
		assert.ErrorContains(t, nested, "parallel: Workers.Run called during another Run")
		p.Close()
		p.Close()
		assert.Equal(t, "parallel: Workers.Run after Close", panicOf(func() { p.Run(1, func(int, int) {}) }))
	}
	assert.Equal(t, "parallel: a pool of 0 workers; use 1 or more", panicOf(func() { NewWorkers(0) }))
}

func TestCloseEndsTheGoroutines(t *testing.T) {
	// The bubble fails the test when a goroutine that was started in it is left waiting.
	synctest.Test(t, func(*testing.T) {
		p := NewWorkers(9)
		p.Run(100, func(int, int) {})
		p.Close()
	})
}

func TestRunAllocatesNothing(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		p := startWorkers(t, workers)
		sums := make([]int, 64)
		f := func(_, task int) { sums[task]++ }
		allocs.None(t, 200, func() { p.Run(len(sums), f) })
	}
}

func BenchmarkRun(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			p := startWorkers(b, workers)
			f := func(int, int) {}
			for range b.N {
				p.Run(16, f)
			}
		})
	}
}
