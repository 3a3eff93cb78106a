package lod

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
)

// countWaits is the first pass over the LOD column. It closes the decisions of the last frame, admits agents that
// joined and counts the agents that are neither woken nor late, by tier and wait.
func (c *cadence) countWaits(frame uint32) {
	last := c.bins - 1
	waits := &c.waits
	for k := range c.chunks {
		lods := c.chunks[k].LODs
		for i := range lods {
			l := &lods[i]
			if l.Flags&^lodDue == lodSeen {
				if l.Flags != lodSeen {
					c.closeDecision(l)
				}
				waits[l.Tier&7][minBranchless(frame-l.WaitingSince, last)&(maxBins-1)]++
				continue
			}
			c.closeDecision(l)
			if l.Flags&lodSeen == 0 {
				c.admit(l, k, i)
				if l.Flags&lodSeen == 0 {
					continue // admitToCapped counts it
				}
			}
			c.countAgent(l, frame)
		}
	}
	if len(c.newcomers) > 0 {
		c.admitToCapped(frame)
	}
}

// minBranchless is min without a branch, which would be mispredicted here.
func minBranchless(x, y uint32) uint32 {
	d := int64(x) - int64(y)
	return uint32(int64(y) + d&(d>>63))
}

// closeDecision ends a decision of the last frame.
func (c *cadence) closeDecision(l *components.LOD) {
	if l.Flags&lodDue != 0 {
		l.Last, l.WaitingSince = c.state.Now, c.state.Frame
		l.Flags &^= lodDue | lodFresh | lodflag.Promoted
	}
}

// countAgent counts an agent in its tier.
func (c *cadence) countAgent(l *components.LOD, frame uint32) {
	t := l.Tier & 7
	switch {
	case l.Flags&lodWoken != 0:
		if c.frozen[t] && l.Flags&lodFresh == 0 {
			// In a frozen tier an agent does not wait for a decision until it is woken.
			l.WaitingSince = c.state.Frame
			l.Flags |= lodFresh
		}
		c.woken[t]++
	case l.Flags&lodLate != 0:
		c.late[t]++
	default:
		c.waits[t][min(c.wait(l, frame), c.bins-1)&(maxBins-1)]++
	}
}

// wait returns the frames an agent has waited. A fresh agent starts with one period.
func (c *cadence) wait(l *components.LOD, frame uint32) uint32 {
	wait := frame - l.WaitingSince
	if l.Flags&lodFresh != 0 {
		wait += c.period[l.Tier&7]
	}
	return wait
}

// computeQuotas turns the counts into the quota of each tier, and the quota into a wait: all agents of the tier that
// have waited as long decide, and the remainder of the quota goes to agents that have waited one frame less.
func (c *cadence) computeQuotas() {
	total, end := 0, 0
	for t := range c.tiers {
		c.threshold[t], c.remainder[t], c.remainderEnd[t] = c.bins, 0, end
		c.examineFrom[t], c.dueFrom[t] = math.MaxUint32, math.MaxUint32
		waits := c.waits[t][:c.bins]
		// Regular agents are neither woken nor late.
		regular := uint32(0)
		for _, n := range waits {
			regular += n
		}
		c.agents[t] = int(regular) + c.woken[t] + c.late[t]
		total += c.woken[t] + c.late[t]
		if c.frozen[t] {
			continue
		}
		period := c.period[t]
		if c.agents[t] == 0 {
			c.state.Debt[t] = period - 1 // its first agent decides at once
			continue
		}
		owed := uint64(c.state.Debt[t]) + uint64(regular)
		quota := uint32(owed / uint64(period))
		c.state.Debt[t] = uint32(owed % uint64(period))
		if quota == 0 {
			continue
		}
		total += int(quota)
		// The debt is less than the period, so the quota is at most the number of regular agents and the loop ends.
		bin := c.bins
		for ; quota > 0 && waits[bin-1] <= quota; bin-- {
			quota -= waits[bin-1]
		}
		c.threshold[t], c.examineFrom[t] = bin, bin
		if bin < c.bins {
			c.dueFrom[t] = bin
		}
		if quota > 0 {
			c.remainder[t] = int(quota)
			c.examineFrom[t] = bin - 1
			end += int(waits[bin-1])
		}
	}
	c.competitors, c.budgetQueue = c.competitors[:end], c.budgetQueue[:0]
	c.overBudget = c.budget > 0 && total > c.budget
	c.budgetLeft = max(0, c.budget-total)
	if c.overBudget {
		for t := range c.dueFrom {
			c.dueFrom[t] = math.MaxUint32
		}
	}
}
