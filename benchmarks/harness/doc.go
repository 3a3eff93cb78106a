// Package harness measures contestants and writes results.
//
// A [Contestant] is one way to decide for a crowd of agents. [Compare] measures contestants in interleaved repetitions:
// in each repetition every contestant runs once, in an order that [Order] draws, after a garbage collection and a few
// ticks that fill the caches. A repetition counts with its median tick, and a contestant with the median of its
// repetitions; see [Cost]. [Comparison.SetRatio] divides the medians of two contestants.
//
//   - Measuring: [Compare], [Comparison], [Cost], [Order], [Quantile].
//   - Conditions of a run: [ThisMachine], [Calibrate].
//   - Writing results as text and JSON: [Print], [WriteJSON], [PrepareDirectory], [WriteFiles].
//   - Arguments and constants: [RequirePositive], [Must].
package harness
