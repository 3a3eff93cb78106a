package ai

import "github.com/flockwork-ai/flockwork/internal/executor"

// Stats are counts since the system was initialised.
type Stats struct {
	Decisions   int64 // agents ticked
	Transitions int64 // leaves entered and still running after the tick
	Nonfinite   int64 // floats that were NaN or infinite and read as their default
	Scored      int64 // choices of UtilitySelectors for which scores were computed
	Skipped     int64 // choices kept without scoring, since no fact had changed enough; see RescoreBeyond
	Switches    int64 // running choices that were replaced by another
	Failures    int64 // branches of choices that failed
}

// Stats returns the counts so far.
func (s *System) Stats() Stats { return s.stats }

// StartedByAction adds to dst, by action handle, how many orders were posted and triggers fired since the system was
// initialised.
func (s *System) StartedByAction(dst []int64) []int64 {
	return s.sum(dst, func(x *executor.Executor) []int64 { return x.Starts })
}

// RunningByAction adds to dst, by action handle, how many orders are posted and not ended. An order whose agent was
// removed, or whose mind was replaced, without the command queue stays counted.
func (s *System) RunningByAction(dst []int64) []int64 {
	return s.sum(dst, func(x *executor.Executor) []int64 { return x.Active })
}

func (s *System) sum(dst []int64, of func(*executor.Executor) []int64) []int64 {
	for _, w := range s.workers {
		for i, n := range of(w.executor) {
			for len(dst) <= i {
				dst = append(dst, 0)
			}
			dst[i] += n
		}
	}
	return dst
}
