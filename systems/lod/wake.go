package lod

import "github.com/flockwork-ai/flockwork/components"

// wakeNow makes an agent due in the current frame, for a system that runs after the [System] and before those that
// serve due agents, such as perception. It returns true when the agent decides in this frame. It returns false when the
// budget of the frame is spent or the agent joined after the System ran: then the agent is woken for the next frame.
//
// Call it from one goroutine and in the order of entities, so that a budget is spent in the same order in every run.
func (c *cadence) wakeNow(l *components.LOD) bool {
	switch {
	case l.Due():
		return true
	case l.Flags&lodSeen == 0 || c.budget > 0 && c.budgetLeft == 0:
		l.Flags |= lodWoken
		return false
	}
	c.budgetLeft--
	l.Flags = l.Flags&^(lodWoken|lodLate) | lodDue
	c.stats.Woken++
	c.stats.TotalWoken++
	return true
}
