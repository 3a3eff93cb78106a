package scoring

import (
	"fmt"
	"math/bits"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/bitmask"
	"github.com/flockwork-ai/flockwork/internal/cpu"
	"github.com/flockwork-ai/flockwork/internal/lane"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Block is up to 64 agents that decide by one evaluator together, without a tree: bit i of a mask is lane i. The caller
// fills it; the scorer writes choices and memory, and nothing else.
type Block struct {
	Mask     uint64                 // the lanes that decide; it may have holes
	Entities [64]components.Entity  // see Evaluator.NeedsEntities
	Choices  [64]*components.Choice // where the choices are, lane by lane; or else:
	Column   []components.Choice    // the choice of lane i is Column[i]; this is quicker
	Memory   [64][]uint32           // Evaluator.MemoryWords words of each agent; nil: the agent is scored every time
	Facts    blackboard.Source      // for an evaluator that reads facts
	Seed     uint64                 // of the world: a key of every draw
	Now      components.Timestamp   // the clock that all lanes share
	Worker   int                    // passed to custom inputs
	User     any                    // passed to custom inputs
}

// choice returns the choice of a lane.
func (b *Block) choice(lane int) *components.Choice {
	if b.Column != nil {
		return &b.Column[lane]
	}
	return b.Choices[lane]
}

// Tick lets the block's agents decide once. The choices that it finds are those in force; it replaces them.
//
// It panics when a lane that decides has no choice to replace, when the evaluator reads facts and the block has none,
// and when a memory is shorter than the evaluator's.
func (s *Scorer) Tick(e *Evaluator, b *Block) {
	if b.Mask == 0 {
		return
	}
	s.beginBlock(e, b)
	d := &s.decision
	d.Mask = b.Mask
	ranOut := s.load(d, b)
	if e.Rescores {
		remember := s.withMemory(b)
		unchanged := d.Held &^ ranOut & remember
		unchanged &^= s.Changed(unchanged, &b.Memory)
		s.Skipped += int64(bitmask.Count(unchanged))
		if d.Mask &^= unchanged; d.Mask == 0 {
			return
		}
		s.Remember(d.Mask&remember, &b.Memory)
	}
	s.draws(d, b)
	held, before := d.Held, d.Action
	s.Decide(d)
	rest := d.Mask
	if !s.targeted {
		rest &^= held & d.Held & lane.ByteEqualLane(&before, &d.Action) // nothing changes for these
	}
	for m := rest; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		c := b.choice(i)
		if d.Held>>i&1 == 0 {
			*c = components.Choice{}
		} else if action := uint16(d.Action[i]) + 1; c.Action != action || c.Target != d.Target[i] {
			// It differs from the choice in force, or there was none: then c has no action, or an unknown one.
			*c = components.Choice{Action: action, Target: d.Target[i], Since: b.Now, Committed: e.Commitment > 0}
		}
	}
}

// withMemory returns the lanes that have memory; the others are scored every time.
func (s *Scorer) withMemory(b *Block) (lanes uint64) {
	for m := b.Mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		if n := len(b.Memory[i]); n >= s.e.MemoryWords {
			lanes |= 1 << i
		} else if n > 0 {
			panic(fmt.Sprintf("utility: evaluator %q needs a memory of %d words, and lane %d has one of %d",
				s.e.Name, s.e.MemoryWords, i, n))
		}
	}
	return lanes
}

// beginBlock prepares the scorer for a block without a tree.
func (s *Scorer) beginBlock(e *Evaluator, b *Block) {
	if b.Facts == nil && len(e.Facts) > 0 {
		panic(fmt.Sprintf("utility: evaluator %q reads facts, and the block has no Facts", e.Name))
	}
	b.checkColumn()
	s.facts.Begin(b.Facts, len(e.Facts), b.Now)
	h := &s.host
	h.Facts, h.Index, h.Mask, h.Entities, h.Now = &s.facts, nil, b.Mask, &b.Entities, b.Now
	h.Worker, h.User = b.Worker, b.User
	s.begin(e)
}

