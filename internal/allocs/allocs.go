// Package allocs checks in tests that code allocates nothing.
package allocs

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// None fails the test if a number of runs, after a first run that is not counted, allocate anything, and names the
// place. testing.AllocsPerRun would round rare allocations, such as those of a list that grows now and then, down to 0.
//
// Allocations of the runtime itself, such as a thread that it starts, are recognised by their stack and not counted.
// Nor are the records of waiting goroutines: the runtime keeps them for reuse, but a garbage collection, which this
// function causes, frees those that are not cached by a processor.
func None(t testing.TB, runs int, run func()) {
	t.Helper()
	run()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a garbage collection allocates, too
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

// allocated returns the number of allocations by place, as the profile has them, except those of the runtime itself.
func allocated() map[string]int64 {
	runtime.GC()
	runtime.GC() // the profile is that of the collection before the last
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

// outsideRuntime returns the calls of a stack, from the innermost that is not in the runtime. It returns "" if there is
// none, for the measurement itself and for the record of a waiting goroutine.
func outsideRuntime(stack []uintptr) string {
	var calls []string
	for frames := runtime.CallersFrames(stack); ; {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.Function, "/allocs.allocated") || frame.Function == "runtime.acquireSudog" {
			return ""
		}
		inside := strings.HasPrefix(frame.Function, "runtime.") ||
			strings.HasPrefix(frame.Function, "internal/runtime/")
		if !inside || len(calls) > 0 && more {
			calls = append(calls, fmt.Sprintf("%s:%d", frame.Function, frame.Line))
		}
		if !more {
			return strings.Join(calls, " < ")
		}
	}
}
