package lod

// Stats counts what the LOD system does: in the last frame, and since the start. A decision is scheduled when the
// cadence calls for it, in time or late, and woken when an event does.
//
// Overdue is how long an agent that is due has waited beyond the period of its tier, be it served or cut by the
// budget. An agent that came to a faster tier since its last decision is measured by the slowest tier's period.
type Stats struct {
	Agents    [MaxTiers]int // by tier
	Scheduled int           // decisions
	Woken     int           // decisions
	Late      int           // agents that were due and cut by the budget
	Expected  float64       // decisions the cadence calls for: the sum over tiers of agents not woken, over period
	Overdue   float64       // the longest, milliseconds of nominal frame time

	Frames         int
	TotalScheduled int64
	TotalWoken     int64
	TotalLate      int64   // agents times frames
	MaxScheduled   int     // in a frame
	MaxOverdue     float64 // milliseconds
	Flatness       float64 // greatest ratio of Scheduled to Expected of a frame after the first second
}

// MeanScheduled returns the scheduled decisions of a frame on average.
func (s *Stats) MeanScheduled() float64 {
	if s.Frames == 0 {
		return 0
	}
	return float64(s.TotalScheduled) / float64(s.Frames)
}

// report completes the counters of a frame.
func (c *Cadence) report() {
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
