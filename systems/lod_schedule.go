package systems

import (
	"fmt"
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
)

// LODChunk is a run of agents in columns of one length.
type LODChunk struct {
	Entities []components.Entity
	LODs     []components.LOD
	Places   []components.Transform // nil: these agents are near, wherever the observers are
}

// Cadence chooses the agents that decide in a frame. It is the LOD system without a world: it works on columns.
//
// Who is due follows an age quota. In each frame a tier of n agents may decide n/period times, the remainder being
// carried on as a debt, and those that have waited longest go first. The queue is the column of waits
// itself: agents may join, leave and change tier at any time, without phases that would have to be rebalanced, and
// none can starve. An agent that was woken is due beside the quota.
//
// All ties end in the entity's order, so the result depends neither on storage order nor on chunks.
type Cadence struct {
	fps    int
	every  uint32
	budget int
	names  []string

	// By tier. The last tier lies beyond the last radius.
	tiers      int
	period     [MaxLODTiers]uint32 // frames; that of the slowest thinking tier where frozen
	frozen     [MaxLODTiers]bool
	limit      [MaxLODTiers]int // agents
	lastCapped int              // -1: none
	bounds     []bound          // of the radii
	incumbent  float32          // factor on the squared distance of who has a seat already

	// Between frames.
	last  CadenceState
	room  int // what the last frame left of the budget
	stats LODStats

	// Within a frame.
	chunks    []LODChunk
	observers []components.Vec2
	starts    []uint32 // row at which each chunk starts
	bins      uint32   // waits of bins-1 frames and more share the last bin
	waits     [MaxLODTiers][maxBins]uint32
	agents    [MaxLODTiers]int
	woken     [MaxLODTiers]int
	late      [MaxLODTiers]int
	wanted    [MaxLODTiers]int    // by the tier that agents want, in the pass over distances
	threshold [MaxLODTiers]uint32 // wait, in bins, from which all go
	rest      [MaxLODTiers]int    // agents of the wait right below the threshold that go too
	look      [MaxLODTiers]uint32 // shortest wait that needs a closer look
	sure      [MaxLODTiers]uint32 // shortest wait that is due without one
	segment   [MaxLODTiers]int    // where those who compete for a tier's rest end in rank
	block     [256]int64          // squared distances
	arrivals  []candidate         // newcomers that compete for the free seats of capped tiers
	rank      []candidate         // those who compete for seats, later for the rests
	due       []candidate         // those who compete for the budget
	over      bool                // more agents are due than the budget serves
	overdue   int                 // longest wait of the due beyond their period, frames
}

// maxBins is the length of a tier's histogram of waits.
const maxBins = 1024

const (
	lodFresh = lodflag.Fresh
	lodWoken = lodflag.Woken
	lodLate  = lodflag.Late
	lodDue   = lodflag.Due
	lodSeen  = lodflag.Seen
)

// NewCadence returns the cadence of a configuration at a nominal number of frames a second.
func NewCadence(config LODConfig, fps int) (*Cadence, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	if fps <= 0 || fps > maxFPS {
		return nil, fmt.Errorf("systems: NewCadence at %d frames a second; use 1 to %d", fps, maxFPS)
	}
	config = config.withDefaults()
	c := &Cadence{fps: fps, every: uint32(config.Every), budget: config.Budget, lastCapped: -1}
	if config.Off {
		c.budget = 0
		c.add("every frame", 1, nil)
	} else {
		for i, t := range config.Tiers {
			period, err := periodOf(fps, t.Rate)
			if err != nil {
				return nil, fmt.Errorf("systems: LODConfig.Tiers[%d].Rate %w", i, err)
			}
			name := t.Name
			if name == "" {
				name = fmt.Sprintf("%g Hz", t.Rate)
			}
			c.add(name, period, t.Cap)
			c.bounds = append(c.bounds, newBound(t.Radius, config.Hysteresis))
		}
		if config.SlowLane > 0 {
			period, err := periodOf(fps, config.SlowLane)
			if err != nil {
				return nil, fmt.Errorf("systems: LODConfig.SlowLane %w", err)
			}
			c.add("slow lane", period, nil)
		} else {
			c.frozen[c.tiers] = true
			c.add("frozen", c.period[c.tiers-1], nil)
		}
	}
	keep := 1 - float64(config.Hysteresis)
	c.incumbent = float32(keep * keep)

	// Waits of more than a few periods are rare; the last bin keeps them in order by sorting.
	slowest := c.period[c.tiers-1]
	for c.bins = 64; c.bins < maxBins && c.bins < 4*slowest; c.bins *= 2 {
	}
	for t := range c.tiers {
		c.last.Debt[t] = c.period[t] - 1
	}
	// Whatever a component says, it may not lead out of these tables. A tier that does not exist is frozen until the
	// next pass over distances.
	for t := c.tiers; t < MaxLODTiers; t++ {
		c.period[t], c.frozen[t] = 1, true
		c.threshold[t], c.look[t], c.sure[t] = c.bins, math.MaxUint32, math.MaxUint32
	}
	return c, nil
}

