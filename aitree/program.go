package aitree

import (
	"github.com/flockwork-ai/flockwork/components"
	"github.com/flockwork-ai/flockwork/components/blackboard"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// Program is a compiled tree. It is immutable, and shared by all agents that run it and by all goroutines that tick
// them. Make it with [Build].
type Program struct {
	compiled *executor.Program
	actions  *Actions
	texts    texts
}

// tables returns what Build made. It panics for a program that Build did not make.
func (p *Program) tables() *executor.Program {
	if p == nil || p.compiled == nil {
		panic("aitree: a Program that was not built; make one with Build")
	}
	return p.compiled
}

// Name returns the program's name. It panics, as the other methods do, for a program that Build did not make.
func (p *Program) Name() string { return p.tables().Name }

// Actions returns the register that the program was built with, or nil. Its action handles have no meaning in another
// register.
func (p *Program) Actions() *Actions {
	p.tables()
	return p.actions
}

// Facts returns the facts that the program reads, each once. The caller must not change the slice.
func (p *Program) Facts() []blackboard.Fact { return p.tables().Facts }

// Nodes returns the number of nodes, with the nodes of each use of a subtree.
func (p *Program) Nodes() int { return len(p.tables().Nodes) }

// LeafInfo describes a leaf that can run: a custom leaf, a [Do], a [Wait] or a [Run].
type LeafInfo struct {
	Name   string            // its label, or the action's name, after the names of the subtrees it is in
	Node   int               // the index of its node in pre-order
	Action components.Action // of a Do; else 0
}

// Leaves returns the leaves that can run, in tree order.
func (p *Program) Leaves() []LeafInfo {
	infos := make([]LeafInfo, len(p.tables().Leaves))
	for i, l := range p.compiled.Leaves {
		infos[i] = LeafInfo{Name: l.Name, Node: int(l.Node), Action: p.compiled.Nodes[l.Node].Action}
	}
	return infos
}

// Compiled returns the tables that the executor runs. It is for other packages of this module. It is nil for a
// Program that Build did not make.
func (p *Program) Compiled() *executor.Program { return p.compiled }
