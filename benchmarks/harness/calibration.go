package harness

import (
	"runtime"
	"slices"
	"sync"
	"time"
)

// Calibration tells how steady the machine was: the times of a loop of additions that touches no memory. Where two
// loops at once take much longer than one loop, a figure of two workers is meaningless. Where the slowest loop takes
// much longer than the median one, a p99 is meaningless.
type Calibration struct {
	OneMS           float64 `json:"one_ms"`            // median time of one loop, in milliseconds
	TwoMS           float64 `json:"two_ms"`            // median time of two loops at once, in milliseconds
	ParallelSpeedup float64 `json:"parallel_speedup"`  // 2 where both loops had a processor, 1 where they shared one
	WorstOverMedian float64 `json:"worst_over_median"` // of the single loops
}

const (
	calibrationRounds      = 10_000_000 // of the loop
	calibrationRepetitions = 15
)

// Calibrate runs the loops for about a quarter of a second.
func Calibrate() Calibration {
	one, two := make([]float64, calibrationRepetitions), make([]float64, calibrationRepetitions)
	for i := range calibrationRepetitions {
		one[i] = loopTime(1)
		two[i] = loopTime(2)
	}
	slices.Sort(one)
	slices.Sort(two)
	c := Calibration{OneMS: one[len(one)/2], TwoMS: two[len(two)/2]}
	c.ParallelSpeedup = 2 * c.OneMS / c.TwoMS
	c.WorstOverMedian = one[len(one)-1] / c.OneMS
	return c
}

// Write writes the calibration as one line.
func (c *Calibration) Write(p *Printer) {
	p.Line("spin calibration: %.1f ms by itself, the slowest %.2f times that; two at once %.1f ms, a speedup of %.2f",
		c.OneMS, c.WorstOverMedian, c.TwoMS, c.ParallelSpeedup)
}

// loopTime returns how many milliseconds a number of concurrent loops take.
func loopTime(loops int) float64 {
	var all sync.WaitGroup
	start := time.Now()
	for range loops - 1 {
		all.Go(func() { runtime.KeepAlive(additionLoop(calibrationRounds)) })
	}
	runtime.KeepAlive(additionLoop(calibrationRounds))
	all.Wait()
	return milliseconds(time.Since(start))
}

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

//go:noinline
func additionLoop(rounds int) (sum uint64) {
	for i := range uint64(rounds) {
		sum += sum<<1 ^ i
	}
	return sum
}
