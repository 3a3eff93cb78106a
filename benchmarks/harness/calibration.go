package harness

import (
	"runtime"
	"slices"
	"sync"
	"time"
)

// Calibration tells how even the machine was: what a loop of additions takes that touches no memory. A figure of two workers
// says nothing where two loops at once take much longer than one, and a p99 nothing where the slowest loop takes much
// longer than the median one.
type Calibration struct {
	OneMS           float64 `json:"one_ms"`            // median, by itself
	TwoMS           float64 `json:"two_ms"`            // median of two at once
	ParallelSpeedup float64 `json:"parallel_speedup"`  // 2 with two processors of one's own, 1 with one
	WorstOverMedian float64 `json:"worst_over_median"` // of those by themselves
}

// Turns of a calibration: rounds of the loop and repetitions.
const (
	spinRounds      = 10_000_000
	spinRepetitions = 15
)

// Calibrate spins for about a quarter of a second.
func Calibrate() Calibration {
	one, two := make([]float64, spinRepetitions), make([]float64, spinRepetitions)
	for i := range spinRepetitions {
		one[i] = spinTime(1)
		two[i] = spinTime(2)
	}
	slices.Sort(one)
	slices.Sort(two)
	s := Calibration{OneMS: one[len(one)/2], TwoMS: two[len(two)/2]}
	s.ParallelSpeedup = 2 * s.OneMS / s.TwoMS
	s.WorstOverMedian = one[len(one)-1] / s.OneMS
	return s
}

// spinTime returns the milliseconds that so many loops take at once.
func spinTime(loops int) float64 {
	var all sync.WaitGroup
	start := time.Now()
	for range loops - 1 {
		all.Go(func() { runtime.KeepAlive(additions(spinRounds)) })
	}
	runtime.KeepAlive(additions(spinRounds))
	all.Wait()
	return milliseconds(time.Since(start))
}

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

//go:noinline
func additions(rounds int) (sum uint64) {
	for i := range uint64(rounds) {
		sum += sum<<1 ^ i
	}
	return sum
}

func (s *Calibration) Write(p *Printer) {
	p.Line("spin calibration: %.1f ms by itself, the slowest %.2f times that; two at once %.1f ms, a speedup of %.2f",
		s.OneMS, s.WorstOverMedian, s.TwoMS, s.ParallelSpeedup)
}
