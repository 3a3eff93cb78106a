package lod

// applyBudget marks the most overdue agents as due, up to the budget, and the others as late. A late agent is due in
// addition to the quota until it decides. An agent in a frozen tier stays woken instead.
func (c *cadence) applyBudget() {
	if !c.overBudget {
		return
	}
	selectFirst(c.budgetQueue, c.budget)
	for n, contender := range c.budgetQueue {
		k, i := c.locate(contender.row)
		l := &c.chunks[k].LODs[i]
		if n < c.budget {
			c.setDue(l)
			continue
		}
		c.stats.Late++
		if !c.frozen[l.Tier&7] {
			l.Flags |= lodLate
		}
	}
}
