package aitree

import "github.com/flockwork-ai/flockwork/internal/executor"

// leaf adds a leaf that can run.
func (b *builder) leaf(n *Node, self int32, prefix string) error {
	p := b.program
	l := executor.Leaf{Node: self, Tick: n.leaf, Keeps: int32(n.keeps), Enter: n.enter, Exit: exitHook(n.exit)}
	label := n.label
	if label == "" {
		label = n.action
	}
	if label == "" {
		label = n.op.String()
	}
	l.Name = prefix + label
	var err error
	if l.Facts, err = b.factsOf(n.reads); err != nil {
		return err
	}
	p.Nodes[self].Leaf = int32(len(p.Leaves))
	p.Leaves = append(p.Leaves, l)
	p.Custom = p.Custom || n.op == executor.OpLeaf
	p.HasHook = p.HasHook || l.Enter != nil || l.Exit != nil
	return nil
}

// customLeaf checks a custom leaf.
func (b *builder) customLeaf(n *Node) error {
	const most = executor.MaxWords - executor.HeaderWords
	switch {
	case n.leaf == nil:
		return b.errorf("no function")
	case n.keeps < 0:
		return b.errorf("keeps %d words; use 0 or more", n.keeps)
	case n.keeps > most:
		return b.errorf("keeps %d words; the largest mind has room for %d", n.keeps, most)
	}
	return nil
}
