package systems

import (
	"math"
	"slices"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
)

// bound is a radius, as squared distances in square metres by their bits: those of floats that are not negative are
// ordered as integers are, NaN after all numbers, and integers compare without a branch.
type bound struct{ enter, at, leave int64 }

func newBound(radius, hysteresis float32) bound {
	square := func(r float64) int64 { return int64(math.Float32bits(float32(r * r))) }
	r, h := float64(radius), float64(hysteresis)
	return bound{enter: square(r * (1 - h)), at: square(r), leave: square(r * (1 + h))}
}

// below is 1 when x < y, else 0.
func below(x, y int64) int { return int(uint64(x-y) >> 63) }

// firstRing returns the ring of an agent that has been in none.
func (c *Cadence) firstRing(d int64) int {
	ring := 0
	for _, b := range c.bounds {
		ring += 1 - below(d, b.at)
	}
	return ring
}

// squared returns the bits of a squared distance. A position that is not a number is infinitely far.
func squared(a, b components.Vec2) int64 {
	dx, dy := a.X-b.X, a.Y-b.Y
	return min(int64(math.Float32bits(float32(dx*dx)+float32(dy*dy))), infinity)
}

const infinity = 0x7f800000 // bits of +Inf

// distance returns the bits of an agent's squared distance to its nearest observer, 0 without observers.
func (c *Cadence) distance(k, i int) int64 {
	var d [1]int64
	if places := c.chunks[k].Places; places != nil {
		distances(d[:], places[i:], c.observers)
	}
	return d[0]
}

// place is the pass over distances: rings and tiers of all agents. It goes by blocks, step by step, which keeps the
// loops small enough for the registers.
func (c *Cadence) place() {
	c.wanted = [MaxLODTiers]int{}
	for k := range c.chunks {
		lods, places := c.chunks[k].LODs, c.chunks[k].Places
		for start := 0; start < len(lods); start += len(c.block) {
			lods := lods[start:min(start+len(c.block), len(lods))]
			block := c.block[:len(lods)]
			if places == nil {
				clear(block)
			} else {
				distances(block, places[start:], c.observers)
			}
			c.rings(lods, block)
			c.assign(lods)
		}
	}
	if c.lastCapped < 0 {
		return
	}

	// The agents that want a capped tier or one before it are laid out by tier, if a cap is reached at all.
	var next [MaxLODTiers]int
	end, overflow, full := 0, 0, false
	for t := 0; t <= c.lastCapped; t++ {
		next[t] = end
		end += c.wanted[t]
		pool := c.wanted[t] + overflow
		overflow = max(0, pool-c.limit[t])
		full = full || overflow > 0
	}
	c.rank = c.rank[:end]
	for k := range c.chunks {
		lods := c.chunks[k].LODs
		for i := range lods {
			l := &lods[i]
			want := want(l)
			if !full || int(want) > c.lastCapped {
				c.move(l, want)
				continue
			}
			c.rank[next[want]] = candidate{index: c.chunks[k].Entities[i].Index, row: c.starts[k] + uint32(i)}
			next[want]++
		}
	}
	if full {
		c.seat(c.rank, &c.wanted, &c.limit)
	}
}

// distances writes the bits of the squared distances from places to their nearest observers.
func distances(block []int64, places []components.Transform, observers []components.Vec2) {
	places = places[:len(block)]
	for n, o := range observers {
		if n == 0 {
			for i := range block {
				block[i] = squared(places[i].Position, o)
			}
			continue
		}
		for i := range block {
			block[i] = min(block[i], squared(places[i].Position, o))
		}
	}
	if len(observers) == 0 {
		clear(block)
	}
}

// rings finds the ring of each agent. One that is known goes outwards past a radius only beyond its band and inwards
// only within it, any number of rings at once.
func (c *Cadence) rings(lods []components.LOD, block []int64) {
	bounds := c.bounds
	for i, d := range block {
		l := &lods[i]
		c.served(l)
		if l.Flags&lodSeen == 0 {
			c.meet(l, d)
			continue
		}
		outer, inner := 0, len(bounds)
		for n := range bounds {
			outer += below(bounds[n].leave, d)
			inner -= below(d, bounds[n].enter)
		}
		l.Ring = uint8(min(max(int(l.Ring), outer), inner))
	}
}

// assign moves the agents to the tiers they want, or counts them where tiers are capped.
func (c *Cadence) assign(lods []components.LOD) {
	if c.lastCapped >= 0 {
		for i := range lods {
			c.wanted[want(&lods[i])&7]++
		}
		return
	}
	for i := range lods {
		l := &lods[i]
		if want := want(l); want != l.Tier || l.Flags&lodSeen == 0 {
			c.move(l, want)
		}
	}
}