func (c *Cadence) add(name string, period uint32, limit *int) {
	t := c.tiers
	c.names = append(c.names, name)
	c.period[t], c.limit[t] = period, math.MaxInt
	if limit != nil {
		c.limit[t], c.lastCapped = *limit, t
	}
	c.tiers++
}

// CadenceState is what a cadence knows between two frames beside what is in the agents' components.
type CadenceState struct {
	Frame   uint32               // the last one
	Now     components.Timestamp // its instant
	Debt    [MaxLODTiers]uint32  // by tier, decisions owed times period; less than the period
	Started bool
}

// State returns what a snapshot needs, with the components, to go on from the last frame.
func (c *Cadence) State() CadenceState { return c.last }

// SetState goes on from the frame that a state was taken after, with the columns of that moment.
func (c *Cadence) SetState(s CadenceState) {
	for t := range c.tiers {
		s.Debt[t] %= c.period[t] // holds already, unless the configuration is another
	}
	c.last = s
}

// TierNames returns the names of the tiers, nearest first. The last lies beyond the last radius.
func (c *Cadence) TierNames() []string { return append([]string(nil), c.names...) }

// Stats returns the counters, as of the last frame.
func (c *Cadence) Stats() LODStats { return c.stats }

// Frame sets [lodflag.Due] of the agents that decide in a frame and clears it from all others. The frame number
// goes up from call to call; now is the frame's instant. What the last frame chose counts as served.
//
// The columns need to hold during the call only. Nothing is allocated once the scratch space fits the
// herd.
func (c *Cadence) Frame(frame uint32, now components.Timestamp, chunks []LODChunk, observers []components.Vec2) {
	first := !c.last.Started
	if first {
		// Who is there at the start joined a frame ago.
		c.last.Started, c.last.Frame, c.last.Now = true, frame-1, max(0, now-components.Timestamp(1_000_000_000/c.fps))
	}
	c.begin(chunks, observers)
	if first || frame%c.every == 0 {
		c.place()
	}
	c.count(frame)
	c.share()
	c.mark(frame)
	c.settle()
	c.report()
	c.last.Frame, c.last.Now = frame, now
	c.chunks, c.observers = nil, nil
}

// WakeNow makes an agent due in the frame that is under way, for a system that runs after the LOD system and before
// those that serve the due. It reports whether it did: where a budget is set and used up, or when the agent is not yet
// known, the agent is woken for the next frame instead. Call it on the goroutine that owns the world, in entity order.
func (c *Cadence) WakeNow(l *components.LOD) bool {
	switch {
	case l.Due():
		return true
	case l.Flags&lodSeen == 0 || c.budget > 0 && c.room == 0:
		l.Wake()
		return false
	}
	c.room--
	l.Flags = l.Flags&^(lodWoken|lodLate) | lodDue
	c.stats.Woken++
	c.stats.TotalWoken++
	return true
}

// LongestWait returns the most frames that any agent that thinks or was woken has waited for a decision, after
// the decisions of the last frame, which the columns must be as of.
func (c *Cadence) LongestWait(chunks []LODChunk) int {
	longest := uint32(0)
	for _, chunk := range chunks {
		for i := range chunk.LODs {
			l := &chunk.LODs[i]
			if l.Flags&(lodSeen|lodDue) == lodSeen && (!c.frozen[l.Tier&7] || l.Flags&lodWoken != 0) {
				longest = max(longest, c.last.Frame-l.WaitingSince)
			}
		}
	}
	return int(longest)
}

