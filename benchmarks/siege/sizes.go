package siege

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/flockwork-ai/flockwork/benchmarks/harness"
	"github.com/flockwork-ai/flockwork/benchmarks/scenarios"
	"github.com/flockwork-ai/flockwork/internal/process"
	"github.com/flockwork-ai/flockwork/sim"
)

// Scaling is the cost of the siege per agent at two sizes.
type Scaling struct {
	Small    int     `json:"small_agents"`       // of the small siege
	Large    int     `json:"large_agents"`       // of the large siege
	Frames   int     `json:"frames"`             // measured of the large siege, and of each repetition of the small one
	SmallNS  float64 `json:"small_ns_per_agent"` // of the median frame
	LargeNS  float64 `json:"large_ns_per_agent"` // of the median frame
	SmallP99 float64 `json:"small_frame_ns_p99"` // a whole frame
	LargeP99 float64 `json:"large_frame_ns_p99"` // a whole frame

	ResidentBytes int64 `json:"-"` // of the process, while it holds the large siege
}

// CompareSizes measures the same frames of a small and of a large siege: in each repetition a few frames of the large
// siege and all frames of a new small one, in alternating order. settle is the number of frames before these.
//
// An error is one of the configuration.
func CompareSizes(small, large, settle, frames int) (*Scaling, error) {
	big, err := sim.NewSimulation(config(large))
	if err != nil {
		return nil, fmt.Errorf("benchmarks: %w", err)
	}
	defer big.Close()
	b := scenarios.NewStopwatch(big, frames)
	b.Settle(settle)
	var times []float64
	const share = 3 // frames of the large siege in a repetition
	for done := 0; done < frames; done += share {
		one, err := sim.NewSimulation(config(small))
		if err != nil {
			return nil, fmt.Errorf("benchmarks: %w", err)
		}
		w := scenarios.NewStopwatch(one, frames)
		w.Settle(settle)
		runtime.GC()
		if done%(2*share) == 0 {
			b.Run(min(share, frames-done))
			w.Run(frames)
		} else {
			w.Run(frames)
			b.Run(min(share, frames-done))
		}
		times = append(times, w.Frames...)
		one.Close()
	}
	debug.FreeOSMemory()
	return &Scaling{
		Small: small, Large: large, Frames: frames, ResidentBytes: process.ResidentMemory(),
		SmallNS:  harness.Quantile(times, 0.5) / float64(small),
		LargeNS:  harness.Quantile(b.Frames, 0.5) / float64(large),
		SmallP99: harness.Quantile(times, 0.99), LargeP99: harness.Quantile(b.Frames, 0.99),
	}, nil
}

// Write writes the costs as text.
func (s *Scaling) Write(p *harness.Printer) {
	p.Line("The siege at two sizes, the same %d frames of each, interleaved: ns per agent of the median frame",
		s.Frames)
	p.Line("  %9d agents %8.1f", s.Small, s.SmallNS)
	p.Line("  %9d agents %8.1f   (p99 of its frames %.1f ms)", s.Large, s.LargeNS, s.LargeP99/1e6)
}
