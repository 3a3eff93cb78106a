package aitree

import (
	"math"

	"github.com/flockwork-ai/flockwork/internal/executor"
)

// layOut gives every node that has state its words in the mind. State that cannot be active together shares words. What
// counts while its node is idle, such as a cooldown, has words of its own.
func (b *builder) layOut() error {
	p := b.program
	p.WideCursors = len(p.Nodes)+2 > math.MaxUint8
	for i := range p.Nodes {
		p.Parents = append(p.Parents, p.Nodes[i].Parent)
	}
	for _, l := range p.Leaves {
		n := &p.Nodes[l.Node]
		p.LeafNodes = append(p.LeafNodes, executor.LeafNode{
			Node: l.Node, Action: n.Action, Channel: n.Channel, IsDo: n.Op == executor.OpDo,
			FollowsFacts: n.FollowsFacts, HasHook: l.Enter != nil || l.Exit != nil,
		})
	}
	next := int32(executor.HeaderWords)
	for i := range p.Nodes {
		if n := &p.Nodes[i]; idleWords(n.Op) > 0 {
			n.Slot = next
			next += idleWords(n.Op)
		}
	}
	for i := range p.UtilityNodes {
		k := &p.UtilityNodes[i]
		if k.Remember {
			p.Nodes[k.Node].Slot = next
			next += k.Words
		}
		k.BackOffSlot = next
		next += k.BackOffWords()
	}
	p.Words = int(b.place(0, next))
	if p.Words > executor.MaxWords {
		return b.errorf("the tree needs %d bytes of state; the largest mind has %d: split it, or use fewer cooldowns, "+
			"timers, Parallels and evaluators that remember what they read",
			p.Words*4, executor.MaxWords*4)
	}
	b.strands(0, executor.Strand{Word: 1})
	for n := range p.Nodes {
		if !p.ValidCursor(0, n+1) {
			p.WithoutCursor = append(p.WithoutCursor, int32(n))
		}
	}
	return nil
}

// idleWords returns how many words of a node survive its completion and its aborts.
func idleWords(op executor.Opcode) int32 {
	switch op {
	case executor.OpCooldown, executor.OpRoundRobin:
		return 1
	case executor.OpEvery: // a deadline and a result
		return 2
	}
	return 0
}

// place gives the nodes of a subtree words from next on and returns the first free word after them.
func (b *builder) place(self, next int32) int32 {
	p := b.program
	n := &p.Nodes[self]
	words := int32(0)
	switch n.Op {
	case executor.OpTimeout, executor.OpWait, executor.OpRandomSequence, executor.OpRandomSelector:
		words = 1
	case executor.OpDo:
		if n.Limited {
			words = 1
		}
	case executor.OpRepeat, executor.OpRetry, executor.OpRecovery:
		words = min(n.Count, 1)
	case executor.OpParallel:
		per := int32(32 / p.CursorBits())
		words = (n.Count + per - 1) / per
	case executor.OpLeaf:
		words = p.Leaves[n.Leaf].Keeps
	case executor.OpUtilitySelector:
		if k := &p.UtilityNodes[n.UtilityNode]; !k.Remember {
			words = k.Words
		}
	}
	if words > 0 {
		n.Slot = next
		next += words
	}
	end := next
	for _, c := range n.Children {
		after := b.place(c, next)
		end = max(end, after)
		// The children of a reactive composite are active together for a moment: an earlier one is entered, and may
		// fail, while a later one still runs.
		if n.Op == executor.OpReactiveSequence || n.Op == executor.OpReactiveSelector || n.Op == executor.OpParallel {
			next = after
		}
	}
	return end
}

// strands sets the strand of every node of a subtree, which says where its cursor is.
func (b *builder) strands(self int32, s executor.Strand) {
	p := b.program
	n := &p.Nodes[self]
	n.Strand = s
	width := int32(p.CursorBits())
	for i, c := range n.Children {
		below := s
		if n.Op == executor.OpParallel {
			bit := int32(i) * width
			below = executor.Strand{Word: n.Slot + bit/32, Shift: uint8(bit % 32)}
		}
		b.strands(c, below)
	}
}