// meet finds the ring of an agent that is not known yet.
func (c *Cadence) meet(l *components.LOD, d int64) {
	if l.Flags&lodflag.New == 0 {
		// The zero value, which was not made by NewLOD.
		l.Importance = components.NoImportance
		l.Flags |= lodflag.New
	}
	l.Ring = uint8(c.firstRing(d))
}

// want returns the tier an agent would have if there were no caps.
func want(l *components.LOD) uint8 { return min(l.Ring, l.Importance) }

// seat moves agents to their tiers within limits. The pool holds, tier by tier, those who want each one: what a tier
// cannot take stands right before those who want the next, and joins them.
func (c *Cadence) seat(pool []candidate, wanted, limit *[MaxLODTiers]int) {
	start, end := 0, 0
	for t := range c.lastCapped + 1 {
		end += wanted[t]
		claimants := pool[start:end]
		seats := min(len(claimants), max(0, limit[t]))
		if seats < len(claimants) {
			for n := range claimants {
				claimants[n].key = c.claim(claimants[n].row, uint8(t))
			}
			selectFirst(claimants, seats)
		}
		c.moveAll(claimants[:seats], uint8(t))
		start += seats
	}
	c.moveAll(pool[start:end], uint8(c.lastCapped+1))
}

// claim returns the rank of an agent's claim to a seat, the lowest first: the important before others, then by
// distance, in which those who sat there or better are favoured.
func (c *Cadence) claim(row uint32, tier uint8) uint64 {
	k, i := c.locate(row)
	l := &c.chunks[k].LODs[i]
	d := uint32(c.distance(k, i))
	if l.Flags&lodSeen != 0 && l.Tier <= tier {
		d = math.Float32bits(math.Float32frombits(d) * c.incumbent)
	}
	key := uint64(d)
	if l.Importance > tier {
		key |= 1 << 32
	}
	return key
}

func (c *Cadence) moveAll(agents []candidate, tier uint8) {
	for _, a := range agents {
		k, i := c.locate(a.row)
		c.move(&c.chunks[k].LODs[i], tier)
	}
}

// move puts an agent into a tier.
func (c *Cadence) move(l *components.LOD, tier uint8) {
	was := l.Tier & 7
	switch {
	case l.Flags&lodSeen == 0:
		l.Last, l.WaitingSince = c.last.Now, c.last.Frame
		l.Flags = l.Flags&lodWoken | lodSeen
		if !c.frozen[tier] {
			l.Flags |= lodFresh
		}
	case tier == was:
	case c.frozen[tier]:
		l.Flags &^= lodLate | lodflag.Promoted
		if l.Flags&lodWoken == 0 {
			l.Flags &^= lodFresh
		}
	case c.frozen[was]:
		// Unless an event woke it already, it begins to wait now.
		if l.Flags&(lodWoken|lodFresh) != lodWoken|lodFresh {
			l.WaitingSince = c.last.Frame
			l.Flags |= lodFresh
		}
	case c.period[tier] < c.period[was]:
		l.Flags |= lodflag.Promoted
	}
	l.Tier = tier
}

// welcome gives an agent that joined since the last pass over distances its tier, or, where tiers are capped, lists it
// as an arrival.
func (c *Cadence) welcome(l *components.LOD, k, i int) {
	c.meet(l, c.distance(k, i))
	tier := want(l)
	if int(tier) > c.lastCapped {
		c.move(l, tier)
		return
	}
	c.arrivals = append(c.arrivals,
		candidate{key: uint64(tier), index: c.chunks[k].Entities[i].Index, row: c.starts[k] + uint32(i)})
}

// seatArrivals gives newcomers the free seats of capped tiers. Nobody loses a seat to them before the next pass over
// distances, and no cap is passed before it either.
func (c *Cadence) seatArrivals(frame uint32) {
	var free, wanted [MaxLODTiers]int
	for t := range c.lastCapped + 1 {
		taken := c.woken[t] + c.late[t]
		for _, n := range c.waits[t][:c.bins] {
			taken += int(n)
		}
		free[t] = c.limit[t] - taken
	}
	slices.SortFunc(c.arrivals, candidate.compare)
	for _, a := range c.arrivals {
		wanted[a.key]++
	}
	c.seat(c.arrivals, &wanted, &free)
	for _, a := range c.arrivals {
		k, i := c.locate(a.row)
		c.tally(&c.chunks[k].LODs[i], frame)
	}
}
