package lod

import (
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
)

// bound is the radius of a tier with its hysteresis, as the bits of squared distances in square metres. The bits of
// floats that are not negative have the order of the floats, with NaN after all numbers, and integers compare without
// a branch.
type bound struct {
	enter int64 // an agent that is farther out comes in below this
	at    int64 // the radius itself
	leave int64 // an agent that is nearer goes out above this
}

// newBound returns the bound of a radius in metres; hysteresis is a part of it.
func newBound(radius, hysteresis float32) bound {
	square := func(r float64) int64 { return int64(math.Float32bits(float32(r * r))) }
	r, h := float64(radius), float64(hysteresis)
	return bound{enter: square(r * (1 - h)), at: square(r), leave: square(r * (1 + h))}
}

// initialDistanceTier returns the distance tier of an agent that has had none.
func (c *cadence) initialDistanceTier(d int64) int {
	tier := 0
	for _, b := range c.bounds {
		tier += 1 - lessBit(d, b.at)
	}
	return tier
}

// updateTiers updates the distance tiers and the tiers of all agents. It works in blocks, one step after the other,
// which keeps the loops small enough for the registers.
func (c *cadence) updateTiers() {
	c.demand = [MaxTiers]int{}
	for k := range c.chunks {
		lods, transforms := c.chunks[k].LODs, c.chunks[k].Transforms
		for start := 0; start < len(lods); start += len(c.distances2) {
			lods := lods[start:min(start+len(c.distances2), len(lods))]
			block := c.distances2[:len(lods)]
			if transforms == nil {
				clear(block)
			} else {
				nearestDistances2(block, transforms[start:], c.observers)
			}
			c.updateDistanceTiers(lods, block)
			if c.lastCapped >= 0 {
				c.countDemand(lods)
			} else {
				c.assignDesired(lods)
			}
		}
	}
	if c.lastCapped >= 0 {
		c.applyCaps()
	}
}

// updateDistanceTiers finds the distance tier of each agent. A known agent moves outwards when it is beyond a radius by
// the hysteresis, and inwards when it is within the radius by the hysteresis. It can cross several tiers at once.
func (c *cadence) updateDistanceTiers(lods []components.LOD, block []int64) {
	bounds := c.bounds
	for i, d := range block {
		l := &lods[i]
		c.closeDecision(l)
		if l.Flags&lodSeen == 0 {
			c.initTier(l, d)
			continue
		}
		outer, inner := 0, len(bounds)
		for n := range bounds {
			outer += lessBit(bounds[n].leave, d)
			inner -= lessBit(d, bounds[n].enter)
		}
		l.DistanceTier = uint8(min(max(int(l.DistanceTier), outer), inner))
	}
}

// initTier sets the distance tier of an agent that is not known yet.
func (c *cadence) initTier(l *components.LOD, d int64) {
	if l.Flags&lodflag.New == 0 {
		// A zero LOD is treated like one of NewLOD.
		l.Importance = components.NoImportance
		l.Flags |= lodflag.New
	}
	l.DistanceTier = uint8(c.initialDistanceTier(d))
}

// desiredTier returns the tier that an agent would have without caps.
func desiredTier(l *components.LOD) uint8 { return min(l.DistanceTier, l.Importance) }

// assignDesired puts agents into the tiers they desire.
func (c *cadence) assignDesired(lods []components.LOD) {
	for i := range lods {
		l := &lods[i]
		if tier := desiredTier(l); tier != l.Tier || l.Flags&lodSeen == 0 {
			c.assignTier(l, tier)
		}
	}
}

// assignTier puts an agent into a tier. An agent that becomes known waits from now on; one that leaves a frozen tier
// does too, unless it was woken before.
func (c *cadence) assignTier(l *components.LOD, tier uint8) {
	old := l.Tier & 7
	switch {
	case l.Flags&lodSeen == 0:
		l.Last, l.WaitingSince = c.state.Now, c.state.Frame
		l.Flags = l.Flags&lodWoken | lodSeen
		if !c.frozen[tier] {
			l.Flags |= lodFresh
		}
	case tier == old:
	case c.frozen[tier]:
		l.Flags &^= lodLate | lodflag.Promoted
		if l.Flags&lodWoken == 0 {
			l.Flags &^= lodFresh
		}
	case c.frozen[old]:
		// It waits from now on, unless an event woke it before.
		if l.Flags&(lodWoken|lodFresh) != lodWoken|lodFresh {
			l.WaitingSince = c.state.Frame
			l.Flags |= lodFresh
		}
	case c.period[tier] < c.period[old]:
		l.Flags |= lodflag.Promoted
	}
	l.Tier = tier
}

// admit assigns a tier to an agent that joined since the tiers were last updated. Where its tier is capped, it is
// listed as a newcomer.
func (c *cadence) admit(l *components.LOD, k, i int) {
	c.initTier(l, c.distance2(k, i))
	tier := desiredTier(l)
	if int(tier) > c.lastCapped {
		c.assignTier(l, tier)
		return
	}
	c.newcomers = append(c.newcomers,
		contender{key: uint64(tier), index: c.chunks[k].Entities[i].Index, row: c.chunkStarts[k] + uint32(i)})
}
