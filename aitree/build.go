package aitree

import (
	"fmt"
	"strings"

	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/internal/random"
)

// maxDepth is the limit of how deep nodes, uses of subtrees and conditions are nested.
const maxDepth = 256

// Build compiles a tree. The actions may be nil when the tree posts none.
//
// An error names the path to the node, the fault and the remedy. Faults are: a composite without children; a decorator
// without a child; a fact that cannot be used; an unknown action or subtree; a fact of a component that the AI writes;
// a comparison of facts
// or constants of different kinds; a duration that is negative or longer than 35 minutes; a policy that no number of
// children meets; two Do leaves of one channel in different branches of a Parallel; a
// subtree that contains itself; nodes, uses of subtrees or conditions nested deeper than 256; more state than the
// largest mind holds. Building takes time in proportion to the size of what is built and defined.
func Build(name string, actions *Actions, root *Node, subtrees ...Definition) (*Program, error) {
	b := &builder{
		actions: actions,
		program: &executor.Program{Name: name, Hash: random.String(name)},

		subtrees:   make(map[string]*subtree, len(subtrees)),
		facts:      map[factKey][]int32{},
		conditions: map[*Condition]executor.Operand{},
		tests:      map[testKey]int32{},
	}
	if name == "" {
		return nil, fmt.Errorf("aitree: a tree has no name")
	}
	for i, s := range subtrees {
		if s.name == "" {
			return nil, fmt.Errorf("aitree: tree %q: subtree %d has no name", name, i)
		}
		if b.subtrees[s.name] != nil {
			return nil, fmt.Errorf("aitree: tree %q: subtree %q is defined twice", name, s.name)
		}
		b.subtrees[s.name] = &subtree{root: s.root}
		b.known = append(b.known, s.name)
	}
	b.path = []string{fmt.Sprintf("tree %q", name)}
	if root == nil {
		return nil, b.errorf("no root")
	}
	if err := b.node(root, -1, ""); err != nil {
		return nil, err
	}
	if err := b.layOut(); err != nil {
		return nil, err
	}
	return &Program{b.program, actions, b.texts}, nil
}

// builder compiles one tree.
type builder struct {
	program  *executor.Program
	actions  *Actions
	known    []string // names of the subtrees
	subtrees map[string]*subtree
	uses     int // of subtrees, one in the other, that are being inlined
	path     []string
	depth    int
	channels [][]doLeaf // Do leaves below, by node

	facts      map[factKey][]int32 // the indices of Program.Facts that could be the same
	conditions map[*Condition]executor.Operand
	tests      map[testKey]int32 // the index of Program.Tests
	chances    int32             // number of Chance conditions
	nesting    int               // of conditions
	role       string            // what the next node is for its parent, in its text
	texts      texts
}

// subtree is a definition.
type subtree struct {
	root *Node
	open bool // it is being inlined; against recursion
}

// errorf returns an error with the path to the node that is being compiled.
func (b *builder) errorf(format string, args ...any) error {
	return fmt.Errorf("aitree: %s: %s", strings.Join(b.path, " > "), fmt.Sprintf(format, args...))
}

// node compiles a node and its children. The prefix is put before the names of leaves.
func (b *builder) node(n *Node, parent int32, prefix string) error {
	if n.op == executor.OpSubtree {
		return b.inline(n, parent, prefix)
	}
	b.path = append(b.path, b.step(n, parent))
	b.depth++
	defer func() { b.path = b.path[:len(b.path)-1]; b.depth-- }()

	if b.depth > maxDepth {
		return b.errorf("deeper than %d nodes; split the tree or flatten it", maxDepth)
	}
	p := b.program
	if len(p.Nodes) >= executor.MaxNodes {
		return b.errorf("more than %d nodes", executor.MaxNodes)
	}
	if len(n.faults) > 0 {
		return b.errorf("%s", n.faults[0])
	}
	if err := b.checkChildren(n); err != nil {
		return err
	}

	self := int32(len(p.Nodes))
	p.Nodes = append(p.Nodes, executor.Node{
		Op: n.op, Parent: parent, Leaf: -1, Slot: -1, Posting: -1, Fact: -1, Condition: executor.Operand{Test: -1},
		Latched: n.latched, ClearedByAbort: n.clearedByAbort, StartedByCompletion: n.startedByCompletion,
		Count: int32(len(n.children)),
	})
	b.channels = append(b.channels, nil)
	if err := b.parameters(n, self, prefix); err != nil {
		return err
	}
	b.texts.nodes = append(b.texts.nodes, b.role+n.text())
	for i, c := range n.children {
		if c == nil {
			return b.errorf("child %d is nil; give it a node", i)
		}
		b.role = n.role(i)
		p.Nodes[self].Children = append(p.Nodes[self].Children, int32(len(p.Nodes)))
		if err := b.node(c, self, prefix); err != nil {
			return err
		}
	}
	p.Nodes[self].End = int32(len(p.Nodes))
	if n.op == executor.OpUtilitySelector {
		k := &p.UtilityNodes[p.Nodes[self].UtilityNode]
		for i, at := range k.Branches {
			k.Branches[i] = p.Nodes[self].Children[at]
		}
	}
	return b.collectChannels(self)
}

// step returns a node's position below its parent, for the path in errors.
func (b *builder) step(n *Node, parent int32) string {
	s := n.op.String()
	if parent >= 0 {
		s = fmt.Sprintf("%s[%d]", s, len(b.program.Nodes[parent].Children)-1)
	}
	if n.label != "" {
		s += fmt.Sprintf(" %q", n.label)
	}
	return s
}

// inline compiles the use of a subtree in its place.
func (b *builder) inline(n *Node, parent int32, prefix string) error {
	b.path = append(b.path, fmt.Sprintf("Subtree %q", n.subtree))
	defer func() { b.path = b.path[:len(b.path)-1] }()
	if len(n.faults) > 0 {
		return b.errorf("%s", n.faults[0])
	}
	s := b.subtrees[n.subtree]
	switch {
	case s == nil:
		known := make([]string, len(b.known))
		for i, name := range b.known {
			known[i] = fmt.Sprintf("%q", name)
		}
		return b.errorf("unknown subtree; defined are: %s", strings.Join(append(known, ""), " "))
	case s.open:
		return b.errorf("the subtree contains itself; a subtree may use others only")
	case s.root == nil:
		return b.errorf("the subtree has no root")
	case b.uses == maxDepth:
		return b.errorf("subtrees used in one another deeper than %d; use the innermost directly", maxDepth)
	}
	s.open = true
	b.uses++
	defer func() { s.open = false; b.uses-- }()
	use := n.label
	if use == "" {
		use = n.subtree
	}
	b.role += fmt.Sprintf("subtree %q: ", use)
	return b.node(s.root, parent, prefix+use+".")
}

// checkChildren checks the number of children of a node.
func (b *builder) checkChildren(n *Node) error {
	switch {
	case n.op == executor.OpUtilitySelector:
		return nil // its evaluator says which branches it needs
	case n.op.IsComposite() && len(n.children) == 0:
		return b.errorf("no children; give it one or more")
	case n.op.IsDecorator() && n.children[0] == nil:
		return b.errorf("no child; give it one")
	case n.op.HasChoices() && len(n.children) > executor.MaxChoices:
		return b.errorf("%d children; the limit is %d", len(n.children), executor.MaxChoices)
	}
	return nil
}