// begin takes the columns and makes the scratch space fit.
func (c *Cadence) begin(chunks []LODChunk, observers []components.Vec2) {
	c.chunks, c.observers = chunks, observers
	c.starts = c.starts[:0]
	rows := 0
	for i := range chunks {
		k := &chunks[i]
		if len(k.LODs) != len(k.Entities) || k.Places != nil && len(k.Places) != len(k.Entities) {
			panic(fmt.Sprintf("systems: Cadence.Frame: chunk %d has columns of %d entities, %d LODs and %d places", i,
				len(k.Entities), len(k.LODs), len(k.Places)))
		}
		c.starts = append(c.starts, uint32(rows))
		rows += len(k.LODs)
	}
	c.rank = sized(c.rank, rows)[:0]
	if c.budget > 0 {
		c.due = sized(c.due, rows)[:0]
	}
	for t := range c.tiers {
		clear(c.waits[t][:c.bins])
	}
	c.agents, c.woken, c.late = [MaxLODTiers]int{}, [MaxLODTiers]int{}, [MaxLODTiers]int{}
	c.arrivals = c.arrivals[:0]
	c.stats.Scheduled, c.stats.Woken, c.stats.Late, c.overdue = 0, 0, 0, 0
}

// count is the first pass over the column: it closes the last frame's decisions, admits newcomers and counts the calm
// agents, who are neither woken nor late, by tier and wait.
func (c *Cadence) count(frame uint32) {
	last := c.bins - 1
	waits := &c.waits
	for k := range c.chunks {
		lods := c.chunks[k].LODs
		for i := range lods {
			l := &lods[i]
			if l.Flags&^lodDue == lodSeen {
				if l.Flags != lodSeen {
					c.served(l)
				}
				waits[l.Tier&7][lesser(frame-l.WaitingSince, last)&(maxBins-1)]++
				continue
			}
			c.served(l)
			if l.Flags&lodSeen == 0 {
				c.welcome(l, k, i)
				if l.Flags&lodSeen == 0 {
					continue // waits for a seat
				}
			}
			c.tally(l, frame)
		}
	}
	if len(c.arrivals) > 0 {
		c.seatArrivals(frame)
	}
}

// lesser is min without a branch, which here would be taken at random.
func lesser(x, y uint32) uint32 {
	d := int64(x) - int64(y)
	return uint32(int64(y) + d&(d>>63))
}

// served closes a decision of the last frame.
func (c *Cadence) served(l *components.LOD) {
	if l.Flags&lodDue != 0 {
		l.Last, l.WaitingSince = c.last.Now, c.last.Frame
		l.Flags &^= lodDue | lodFresh | lodflag.Promoted
	}
}

// tally counts an agent in its tier.
func (c *Cadence) tally(l *components.LOD, frame uint32) {
	t := l.Tier & 7
	switch {
	case l.Flags&lodWoken != 0:
		if c.frozen[t] && l.Flags&lodFresh == 0 {
			// It was not waiting for anything: it does since now.
			l.WaitingSince = c.last.Frame
			l.Flags |= lodFresh
		}
		c.woken[t]++
	case l.Flags&lodLate != 0:
		c.late[t]++
	default:
		c.waits[t][min(c.wait(l, frame), c.bins-1)&(maxBins-1)]++
	}
}

// wait returns the frames an agent has waited, with a newcomer's head start.
func (c *Cadence) wait(l *components.LOD, frame uint32) uint32 {
	wait := frame - l.WaitingSince
	if l.Flags&lodFresh != 0 {
		wait += c.period[l.Tier&7]
	}
	return wait
}

// share turns counts into quotas, and a quota into the wait from which all agents of the tier go and the rest
// of those who wait a frame less.
func (c *Cadence) share() {
	total, end := 0, 0
	for t := range c.tiers {
		c.threshold[t], c.rest[t], c.segment[t] = c.bins, 0, end
		c.look[t], c.sure[t] = math.MaxUint32, math.MaxUint32
		waits := c.waits[t][:c.bins]
		calm := uint32(0)
		for _, n := range waits {
			calm += n
		}
		c.agents[t] = int(calm) + c.woken[t] + c.late[t]
		total += c.woken[t] + c.late[t]
		if c.frozen[t] {
			continue
		}
		period := c.period[t]
		if c.agents[t] == 0 {
			c.last.Debt[t] = period - 1 // its first agent decides at once
			continue
		}
		owed := uint64(c.last.Debt[t]) + uint64(calm)
		quota := uint32(owed / uint64(period))
		c.last.Debt[t] = uint32(owed % uint64(period))
		if quota == 0 {
			continue
		}
		total += int(quota)
		// The debt is less than the period, so the quota is at most the number of the calm and the walk ends.
		bin := c.bins
		for ; quota > 0 && waits[bin-1] <= quota; bin-- {
			quota -= waits[bin-1]
		}
		c.threshold[t], c.look[t] = bin, bin
		if bin < c.bins {
			c.sure[t] = bin
		}
		if quota > 0 {
			c.rest[t] = int(quota)
			c.look[t] = bin - 1
			end += int(waits[bin-1])
		}
	}
	c.rank, c.due = c.rank[:end], c.due[:0]
	c.over = c.budget > 0 && total > c.budget
	c.room = max(0, c.budget-total)
	if c.over {
		for t := range c.sure {
			c.sure[t] = math.MaxUint32
		}
	}
}

