package executor

import (
	"math/bits"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/factcache"
)

// Columns are agents that are stored side by side, as in a world's archetypes.
type Columns struct {
	Chunks []Chunk
	Words  int // of a mind: 16, 32 or 64
}

// Chunk is the columns of some agents. Element i of each column belongs to the same agent.
type Chunk struct {
	Entities []components.Entity
	Minds    []uint32            // Columns.Words for each agent
	Intents  []components.Intent // for a program with Do leaves
}

// locate finds where the agents of the block are stored. Successive rows are read without a look-up for each.
func (x *Executor) locate() {
	b := x.block
	x.dense = false
	if b.Columns == nil || b.Mask == 0 {
		return
	}
	// Up to the last lane of the mask: the rows after it do not belong to the block.
	first, count := b.First, 64-bits.LeadingZeros64(b.Mask)
	if len(b.Rows) > 0 {
		ok := false
		if first, ok = factcache.Consecutive(b.Rows[:count:len(b.Rows)]); !ok {
			return
		}
	}
	x.dense = true
	x.stride = b.Columns.Words
	start, end := int(first.Row), int(first.Row)+count
	k := &b.Columns.Chunks[first.Chunk]
	x.minds = k.Minds[start*x.stride : end*x.stride]
	x.intents = nil
	if k.Intents != nil {
		x.intents = k.Intents[start:end]
	}
}

// word returns one word of the mind of a lane.
func (x *Executor) word(lane int, slot int32) *uint32 {
	if x.dense {
		return &x.minds[lane*x.stride+int(slot)]
	}
	return &x.scatteredMind(lane)[slot]
}

// mind returns the words of the mind of a lane.
func (x *Executor) mind(lane int) []uint32 {
	if x.dense {
		return x.minds[lane*x.stride : (lane+1)*x.stride]
	}
	return x.scatteredMind(lane)
}

// scatteredMind returns the mind of a lane of a block that is not dense.
func (x *Executor) scatteredMind(lane int) []uint32 {
	c := x.block.Columns
	if c == nil {
		return x.block.Minds[lane]
	}
	r := x.block.Rows[lane]
	return c.Chunks[r.Chunk].Minds[int(r.Row)*c.Words : (int(r.Row)+1)*c.Words]
}

// order returns the order of a channel of a lane.
func (x *Executor) order(lane int, channel components.Channel) *components.Order {
	if x.dense {
		return &x.intents[lane].Orders[channel]
	}
	return x.scatteredOrder(lane, channel)
}

// scatteredOrder returns the order of a lane of a block that is not dense.
func (x *Executor) scatteredOrder(lane int, channel components.Channel) *components.Order {
	c := x.block.Columns
	if c == nil {
		return &x.block.Intents[lane].Orders[channel]
	}
	r := x.block.Rows[lane]
	return &c.Chunks[r.Chunk].Intents[r.Row].Orders[channel]
}

// entityLane returns the entities of the block's agents, each in its lane.
func (x *Executor) entityLane() *[64]components.Entity {
	if !x.haveEntities {
		x.haveEntities = true
		for m := x.mask; m != 0; m &= m - 1 {
			i := bitmask.Lowest(m)
			x.entities[i] = x.block.Entity(i)
		}
	}
	return &x.entities
}

// require panics when the block lacks what the program needs. Agents in scattered rows are not examined: whoever lists
// rows has looked at their agents.
func (x *Executor) require() {
	b, p := x.block, x.program
	if b.Facts == nil && len(p.Facts) > 0 {
		panicMissing(p, "Facts")
	}
	if x.dense && p.HasDo && x.intents == nil {
		panicMissing(p, "Intents")
	}
	if b.Columns != nil {
		return
	}
	for m := x.mask; m != 0; m &= m - 1 {
		switch i := bitmask.Lowest(m); {
		case b.Minds[i] == nil:
			panicMissing(p, "Minds")
		case p.HasDo && b.Intents[i] == nil:
			panicMissing(p, "Intents")
		}
	}
}

func panicMissing(p *Program, field string) {
	panic("executor: Tick of tree \"" + p.Name + "\" by a Block without " + field + "; set them for each lane of Mask")
}
