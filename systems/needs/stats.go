package needs

import "github.com/flockwork-ai/flockwork/components"

// Stats counts what agents did since Initialize.
type Stats struct {
	Time    [components.Activities]components.Timestamp // nanoseconds of each activity, summed over all agents
	Walking components.Timestamp                        // nanoseconds of the idle time with a pending move order
	Begun   [components.Activities]int64                // how often each activity began
	Refused int64                                       // claims on places that were full, of another kind or too far
	Starved int64                                       // how often hunger was full for Rates.StarveAfter
}

// Stats returns the counters since Initialize.
func (s *System) Stats() Stats {
	var sum Stats
	for i := range s.perWorker {
		w := &s.perWorker[i].stats
		for a := range w.Time {
			sum.Time[a] += w.Time[a]
			sum.Begun[a] += w.Begun[a]
		}
		sum.Walking += w.Walking
		sum.Refused += w.Refused
		sum.Starved += w.Starved
	}
	return sum
}
