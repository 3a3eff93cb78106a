package combat

import (
	"math"
	"time"

	"github.com/flockwork-ai/flockwork/components"
)

// Stats are the counters of melee and shoot orders since Initialize.
type Stats struct {
	Strikes       int64 // strikes of melees; each landed
	Shots         int64 // shots fired, each for a round of ammunition
	Hits          int64 // shots that hit
	Granted       int64 // claims that were granted
	Refused       int64 // claims that were refused, as the target had MaxAttackers
	MostAttackers int   // the most claims on one target at a time; 255 or more count as 255
}

// Stats returns the counters since Initialize.
func (s *System) Stats() Stats { return s.attacks.total() }

// ShortestInterval returns the shortest time between two strikes or shots of one agent since Initialize; false when no
// agent with a Fighter did so twice.
func (s *System) ShortestInterval() (time.Duration, bool) {
	shortest, measured := components.Timestamp(math.MaxInt64), false
	for i := range s.perWorker {
		if w := &s.perWorker[i]; w.measured {
			shortest, measured = min(shortest, w.shortest), true
		}
	}
	if !measured {
		return 0, false
	}
	return time.Duration(shortest), true
}

// recordInterval records the time between two strikes or shots of one agent.
func (w *worker) recordInterval(last, now components.Timestamp) {
	if last == 0 {
		return
	}
	if d := now - last; !w.measured || d < w.shortest {
		w.shortest, w.measured = d, true
	}
}

// total returns the sum of the workers' counters.
func (a *attacks) total() Stats {
	sum := a.stats
	for i := range a.perWorker {
		w := &a.perWorker[i]
		sum.Strikes += w.strikes
		sum.Shots += w.shots
		sum.Hits += w.hits
	}
	return sum
}