func (b *Block) checkColumn() {
	if lanes := bits.Len64(b.Mask); b.Column != nil && lanes > len(b.Column) {
		panic(fmt.Sprintf("utility: lane %d of a block decides, and its Column has %d choices", lanes-1, len(b.Column)))
	}
}

// load reads the choices in force and returns the lanes whose commitment has run out since the last decision.
func (s *Scorer) load(d *Decision, b *Block) (ranOut uint64) {
	d.Committed = 0
	if b.Column == nil || d.Mask&(d.Mask+1) != 0 {
		return s.loadEach(d, b)
	}
	rows := b.Column[:s.count]
	held, committed, target := s.readColumn(rows, &d.Action)
	d.Held = held
	if s.targeted = target || len(s.e.Lists) > 0; s.targeted {
		for i := range rows {
			d.Target[i] = rows[i].Target
		}
	}
	if committed &= held; committed == 0 {
		return 0
	}
	return s.commitments(committed, d, b)
}

// readColumn returns the rows whose action is one of the evaluator's and the rows that are committed, and reports
// whether any row has a target. It writes the numbers of the actions.
func (s *Scorer) readColumn(rows []components.Choice, action *[64]uint8) (held, committed uint64, target bool) {
	actions := uint32(len(s.e.Actions))
	if cpu.Level != cpu.Go && len(rows) == 64 {
		targets := uint32(0)
		if cpu.Level == cpu.AVX512 {
			held, committed, targets = readColumnAVX512(&rows[0].Target.Index, action, actions)
		} else {
			held, committed, targets = readColumnAVX2(&rows[0].Target.Index, action, actions)
		}
		return held, committed, targets != 0
	}
	// A bit enters at the top, and the others move down.
	words := uint32(0)
	for i := range rows {
		c := &rows[i]
		number := uint32(c.Action) - 1
		action[i] = uint8(number)
		held = held>>1 | bitmask.Of(number < actions)<<63
		committed = committed>>1 | bitmask.Of(c.Committed)<<63
		words |= c.Target.Index | c.Target.Generation
	}
	above := uint(64-len(rows)) & 63
	return held >> above, committed >> above, words != 0
}

// loadEach is load for any mask, lane by lane.
func (s *Scorer) loadEach(d *Decision, b *Block) (ranOut uint64) {
	d.Held = 0
	committed := uint64(0)
	for m := d.Mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		c := b.choice(i)
		if c == nil {
			panic(fmt.Sprintf("utility: lane %d of a block decides, and has no choice in Choices or Column", i))
		}
		if c.Action == 0 || int(c.Action) > len(s.e.Actions) {
			continue
		}
		d.Held |= 1 << i
		committed |= bitmask.Of(c.Committed) << i
		d.Action[i], d.Target[i] = uint8(c.Action-1), c.Target
	}
	return s.commitments(committed, d, b)
}

// commitments sets the lanes of those that were committed whose commitment lasts, and returns the others.
func (s *Scorer) commitments(committed uint64, d *Decision, b *Block) (ranOut uint64) {
	for m := committed; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		c := b.choice(i)
		if int64(b.Now-c.Since) < s.e.Commitment*1000 {
			d.Committed |= 1 << i
		} else {
			c.Committed = false
			ranOut |= 1 << i
		}
	}
	return ranOut
}

// draws fills in what the random modes draw from: a function of the world's seed, the agent, the clock and the
// evaluator.
func (s *Scorer) draws(d *Decision, b *Block) {
	if s.e.Mode == Argmax {
		return
	}
	for m := d.Mask; m != 0; m &= m - 1 {
		i := bitmask.Lowest(m)
		e := b.Entities[i]
		h := random.Mix(b.Seed, uint64(e.Generation)<<32|uint64(e.Index))
		d.Draws[i] = random.Mix(random.Mix(h, uint64(b.Now)), s.e.Hash)
	}
}
