package benchmarks

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems"
)

// HerdCost is what the frames of a scenario cost.
type HerdCost struct {
	Scenario string             `json:"scenario"`
	Agents   int                `json:"agents"`
	LOD      bool               `json:"lod"`
	Frames   int                `json:"frames"` // measured
	P50      float64            `json:"frame_ns_p50"`
	P99      float64            `json:"frame_ns_p99"` // of less than 100 frames the longest
	PerAgent float64            `json:"ns_per_agent"` // of the median frame
	Stages   map[string]float64 `json:"stage_ns"`     // medians
	// Decisions and allocations are means over the measured frames.
	Decisions float64 `json:"decisions_per_frame"`
	Allocs    float64 `json:"allocs_per_frame"`
	// HeapBytes is all that the scenario holds, the map and the grid included, for each agent; RSS is what the process
	// has in memory at the end.
	HeapBytes float64 `json:"heap_bytes_per_agent"`
	RSS       int64   `json:"rss_bytes"`
}

// stopwatch times the frames of a simulation, and their stages.
type stopwatch struct {
	s      *sim.Simulation
	now    map[string]int64 // by stage, of this frame
	frames []float64        // nanoseconds
	stages map[string][]float64
}

// newStopwatch has room for a number of frames, so that it allocates nothing while it measures.
func newStopwatch(s *sim.Simulation, room int) *stopwatch {
	w := &stopwatch{s: s, now: map[string]int64{}, stages: map[string][]float64{}, frames: make([]float64, 0, room)}
	for _, stage := range sim.Stages() {
		w.now[stage] = 0
		w.stages[stage] = make([]float64, 0, room)
	}
	s.Observe(func(stage string, took time.Duration) { w.now[stage] += took.Nanoseconds() })
	return w
}

// settle lets frames pass that are not measured.
func (w *stopwatch) settle(frames int) {
	for range frames {
		w.s.Step()
	}
}

// run measures frames and returns their mean time in nanoseconds.
func (w *stopwatch) run(frames int) (mean float64) {
	for range frames {
		for stage := range w.now {
			w.now[stage] = 0
		}
		start := time.Now()
		w.s.Step()
		took := float64(time.Since(start).Nanoseconds())
		w.frames = append(w.frames, took)
		for stage, ns := range w.now {
			w.stages[stage] = append(w.stages[stage], float64(ns))
		}
		mean += took / float64(frames)
	}
	return mean
}

// stageMedians returns the median time of each stage.
func (w *stopwatch) stageMedians() map[string]float64 {
	medians := map[string]float64{}
	for stage, times := range w.stages {
		medians[stage] = quantile(times, 0.5)
	}
	return medians
}

// quantile returns the value that a share q of the values do not exceed.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}

// MeasureHerd runs a scenario and measures its frames when it has settled.
//
// An error is one of the configuration.
func MeasureHerd(scenario string, agents int, lod bool, settle, frames int) (*HerdCost, error) {
	debug.FreeOSMemory()
	before := heapInUse()
	c := sim.DefaultConfig()
	c.Scenario, c.Agents, c.LOD = scenario, agents, lod
	s, err := sim.NewSimulation(c)
	if err != nil {
		return nil, fmt.Errorf("benchmarks: %w", err)
	}
	defer s.Close()
	w := newStopwatch(s, frames)
	w.settle(settle)
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	mallocs, decisions := stats.Mallocs, decisionsOf(s)
	w.run(frames)
	runtime.ReadMemStats(&stats)
	n := float64(frames)
	h := &HerdCost{
		Scenario: scenario, Agents: agents, LOD: lod, Frames: frames,
		P50: quantile(w.frames, 0.5), P99: quantile(w.frames, 0.99), Stages: w.stageMedians(),
		Decisions: float64(decisionsOf(s)-decisions) / n, Allocs: float64(stats.Mallocs-mallocs) / n,
	}
	h.PerAgent = h.P50 / float64(agents)
	h.HeapBytes = float64(heapInUse()-before) / float64(agents)
	h.RSS = residentBytes()
	return h, nil
}

// decisionsOf counts the decisions of the cadence so far, which every scenario has.
func decisionsOf(s *sim.Simulation) int64 {
	stats := ecs.Resource[systems.Cadence](s.World, "benchmarks").Stats()
	return stats.TotalScheduled + stats.TotalWoken
}

// heapInUse returns the bytes of live objects.
func heapInUse() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// residentBytes returns what the process holds in memory, 0 where the system does not tell.
func residentBytes() int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if f := bytes.Fields(lines.Bytes()); len(f) == 3 && string(f[0]) == "VmRSS:" {
			kilobytes, _ := strconv.ParseInt(string(f[1]), 10, 64)
			return kilobytes * 1024
		}
	}
	return 0
}

// Scaling is the cost of the siege per agent, at ten thousand and at a hundred times as many.
type Scaling struct {
	Small    int     `json:"small_agents"`
	Large    int     `json:"large_agents"`
	Frames   int     `json:"frames"`             // measured of the large one, and of each repetition of the small one
	SmallNS  float64 `json:"small_ns_per_agent"` // of the median frame
	LargeNS  float64 `json:"large_ns_per_agent"`
	SmallP99 float64 `json:"small_frame_ns_p99"`
	LargeP99 float64 `json:"large_frame_ns_p99"`

	residentBytes int64 // of the process with little else than the large one
}

// CompareSizes measures the same frames of both, in turn: a few frames of the large siege, and all of a new small one,
// now the one first, now the other.
func CompareSizes(small, large, settle, frames int) (*Scaling, error) {
	big, err := sim.NewSimulation(siegeConfig(large))
	if err != nil {
		return nil, fmt.Errorf("benchmarks: %w", err)
	}
	defer big.Close()
	b := newStopwatch(big, frames)
	b.settle(settle)
	var times []float64
	const turn = 3 // frames of the large one
	for done := 0; done < frames; done += turn {
		one, err := sim.NewSimulation(siegeConfig(small))
		if err != nil {
			return nil, fmt.Errorf("benchmarks: %w", err)
		}
		w := newStopwatch(one, frames)
		w.settle(settle)
		runtime.GC()
		if done%(2*turn) == 0 {
			b.run(min(turn, frames-done))
			w.run(frames)
		} else {
			w.run(frames)
			b.run(min(turn, frames-done))
		}
		times = append(times, w.frames...)
		one.Close()
	}
	debug.FreeOSMemory()
	return &Scaling{
		residentBytes: residentBytes(),
		Small:         small, Large: large, Frames: frames,
		SmallNS: quantile(times, 0.5) / float64(small), LargeNS: quantile(b.frames, 0.5) / float64(large),
		SmallP99: quantile(times, 0.99), LargeP99: quantile(b.frames, 0.99),
	}, nil
}
