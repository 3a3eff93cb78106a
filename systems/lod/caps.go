package lod

import (
	"math"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
)

// countDemand counts the agents that desire each tier.
func (c *cadence) countDemand(lods []components.LOD) {
	for i := range lods {
		c.demand[desiredTier(&lods[i])&7]++
	}
}

// applyCaps assigns the tiers of all agents where tiers are capped. If a cap is reached, the agents that desire a
// capped tier, or a tier before the last capped one, are ordered by tier and compete for the places.
func (c *cadence) applyCaps() {
	var next [MaxTiers]int
	end, overflow, full := 0, 0, false
	for t := 0; t <= c.lastCapped; t++ {
		next[t] = end
		end += c.demand[t]
		competing := c.demand[t] + overflow
		overflow = max(0, competing-c.limit[t])
		full = full || overflow > 0
	}
	c.competitors = c.competitors[:end]
	for k := range c.chunks {
		lods := c.chunks[k].LODs
		for i := range lods {
			l := &lods[i]
			tier := desiredTier(l)
			if !full || int(tier) > c.lastCapped {
				c.assignTier(l, tier)
				continue
			}
			index, row := c.chunks[k].Entities[i].Index, c.chunkStarts[k]+uint32(i)
			c.competitors[next[tier]] = contender{index: index, row: row}
			next[tier]++
		}
	}
	if full {
		c.assignWithinCaps(c.competitors, &c.demand, &c.limit)
	}
}

// assignWithinCaps assigns agents to tiers with limits. The pool is ordered by the tier that agents demand. The agents
// that exceed a tier's limit end up right before those that demand the next tier, and compete with them.
func (c *cadence) assignWithinCaps(pool []contender, demand, limit *[MaxTiers]int) {
	start, end := 0, 0
	for t := range c.lastCapped + 1 {
		end += demand[t]
		competing := pool[start:end]
		places := min(len(competing), max(0, limit[t]))
		if places < len(competing) {
			for n := range competing {
				competing[n].key = c.capKey(competing[n].row, uint8(t))
			}
			selectFirst(competing, places)
		}
		c.assignTierAll(competing[:places], uint8(t))
		start += places
	}
	c.assignTierAll(pool[start:end], uint8(c.lastCapped+1))
}

// capKey ranks an agent that competes for a capped tier, lowest first: agents whose importance requires the tier, then
// those that are nearest. The distance of an agent that is in the tier or a nearer one is scaled down, so that two
// agents at about the same distance do not swap places in each update.
func (c *cadence) capKey(row uint32, tier uint8) uint64 {
	k, i := c.locate(row)
	l := &c.chunks[k].LODs[i]
	d := uint32(c.distance2(k, i))
	if l.Flags&lodSeen != 0 && l.Tier <= tier {
		d = math.Float32bits(math.Float32frombits(d) * c.incumbentFactor)
	}
	key := uint64(d)
	if l.Importance > tier {
		key |= 1 << 32
	}
	return key
}

// assignTierAll puts agents into a tier.
func (c *cadence) assignTierAll(agents []contender, tier uint8) {
	for _, a := range agents {
		k, i := c.locate(a.row)
		c.assignTier(&c.chunks[k].LODs[i], tier)
	}
}

// admitToCapped assigns newcomers to the free places of capped tiers. No agent loses its place to them before the next
// update of the tiers, and no cap is exceeded until then.
func (c *cadence) admitToCapped(frame uint32) {
	var free, demand [MaxTiers]int
	for t := range c.lastCapped + 1 {
		taken := c.woken[t] + c.late[t]
		for _, n := range c.waits[t][:c.bins] {
			taken += int(n)
		}
		free[t] = c.limit[t] - taken
	}
	slices.SortFunc(c.newcomers, contender.compare)
	for _, a := range c.newcomers {
		demand[a.key]++
	}
	c.assignWithinCaps(c.newcomers, &demand, &free)
	for _, a := range c.newcomers {
		k, i := c.locate(a.row)
		c.countAgent(&c.chunks[k].LODs[i], frame)
	}
}
