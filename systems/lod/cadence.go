package lod

import (
	"fmt"
	"math"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/lodflag"
	"github.com/flockwork-ai/flockwork/internal/scratch"
	"github.com/flockwork-ai/flockwork/systems/frame"
)

// chunk is a range of agents in columns of equal length.
type chunk struct {
	Entities   []components.Entity
	LODs       []components.LOD
	Transforms []components.Transform // nil: these agents are in the nearest tier
}

// cadence chooses the agents that decide in a frame. [System.Initialize] makes it.
//
// Each tier has a quota. In each frame a tier of n agents may decide n/period times, and the fraction is carried over
// as a debt. The agents that have waited longest decide first. The column of waits is the queue: agents join, leave and
// change tiers at any time without phases that would have to be rebalanced, and none starves. An agent that was woken
// is due in addition to the quota.
//
// Ties are resolved by the order of entities, so the result depends neither on storage order nor on chunks.
type cadence struct {
	fps    int
	every  uint32
	budget int
	names  []string

	// By tier. The last tier lies beyond the last radius.
	tiers           int
	period          [MaxTiers]uint32 // frames; of a frozen tier, that of the slowest tier that is not frozen
	frozen          [MaxTiers]bool
	limit           [MaxTiers]int // agents
	lastCapped      int           // -1: none
	bounds          []bound       // of the radii
	incumbentFactor float32       // factor on the squared distance of an agent that is in a capped tier

	// Between frames.
	state      cadenceState
	budgetLeft int // decisions that the last frame left of the budget
	stats      Stats

	// Within a frame.
	chunks       []chunk
	observers    []components.Vec2
	chunkStarts  []uint32 // row at which each chunk starts
	bins         uint32   // waits of bins-1 frames and more share the last bin
	waits        [MaxTiers][maxBins]uint32
	agents       [MaxTiers]int
	woken        [MaxTiers]int
	late         [MaxTiers]int
	demand       [MaxTiers]int    // agents by desired tier, while tiers are updated
	threshold    [MaxTiers]uint32 // wait, in bins, from which all agents decide
	remainder    [MaxTiers]int    // agents right below the threshold that decide too
	examineFrom  [MaxTiers]uint32 // shortest wait that checkDue has to examine
	dueFrom      [MaxTiers]uint32 // shortest wait that is due without examination
	remainderEnd [MaxTiers]int    // end of a tier's contenders for the remainder, in competitors
	distances2   [256]int64       // bits of squared distances, of a block
	newcomers    []contender      // agents that joined and compete for the free places of capped tiers
	competitors  []contender      // agents that compete for places in capped tiers, later for the remainders
	budgetQueue  []contender      // agents that compete for the budget
	overBudget   bool             // more agents are due than the budget allows
	overdue      int              // longest wait of a due agent beyond its period, frames
}

// maxBins is the length of a tier's histogram of waits, in frames.
const maxBins = 1024

const (
	lodFresh = lodflag.Fresh
	lodWoken = lodflag.Woken
	lodLate  = lodflag.Late
	lodDue   = lodflag.Due
	lodSeen  = lodflag.Seen
)

// newCadence returns the cadence of a configuration at a nominal number of frames a second.
func newCadence(config Config, fps int) (*cadence, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	if fps <= 0 || fps > frame.MaxFPS {
		return nil, fmt.Errorf("lod: a clock of %d frames a second; use 1 to %d", fps, frame.MaxFPS)
	}
	config = config.withDefaults()
	c := &cadence{fps: fps, every: uint32(config.Every), budget: config.Budget, lastCapped: -1}
	if config.Off {
		c.budget = 0
		c.addTier("every frame", 1, nil)
	} else {
		for i, t := range config.Tiers {
			period, err := periodOf(fps, t.Rate)
			if err != nil {
				return nil, fmt.Errorf("lod: Config.Tiers[%d].Rate %w", i, err)
			}
			name := t.Name
			if name == "" {
				name = fmt.Sprintf("%g Hz", t.Rate)
			}
			c.addTier(name, period, t.Cap)
			c.bounds = append(c.bounds, newBound(t.Radius, config.Hysteresis))
		}
		if config.SlowLane > 0 {
			period, err := periodOf(fps, config.SlowLane)
			if err != nil {
				return nil, fmt.Errorf("lod: Config.SlowLane %w", err)
			}
			c.addTier("slow lane", period, nil)
		} else {
			c.frozen[c.tiers] = true
			c.addTier("frozen", c.period[c.tiers-1], nil)
		}
	}
	keep := 1 - float64(config.Hysteresis)
	c.incumbentFactor = float32(keep * keep)

	// Waits of more than a few periods are rare; those in the last bin are ordered by sorting.
	slowest := c.period[c.tiers-1]
	for c.bins = 64; c.bins < maxBins && c.bins < 4*slowest; c.bins *= 2 {
	}
	for t := range c.tiers {
		c.state.Debt[t] = c.period[t] - 1
	}
	// A component may hold any tier number. A tier that does not exist is frozen until the next update of the tiers.
	for t := c.tiers; t < MaxTiers; t++ {
		c.period[t], c.frozen[t] = 1, true
		c.threshold[t], c.examineFrom[t], c.dueFrom[t] = c.bins, math.MaxUint32, math.MaxUint32
	}
	return c, nil
}