// mark is the second pass over the column: it finds the agents that are due.
func (c *Cadence) mark(frame uint32) {
	look, sure := &c.look, &c.sure
	scheduled, overdue := 0, 0
	for k := range c.chunks {
		lods := c.chunks[k].LODs
		for i := range lods {
			l := &lods[i]
			if l.Flags == lodSeen {
				wait, t := frame-l.WaitingSince, l.Tier&7
				if wait < look[t] {
					continue
				}
				if wait >= sure[t] {
					l.Flags |= lodDue
					scheduled++
					overdue = max(overdue, int(wait)-int(c.period[t]))
					continue
				}
			}
			c.consider(l, k, i, frame)
		}
	}
	c.stats.Scheduled += scheduled
	c.overdue = max(c.overdue, overdue)
	start := 0
	for t := range c.tiers {
		if c.rest[t] > 0 {
			class := c.rank[start:c.segment[t]]
			selectFirst(class, c.rest[t])
			for _, winner := range class[:c.rest[t]] {
				k, i := c.locate(winner.row)
				c.choose(&c.chunks[k].LODs[i], winner.row, winner.index, frame)
			}
		}
		start = c.segment[t]
	}
}

// consider finds out whether an agent is due, or a candidate for its tier's rest.
func (c *Cadence) consider(l *components.LOD, k, i int, frame uint32) {
	row, index := c.starts[k]+uint32(i), c.chunks[k].Entities[i].Index
	if l.Flags&(lodWoken|lodLate) == 0 {
		t := l.Tier & 7
		wait := c.wait(l, frame)
		bin := min(wait, c.bins-1)
		if bin < c.threshold[t] {
			if c.rest[t] > 0 && bin == c.threshold[t]-1 {
				c.rank[c.segment[t]] = candidate{key: uint64(^wait), index: index, row: row}
				c.segment[t]++
			}
			return
		}
	}
	c.choose(l, row, index, frame)
}

// choose lets an agent decide, or compete for the budget.
func (c *Cadence) choose(l *components.LOD, row, index, frame uint32) {
	c.overdue = max(c.overdue, c.overdueBy(l, frame))
	if !c.over {
		c.decide(l)
		return
	}
	t := l.Tier & 7
	periods := uint64(c.wait(l, frame))
	if l.Flags&lodWoken != 0 {
		periods += 2 * uint64(c.period[t])
	}
	// Two different fractions with denominators below 2¹⁶ are more than 2⁻³² apart, so rounding down to that grid keeps
	// them apart and in order, and equal ones equal.
	c.due = append(c.due, candidate{key: ^(periods << 32 / uint64(c.period[t])), index: index, row: row})
}

func (c *Cadence) decide(l *components.LOD) {
	if l.Flags&lodWoken != 0 {
		c.stats.Woken++
	} else {
		c.stats.Scheduled++
	}
	l.Flags = l.Flags&^(lodWoken|lodLate) | lodDue
}

// settle applies the budget.
func (c *Cadence) settle() {
	if !c.over {
		return
	}
	selectFirst(c.due, c.budget)
	for n, candidate := range c.due {
		k, i := c.locate(candidate.row)
		l := &c.chunks[k].LODs[i]
		if n < c.budget {
			c.decide(l)
			continue
		}
		c.stats.Late++
		if !c.frozen[l.Tier&7] {
			l.Flags |= lodLate
		}
	}
}

// overdueBy returns the frames an agent has waited beyond the period it is entitled to. One that came to a faster tier
// meanwhile is measured by the slowest, and one that is frozen too.
func (c *Cadence) overdueBy(l *components.LOD, frame uint32) int {
	period := c.period[l.Tier&7]
	if l.Flags&lodflag.Promoted != 0 {
		period = c.period[c.tiers-1]
	}
	return int(frame-l.WaitingSince) - int(period)
}

// locate returns the chunk of a row and the place in it.
func (c *Cadence) locate(row uint32) (chunk, i int) {
	low, high := 0, len(c.starts)
	for high-low > 1 {
		middle := int(uint(low+high) / 2)
		if c.starts[middle] <= row {
			low = middle
		} else {
			high = middle
		}
	}
	return low, int(row - c.starts[low])
}
