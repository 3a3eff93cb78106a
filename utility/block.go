package utility

import (
	"fmt"
	"math/bits"

	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// Block is up to 64 agents that decide by one evaluator together, without a tree: bit i of a mask is lane i. The caller
// fills it; the scorer writes choices and memory, and nothing else.
type Block struct {
	Mask     uint64 // the lanes that decide; holes are allowed
	Entities [64]components.Entity
	Choices  [64]*components.Choice
	Memory   [64][]uint32         // for an evaluator with a Memory: that many words each, the agents' own; nil: none
	Facts    Source               // for an evaluator that reads facts
	Seed     uint64               // of the world: a key of every draw
	Now      components.Timestamp // the clock all lanes share
	Worker   int                  // handed to inputs of the user's own
	User     any                  // handed to inputs of the user's own
}

// Tick lets the block's agents decide once. The choices in force count as it, with their time, and are replaced.
func (s *Scorer) Tick(e *Evaluator, b *Block) {
	if b.Mask == 0 {
		return
	}
	s.hostBlock(e, b)
	d := &s.decision
	d.Mask = b.Mask
	ranOut := s.load(d, b)
	if e.rescores {
		remember := s.rememberers(b)
		stand := d.Held &^ ranOut & remember
		stand &^= s.Moved(stand, &b.Memory)
		s.Spared += int64(bits.OnesCount64(stand))
		if d.Mask &^= stand; d.Mask == 0 {
			return
		}
		s.Remember(d.Mask&remember, &b.Memory)
	}
	s.draws(d, b)
	s.Decide(d)
	for m := d.Mask &^ d.Held; m != 0; m &= m - 1 {
		*b.Choices[bits.TrailingZeros64(m)&63] = components.Choice{}
	}
	for m := d.Changed; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & 63
		*b.Choices[i] = components.Choice{
			Action: uint16(d.Action[i]) + 1, Target: d.Target[i], Since: b.Now, Committed: e.commitment > 0,
		}
	}
}

// rememberers returns the lanes that have memory; those without are scored every time.
func (s *Scorer) rememberers(b *Block) (lanes uint64) {
	for m := b.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & 63
		if n := len(b.Memory[i]); n >= s.e.memory {
			lanes |= 1 << i
		} else if n > 0 {
			panic(fmt.Sprintf("utility: evaluator %q needs a memory of %d words, and lane %d has one of %d", s.e.name, s.e.memory, i, n))
		}
	}
	return lanes
}

// hostBlock readies the scorer for a block without a tree.
func (s *Scorer) hostBlock(e *Evaluator, b *Block) {
	s.facts.Begin(b.Facts, len(e.facts), b.Now)
	s.Begin(e, Host{Facts: &s.facts, Mask: b.Mask, Entities: &b.Entities, Now: b.Now, Worker: b.Worker, User: b.User})
}

// load reads the choices in force and returns the lanes whose commitment has run out since the last decision.
func (s *Scorer) load(d *Decision, b *Block) (ranOut uint64) {
	d.Held, d.Committed = 0, 0
	for m := d.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & 63
		c := b.Choices[i]
		if c.Action == 0 || int(c.Action) > len(s.e.actions) {
			continue
		}
		d.Held |= 1 << i
		d.Action[i], d.Target[i] = uint8(c.Action-1), c.Target
		if c.Committed {
			if int64(b.Now-c.Since) < s.e.commitment*1000 {
				d.Committed |= 1 << i
			} else {
				c.Committed = false
				ranOut |= 1 << i
			}
		}
	}
	return ranOut
}

// draws fills in what the random modes draw from: a function of the world's seed, the agent, the clock and the evaluator.
func (s *Scorer) draws(d *Decision, b *Block) {
	if s.e.mode == argmax {
		return
	}
	for m := d.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m) & 63
		e := b.Entities[i]
		h := random.Mix(b.Seed, uint64(e.Generation)<<32|uint64(e.Index))
		d.Draws[i] = random.Mix(random.Mix(h, uint64(b.Now)), s.e.hash)
	}
}

// Draws reports whether the evaluator draws its choices.
func (e *Evaluator) Draws() bool { return e.mode != argmax }

// Commitment returns for how many microseconds a choice is kept.
func (e *Evaluator) Commitment() int64 { return e.commitment }

// Rescores reports whether the evaluator scores a running choice again only when something has moved.
func (e *Evaluator) Rescores() bool { return e.rescores }

// Custom reports whether the evaluator has inputs of the user's own.
func (e *Evaluator) Custom() bool {
	for i := range e.inputs {
		if e.inputs[i].custom != nil {
			return true
		}
	}
	return false
}
