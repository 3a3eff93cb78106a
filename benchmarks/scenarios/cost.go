package scenarios

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/ecs"
	"github.com/flockwork-ai/flockwork/internal/process"
	"github.com/flockwork-ai/flockwork/sim"
	"github.com/flockwork-ai/flockwork/systems/lod"
)

// Cost is the cost of the frames of a scenario. Times are nanoseconds.
type Cost struct {
	Scenario string             `json:"scenario"`     // its name
	Agents   int                `json:"agents"`       // alive at the start
	LOD      bool               `json:"lod"`          // false: every agent decides in every frame
	Frames   int                `json:"frames"`       // measured
	P50      float64            `json:"frame_ns_p50"` // the median
	P99      float64            `json:"frame_ns_p99"` // of fewer than 100 frames the longest
	PerAgent float64            `json:"ns_per_agent"` // of the median frame
	Stages   map[string]float64 `json:"stage_ns"`     // medians

	Decisions float64 `json:"decisions_per_frame"` // mean of the measured frames
	Allocs    float64 `json:"allocs_per_frame"`    // mean of the measured frames

	HeapBytes float64 `json:"heap_bytes_per_agent"` // live heap of the scenario, map and grid included
	RSS       int64   `json:"rss_bytes"`            // resident memory of the process at the end
}

// Measure runs a scenario and measures a number of frames. settle is the number of frames before these, in which the
// agents' behaviour becomes mixed.
//
// An error is one of the configuration.
func Measure(chosen sim.Scenario, agents int, lod bool, settle, frames int) (*Cost, error) {
	debug.FreeOSMemory()
	before := heapInUse()
	c := sim.DefaultConfig(chosen)
	c.Agents, c.LOD = agents, lod
	s, err := sim.NewSimulation(c)
	if err != nil {
		return nil, fmt.Errorf("benchmarks: %w", err)
	}
	defer s.Close()
	w := NewStopwatch(s, frames)
	w.Settle(settle)
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	mallocs, decisions := stats.Mallocs, decisionsOf(s)
	w.Run(frames)
	runtime.ReadMemStats(&stats)
	n := float64(frames)
	h := &Cost{
		Scenario: chosen.Name, Agents: agents, LOD: lod, Frames: frames,
		P50: harness.Quantile(w.Frames, 0.5), P99: harness.Quantile(w.Frames, 0.99), Stages: w.StageMedians(),
		Decisions: float64(decisionsOf(s)-decisions) / n, Allocs: float64(stats.Mallocs-mallocs) / n,
	}
	h.PerAgent = h.P50 / float64(agents)
	h.HeapBytes = float64(heapInUse()-before) / float64(agents)
	h.RSS = process.ResidentMemory()
	return h, nil
}

// decisionsOf returns the number of decisions so far.
func decisionsOf(s *sim.Simulation) int64 {
	stats := ecs.Resource[lod.Cadence](s.World(), "benchmarks").Stats()
	return stats.TotalScheduled + stats.TotalWoken
}

// heapInUse returns the bytes of live objects.
func heapInUse() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
