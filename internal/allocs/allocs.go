// Package allocs holds what is said to allocate nothing to it, in tests.
package allocs

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// None fails unless a number of runs together, behind one that is not counted, allocate nothing at all, naming where it
// was. testing.AllocsPerRun would round a list that grows now and then down to 0.
//
// What the runtime allocates of its own accord, such as a thread that it starts, is told apart by its stack. So is the
// record of a goroutine that waits: the runtime keeps them, but a collection of garbage, of which this makes some,
// throws away those that are not on the list of a processor.
func None(t testing.TB, runs int, run func()) {
	t.Helper()
	run()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection allocates, too
	profiled := allocated()
	rate := runtime.MemProfileRate
	runtime.MemProfileRate = 1 // every allocation
	defer func() { runtime.MemProfileRate = rate }()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		run()
	}
	runtime.ReadMemStats(&after)
	if after.Mallocs == before.Mallocs {
		return
	}
	runtime.MemProfileRate = rate
	for place, count := range allocated() {
		if n := count - profiled[place]; n > 0 {
			t.Errorf("%d allocations in %d runs at %s", n, runs, place)
		}
	}
}

// allocated returns how much has been allocated as the profile knows it, by place, where that is not the runtime
// itself.
func allocated() map[string]int64 {
	runtime.GC()
	runtime.GC() // the profile is of the collection before the last
	var records []runtime.MemProfileRecord
	for n, ok := runtime.MemProfile(nil, true); !ok; {
		records = make([]runtime.MemProfileRecord, n+100)
		n, ok = runtime.MemProfile(records, true)
		records = records[:min(n, len(records))]
	}
	counts := map[string]int64{}
	for _, r := range records {
		if place := outsideRuntime(r.Stack()); place != "" {
			counts[place] += r.AllocObjects
		}
	}
	return counts
}

// outsideRuntime returns the calls of a stack, from the innermost that is not the runtime's; "" when there is none, or
// when it is of the measurement or a record of a goroutine that waits.
func outsideRuntime(stack []uintptr) string {
	var calls []string
	for frames := runtime.CallersFrames(stack); ; {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.Function, "/allocs.allocated") || frame.Function == "runtime.acquireSudog" {
			return ""
		}
		inside := strings.HasPrefix(frame.Function, "runtime.") || strings.HasPrefix(frame.Function, "internal/runtime/")
		if !inside || len(calls) > 0 && more {
			calls = append(calls, fmt.Sprintf("%s:%d", frame.Function, frame.Line))
		}
		if !more {
			return strings.Join(calls, " < ")
		}
	}
}
