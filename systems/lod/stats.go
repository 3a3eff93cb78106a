package lod

// Stats counts decisions, in the last frame and since the start. A scheduled decision follows from the rate of the
// agent's tier, in time or late. A woken decision follows from an event.
//
// Overdue is the time that a due agent has waited beyond the period of its tier, whether it decides or exceeds the
// budget. An agent that moved to a faster tier since its last decision is measured by the period of the slowest tier.
type Stats struct {
	// Of the last frame.
	Agents    [MaxTiers]int // agents by tier, nearest first; tiers that do not exist have 0
	Scheduled int           // decisions that the rates of the tiers called for
	Woken     int           // decisions that events called for
	Late      int           // agents that were due and exceeded the budget
	Expected  float64       // sum over tiers of agents not woken, divided by the period in frames
	Overdue   float64       // longest of the due agents, milliseconds of nominal frame time

	// Since the start.
	Frames         int     // frames that have run
	TotalScheduled int64   // sum of Scheduled
	TotalWoken     int64   // sum of Woken
	TotalLate      int64   // sum of Late: agents times frames
	MaxScheduled   int     // greatest Scheduled
	MaxOverdue     float64 // greatest Overdue, milliseconds
	Flatness       float64 // greatest Scheduled/Expected of a frame after the first second; 0 before that
}

// MeanScheduled returns the scheduled decisions of a frame on average, 0 before the first frame.
func (s *Stats) MeanScheduled() float64 {
	if s.Frames == 0 {
		return 0
	}
	return float64(s.TotalScheduled) / float64(s.Frames)
}

// updateStats completes the counters of a frame.
func (c *cadence) updateStats() {
	s := &c.stats
	s.Agents = c.agents
	s.Expected = 0
	for t := range c.tiers {
		if !c.frozen[t] {
			s.Expected += float64(c.agents[t]-c.woken[t]) / float64(c.period[t])
		}
	}
	s.Overdue = float64(c.overdue) * 1000 / float64(c.fps)
	s.Frames++
	s.TotalScheduled += int64(s.Scheduled)
	s.TotalWoken += int64(s.Woken)
	s.TotalLate += int64(s.Late)
	s.MaxScheduled = max(s.MaxScheduled, s.Scheduled)
	s.MaxOverdue = max(s.MaxOverdue, s.Overdue)
	if s.Frames > c.fps && s.Expected > 0 {
		s.Flatness = max(s.Flatness, float64(s.Scheduled)/s.Expected)
	}
}
