package lod

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
)

// markDue is the second pass over the LOD column. It finds the agents that are due.
func (c *cadence) markDue(frame uint32) {
	examineFrom, dueFrom := &c.examineFrom, &c.dueFrom
	scheduled, overdue := 0, 0
	for k := range c.chunks {
		lods := c.chunks[k].LODs
		for i := range lods {
			l := &lods[i]
			if l.Flags == lodSeen {
				wait, t := frame-l.WaitingSince, l.Tier&7
				if wait < examineFrom[t] {
					continue
				}
				if wait >= dueFrom[t] {
					l.Flags |= lodDue
					scheduled++
					overdue = max(overdue, int(wait)-int(c.period[t]))
					continue
				}
			}
			c.checkDue(l, k, i, frame)
		}
	}
	c.stats.Scheduled += scheduled
	c.overdue = max(c.overdue, overdue)
	start := 0
	for t := range c.tiers {
		if c.remainder[t] > 0 {
			tied := c.competitors[start:c.remainderEnd[t]]
			selectFirst(tied, c.remainder[t])
			for _, winner := range tied[:c.remainder[t]] {
				k, i := c.locate(winner.row)
				c.schedule(&c.chunks[k].LODs[i], winner.row, winner.index, frame)
			}
		}
		start = c.remainderEnd[t]
	}
}

// checkDue handles an agent that the fast path of markDue cannot decide: it schedules it, lists it for the remainder of
// its tier's quota, or leaves it waiting.
func (c *cadence) checkDue(l *components.LOD, k, i int, frame uint32) {
	row, index := c.chunkStarts[k]+uint32(i), c.chunks[k].Entities[i].Index
	if l.Flags&(lodWoken|lodLate) == 0 {
		t := l.Tier & 7
		wait := c.wait(l, frame)
		bin := min(wait, c.bins-1)
		if bin < c.threshold[t] {
			if c.remainder[t] > 0 && bin == c.threshold[t]-1 {
				c.competitors[c.remainderEnd[t]] = contender{key: uint64(^wait), index: index, row: row}
				c.remainderEnd[t]++
			}
			return
		}
	}
	c.schedule(l, row, index, frame)
}

// schedule makes an agent due, or lists it for the budget when more agents are due than the budget allows.
func (c *cadence) schedule(l *components.LOD, row, index, frame uint32) {
	c.overdue = max(c.overdue, c.overdueBy(l, frame))
	if !c.overBudget {
		c.setDue(l)
		return
	}
	// The key is the wait in periods of the tier. A woken agent counts as two periods more overdue.
	t := l.Tier & 7
	periods := uint64(c.wait(l, frame))
	if l.Flags&lodWoken != 0 {
		periods += 2 * uint64(c.period[t])
	}
	// Two different fractions with denominators below 2¹⁶ differ by more than 2⁻³², so rounding down to multiples of
	// 2⁻³² preserves their order, and equal fractions stay equal.
	key := ^(periods << 32 / uint64(c.period[t]))
	c.budgetQueue = append(c.budgetQueue, contender{key: key, index: index, row: row})
}

// setDue marks an agent as due in this frame.
func (c *cadence) setDue(l *components.LOD) {
	if l.Flags&lodWoken != 0 {
		c.stats.Woken++
	} else {
		c.stats.Scheduled++
	}
	l.Flags = l.Flags&^(lodWoken|lodLate) | lodDue
}

// overdueBy returns the frames an agent has waited beyond its period. An agent that moved to a faster tier since its
// last decision is measured by the period of the slowest tier, and so is one in a frozen tier.
func (c *cadence) overdueBy(l *components.LOD, frame uint32) int {
	period := c.period[l.Tier&7]
	if l.Flags&lodflag.Promoted != 0 {
		period = c.period[c.tiers-1]
	}
	return int(frame-l.WaitingSince) - int(period)
}