// addTier appends a tier that decides every period frames; a nil limit is none.
func (c *cadence) addTier(name string, period uint32, limit *int) {
	t := c.tiers
	c.names = append(c.names, name)
	c.period[t], c.limit[t] = period, math.MaxInt
	if limit != nil {
		c.limit[t], c.lastCapped = *limit, t
	}
	c.tiers++
}

// cadenceState is what a [cadence] keeps between two frames beside the agents' components. Save it together with the
// components, and a restored world continues with the same decisions.
type cadenceState struct {
	Frame   uint32               // number of the last frame
	Now     components.Timestamp // time of the last frame
	Debt    [MaxTiers]uint32     // by tier, decisions owed times period; less than the period
	Started bool                 // a frame has run
}

// State returns the state after the last frame.
func (c *cadence) State() cadenceState { return c.state }

// SetState continues from a state that [cadence.State] returned. The world must hold the components of that moment,
// and the configuration should be the same.
func (c *cadence) SetState(s cadenceState) {
	for t := range c.tiers {
		s.Debt[t] %= c.period[t] // holds already, unless the configuration is another
	}
	c.state = s
}

// TierNames returns the names of the tiers, nearest first. The last tier lies beyond the last radius. Indices are those
// of [Stats] Agents and of the Tier in [components.LOD].
func (c *cadence) TierNames() []string { return append([]string(nil), c.names...) }

// Stats returns the counters after the last frame.
func (c *cadence) Stats() Stats { return c.stats }

// runFrame sets [lodflag.Due] of the agents that decide in a frame and clears it from all others. The frame
// number increases by one from call to call; now is the frame's time. The agents that the last frame chose count as
// served.
//
// The chunks are not kept after the call. Nothing is allocated once the scratch memory fits the number of agents.
func (c *cadence) runFrame(frame uint32, now components.Timestamp, chunks []chunk, observers []components.Vec2) {
	first := !c.state.Started
	if first {
		// Agents that exist at the start joined one frame ago.
		nominal := components.Timestamp(1_000_000_000 / c.fps)
		c.state.Started, c.state.Frame, c.state.Now = true, frame-1, max(0, now-nominal)
	}
	c.begin(chunks, observers)
	if first || frame%c.every == 0 {
		c.updateTiers()
	}
	c.countWaits(frame)
	c.computeQuotas()
	c.markDue(frame)
	c.applyBudget()
	c.updateStats()
	c.state.Frame, c.state.Now = frame, now
	c.chunks, c.observers = nil, nil
}

// nextFrame returns the number of the next frame to run. The cadence continues its own count, since the clock's number,
// with which it begins, also counts frames in which no time passes.
func (c *cadence) nextFrame(clock uint32) uint32 {
	if c.state.Started {
		return c.state.Frame + 1
	}
	return clock
}

// skipFrame clears the counters of a frame, for one in which no time passes.
func (c *cadence) skipFrame() {
	s := &c.stats
	s.Scheduled, s.Woken, s.Late, s.Expected, s.Overdue = 0, 0, 0, 0, 0
}

// begin stores the chunks, sizes the scratch memory and resets the counters of a frame.
func (c *cadence) begin(chunks []chunk, observers []components.Vec2) {
	c.chunks, c.observers = chunks, observers
	c.chunkStarts = c.chunkStarts[:0]
	rows := 0
	for i := range chunks {
		k := &chunks[i]
		if len(k.LODs) != len(k.Entities) || k.Transforms != nil && len(k.Transforms) != len(k.Entities) {
			panic(fmt.Sprintf("lod: Cadence.runFrame: chunk %d has columns of %d entities, %d LODs and %d transforms",
				i, len(k.Entities), len(k.LODs), len(k.Transforms)))
		}
		c.chunkStarts = append(c.chunkStarts, uint32(rows))
		rows += len(k.LODs)
	}
	c.competitors = scratch.Sized(c.competitors, rows)[:0]
	if c.budget > 0 {
		c.budgetQueue = scratch.Sized(c.budgetQueue, rows)[:0]
	}
	for t := range c.tiers {
		clear(c.waits[t][:c.bins])
	}
	c.agents, c.woken, c.late = [MaxTiers]int{}, [MaxTiers]int{}, [MaxTiers]int{}
	c.newcomers = c.newcomers[:0]
	c.stats.Scheduled, c.stats.Woken, c.stats.Late, c.overdue = 0, 0, 0, 0
}

// locate returns the chunk of a row and the index in it.
func (c *cadence) locate(row uint32) (chunk, i int) {
	low, high := 0, len(c.chunkStarts)
	for high-low > 1 {
		middle := int(uint(low+high) / 2)
		if c.chunkStarts[middle] <= row {
			low = middle
		} else {
			high = middle
		}
	}
	return low, int(row - c.chunkStarts[low])
}
