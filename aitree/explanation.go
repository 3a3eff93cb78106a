package aitree

import (
	"fmt"
	"strings"
	"time"

	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/utility/explain"
)

// Explanation says what a tree would do for one agent if it were ticked now, node by node and with the values that the
// conditions read. [Block.Explain] makes it, and in a world System.Explain of package ai. A custom leaf is not called
// for it: it is taken to run.
type Explanation struct {
	Tree   string            // the name of the program
	Status Status            // of the root
	Nodes  []NodeExplanation // in pre-order
}

// NodeExplanation is what a tick would make of a node.
type NodeExplanation struct {
	Text  string    // the node with its parameters, as [Program.String] has it
	Depth int       // how many nodes are above it
	State NodeState // after the tick
	Ran   bool      // whether it is running now, before the tick

	// Left is the time until the deadline of a running Wait, Timeout or limited Do, or until a Cooldown or an Every
	// lets its child begin; 0 without one.
	Left time.Duration

	// Conditions are the comparisons and predicates that the node's condition consists of, those that were evaluated.
	Conditions []ConditionExplanation

	// Choice is how a UtilitySelector scored its actions; nil for other nodes. It is there even where the node is not
	// reached.
	Choice *explain.Choice
}

// ConditionExplanation is a condition and what it read.
type ConditionExplanation struct {
	Text  string // with the threshold: "health < 30"
	Holds bool   // whether it does
	Value string // of the facts, as text: "85"; "" for a bool and a predicate
}

// NodeState is what becomes of a node in a tick.
type NodeState uint8

// The states.
const (
	NotReached    = NodeState(executor.NotReached)
	NodeRunning   = NodeState(executor.NodeRunning)
	NodeSucceeded = NodeState(executor.NodeSucceeded)
	NodeFailed    = NodeState(executor.NodeFailed)
	NodeAborted   = NodeState(executor.NodeAborted) // it was reset
)

// String returns the state's name.
func (s NodeState) String() string {
	switch s {
	case NotReached:
		return "not reached"
	case NodeRunning:
		return "running"
	case NodeSucceeded:
		return "succeeded"
	case NodeFailed:
		return "failed"
	case NodeAborted:
		return "aborted"
	}
	return "invalid"
}

// Explain explains an agent of a block of the executor; nil when it runs another program. It is for other packages of
// this module.
//
// It panics when the lane is not in the block's mask, and for a program that Build did not make.
func (p *Program) Explain(b *executor.Block, lane int) *Explanation {
	nodes := p.tables().Nodes
	r := executor.Rehearse(p.compiled, b, lane)
	if r == nil {
		return nil
	}
	e := &Explanation{Tree: p.Name(), Nodes: make([]NodeExplanation, len(nodes))}
	switch r.Status {
	case executor.NodeSucceeded:
		e.Status = Success
	case executor.NodeRunning:
		e.Status = Running
	}
	depths := depthsOf(nodes)
	for i := range nodes {
		from, to := &r.Nodes[i], &e.Nodes[i]
		*to = NodeExplanation{
			Text: p.texts.nodes[i], Depth: depths[i], State: NodeState(from.State), Ran: from.Ran, Left: from.Left,
		}
		for _, t := range from.Tests {
			to.Conditions = append(to.Conditions, ConditionExplanation{
				Text: p.texts.tests[t.Test][t.Negate&1], Holds: t.Holds, Value: t.Value,
			})
		}
	}
	for _, c := range r.Choices {
		e.Nodes[c.Node].Choice = c.Choice
	}
	return e
}

// Choices returns the explanations of the UtilitySelectors, in tree order.
func (e *Explanation) Choices() []*explain.Choice {
	var list []*explain.Choice
	for i := range e.Nodes {
		if c := e.Nodes[i].Choice; c != nil {
			list = append(list, c)
		}
	}
	return list
}

// stateMarks are the marks of the states in the text.
var stateMarks = [...]string{NotReached: " ", NodeRunning: ">", NodeSucceeded: "+", NodeFailed: "x", NodeAborted: "!"}

// String returns the tree as text, a node a line. The first column marks the nodes: > for those that run, + succeeded,
// x failed, ! was aborted; the others are not reached. A node that failed for its condition shows the values that the
// condition read, and one that waits how long. The scores of UtilitySelectors follow.
func (e *Explanation) String() string {
	var text strings.Builder
	for i := range e.Nodes {
		n := &e.Nodes[i]
		fmt.Fprintf(&text, "%s %s%s", stateMarks[n.State], strings.Repeat("  ", n.Depth), n.Text)
		for _, c := range n.Conditions {
			if c.Value == "" {
				fmt.Fprintf(&text, "  [%s: %t]", c.Text, c.Holds)
			} else {
				fmt.Fprintf(&text, "  [%s: %t, it is %s]", c.Text, c.Holds, c.Value)
			}
		}
		if n.Left > 0 {
			fmt.Fprintf(&text, "  [%v left]", n.Left)
		}
		text.WriteByte('\n')
	}
	for _, c := range e.Choices() {
		text.WriteString(c.String())
	}
	return text.String()
}
