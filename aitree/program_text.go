package aitree

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/flockwork-ai/flockwork/internal/executor"
)

// String returns the tree as text: a node a line, indented by two blanks for each node above it, with its parameters.
// Facts, custom leaves, predicates and evaluators are given by their names. A subtree stands where it is used.
//
// It panics for a program that Build did not make.
func (p *Program) String() string {
	nodes := p.tables().Nodes
	var text strings.Builder
	depths := depthsOf(nodes)
	for i := range nodes {
		text.WriteString(strings.Repeat("  ", depths[i]))
		text.WriteString(p.texts.nodes[i])
		text.WriteByte('\n')
	}
	return text.String()
}

// texts describe a program, for people.
type texts struct {
	nodes []string    // in pre-order
	tests [][2]string // by test of the program: as it is, and negated
}

// depthsOf returns how many nodes are above each node.
func depthsOf(nodes []executor.Node) []int {
	depths := make([]int, len(nodes))
	for i := range nodes {
		if parent := nodes[i].Parent; parent >= 0 {
			depths[i] = depths[parent] + 1
		}
	}
	return depths
}

// role returns what the i-th child is for the node, as the beginning of the child's text.
func (n *Node) role(i int) string {
	switch n.op {
	case executor.OpUtilitySelector:
		return fmt.Sprintf("on %q: ", n.branches[i])
	case executor.OpWeightedChoice:
		return fmt.Sprintf("weight %v: ", n.weights[i])
	case executor.OpRecovery:
		return [...]string{"", "recovery: "}[i]
	}
	return ""
}

// text returns the node with its parameters.
func (n *Node) text() string {
	text, label := n.op.String(), n.label
	if subject := cmp.Or(n.subject(), label); subject != "" {
		text += fmt.Sprintf(" %q", subject)
		if label == subject {
			label = ""
		}
	}
	if parameters := n.parameters(); parameters != "" {
		text += " " + parameters
	}
	for _, option := range n.options() {
		text += ", " + option
	}
	if label != "" {
		text += fmt.Sprintf(", named %q", label)
	}
	return text
}

// subject returns the name that a node is about, or "".
func (n *Node) subject() string {
	if n.op == executor.OpUtilitySelector {
		return n.evaluator.Name()
	}
	return n.action
}

// parameters returns the parameters of a node.
func (n *Node) parameters() string {
	switch n.op {
	case executor.OpParallel:
		return fmt.Sprintf("success %v failure %v", n.success, n.failure)
	case executor.OpRepeat, executor.OpRetry, executor.OpRecovery:
		if n.count <= 0 {
			return "without end"
		}
		return fmt.Sprint(n.count)
	case executor.OpCooldown, executor.OpEvery, executor.OpTimeout:
		return n.duration.String()
	case executor.OpWait:
		switch {
		case n.ofFact:
			return "seconds = " + n.fact.Name()
		case n.longest != n.duration:
			return fmt.Sprintf("%v to %v", n.duration, n.longest)
		}
		return n.duration.String()
	case executor.OpGuard, executor.OpCheck:
		return n.condition.String()
	}
	list := make([]string, len(n.bindings))
	for i, b := range n.bindings {
		list[i] = b.String()
	}
	return strings.Join(list, ", ")
}

// options returns what the modifiers of a node say.
func (n *Node) options() (list []string) {
	add := func(set bool, text string) {
		if set {
			list = append(list, text)
		}
	}
	add(n.latched, "latched")
	add(n.startedByCompletion, "started by completion")
	add(n.clearedByAbort, "cleared by abort")
	add(n.hold, "held until done")
	add(n.remember, "remembered")
	add(n.nextBest, "next best")
	add(n.backOff > 0, fmt.Sprintf("back off %v", n.backOff))
	if n.until != nil {
		list = append(list, "until "+n.until.String())
	}
	add(n.limited, fmt.Sprintf("for %v", n.duration))
	for i, f := range n.reads {
		if i == 0 {
			list = append(list, "reads "+f.Name())
		} else {
			list[len(list)-1] += " " + f.Name()
		}
	}
	add(n.keeps > 0, fmt.Sprintf("keeps %d words", n.keeps))
	return list
}

// String returns One, All or the number of children that AtLeast was given.
func (p Policy) String() string {
	switch p {
	case One:
		return "one"
	case All:
		return "all"
	}
	return fmt.Sprint(p.n)
}

// String returns the field and what it is bound to.
func (b Binding) String() string {
	field := [...]string{"target", "point", "number 0", "number 1", "number ?"}[b.field]
	var values []string
	switch {
	case b.chosen:
		values = []string{"the chosen one"}
	case b.count > 0:
		for _, f := range b.facts[:b.count] {
			values = append(values, f.Name())
		}
	case b.field == bindPoint:
		values = []string{fmt.Sprint(b.values[0]), fmt.Sprint(b.values[1])}
	default:
		values = []string{fmt.Sprint(b.values[0])}
	}
	if b.field == bindPoint {
		return fmt.Sprintf("%s = (%s)", field, strings.Join(values, ", "))
	}
	return fmt.Sprintf("%s = %s", field, values[0])
}
