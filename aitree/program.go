package aitree

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
)

// Program is a compiled tree: immutable, and shared by all agents that run it and by all goroutines
// that tick them. Make it with [Build].
//
// Nodes stand in pre-order, so a subtree is a contiguous range and skipping one is a jump.
type Program struct {
	name      string
	hash      uint64 // of the name: the program's part in the keys of draws
	nodes     []node
	parents   []int32 // of the nodes, side by side
	leaves    []leaf
	leafNodes []leafNode // what the end of a tick needs of the leaves, side by side
	tests     []compiledTest
	facts     []blackboard.Fact
	posts     []posting // of Do and Fire nodes, by node.post
	parallels []int32
	loops     []int32 // nodes that can rest between two rounds
	cooldowns []int32
	brains    []brain  // of UtilitySelectors, in tree order
	restless  []int32  // nodes that the root's strand cannot rest at
	words     int      // of a mind, header included
	register  *Actions // that the handles are of; nil if there was none
	actions   int      // one past the highest action handle, 0 if none is posted
	wide      bool
	fires     bool
	does      bool
	hooked    bool
	custom    bool
}

// Name returns the program's name.
func (p *Program) Name() string { return p.name }

// Actions returns the register that the program was built with, or nil. Its action handles mean nothing in another.
func (p *Program) Actions() *Actions { return p.register }

// Nodes returns how many nodes the program has, subtrees inlined.
func (p *Program) Nodes() int { return len(p.nodes) }

// Facts returns the facts the program reads, each once. A [Source] is asked for them by their index here.
func (p *Program) Facts() []blackboard.Fact { return p.facts }

// MindBytes returns the size of the mind the program needs: 64, 128 or 256 bytes.
func (p *Program) MindBytes() int {
	switch {
	case p.words <= 16:
		return 64
	case p.words <= 32:
		return 128
	}
	return 256
}

// Fires reports whether the program has Fire leaves, so that its agents need Triggers.
func (p *Program) Fires() bool { return p.fires }

// Does reports whether the program has Do leaves, so that its agents need an Intent.
func (p *Program) Does() bool { return p.does }

// Hooked reports whether any leaf has an enter or an exit hook.
func (p *Program) Hooked() bool { return p.hooked }

// NeedsSince reports whether the program has custom leaves or predicates, which may ask for [Block.Since].
func (p *Program) NeedsSince() bool { return p.custom }

// LeafInfo describes a leaf that can run: a custom leaf, a Do or a Wait.
type LeafInfo struct {
	Name   string // its label, or the action's name, with the names of the uses it stands in before it
	Node   int    // index of its node in pre-order
	Action components.Action
	Hooked bool
}

// Leaves returns the leaves that can run, in tree order. Events and hooks name a leaf by its index here.
func (p *Program) Leaves() []LeafInfo {
	infos := make([]LeafInfo, len(p.leaves))
	for i, l := range p.leaves {
		infos[i] = LeafInfo{
			Name: l.name, Node: int(l.node), Action: p.nodes[l.node].action, Hooked: l.enter != nil || l.exit != nil,
		}
	}
	return infos
}
