package benchmarks

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/flockwork-ai/flockwork/sim"
)

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
		residentBytes: residentMemory(),
		Small:         small, Large: large, Frames: frames,
		SmallNS: quantile(times, 0.5) / float64(small), LargeNS: quantile(b.frames, 0.5) / float64(large),
		SmallP99: quantile(times, 0.99), LargeP99: quantile(b.frames, 0.99),
	}, nil
}

func (s *Scaling) write(p *printer) {
	p.line("The siege at two sizes, the same %d frames of each, in turn: ns per agent of the median frame", s.Frames)
	p.line("  %9d agents %8.1f", s.Small, s.SmallNS)
	p.line("  %9d agents %8.1f   (p99 of its frames %.1f ms)", s.Large, s.LargeNS, s.LargeP99/1e6)
}
