package aitree

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flockwork-ai/flockwork/internal/executor"
	"github.com/flockwork-ai/flockwork/internal/scoring"
)

// evaluator compiles the evaluator of a UtilitySelector. The branch of an action is the position of its child until the
// children are compiled.
func (b *builder) evaluator(n *Node, self int32) error {
	p := b.program
	if n.evaluator == nil || n.evaluator.Compiled() == nil {
		return b.errorf("no evaluator; make one with utility.Build")
	}
	e := n.evaluator.Compiled()
	k := executor.UtilityNode{
		Node: self, Name: cmp.Or(n.label, e.Name), Evaluator: e, Hold: n.hold, Remember: n.remember,
		NextBest: n.nextBest, Failed: n.branchFailed,
	}
	var err error
	if k.BackOff, err = b.micros(n.backOff); err != nil {
		return err
	}
	actions := n.evaluator.Actions()
	for i, name := range n.branches {
		if !slices.Contains(actions, name) {
			return b.errorf("a branch for %q, which is not an action of evaluator %q; its actions are %q",
				name, e.Name, actions)
		}
		if slices.Contains(n.branches[:i], name) {
			return b.errorf("two branches for action %q; give it one", name)
		}
	}
	for i, name := range actions {
		at := slices.Index(n.branches, name)
		if at < 0 {
			return b.errorf("no branch for action %q of evaluator %q; give it one with On", name, e.Name)
		}
		k.Branches = append(k.Branches, int32(at))
		k.Targeted = k.Targeted || e.Targeted(i)
	}
	if k.Facts, err = b.factsOf(e.Facts); err != nil {
		return err
	}
	if k.Conditions, err = b.considered(e); err != nil {
		return err
	}
	k.KeepsAction = n.remember || e.Commitment > 0
	k.Words = k.MemoryOffset() + int32(e.MemoryWords)
	if k.NextBest || k.BackOff > 0 {
		k.Out = int32(p.OutPairs)
		p.OutPairs += e.Pairs()
	}
	if k.BackOff > 0 {
		p.BackingOff = append(p.BackingOff, int32(len(p.UtilityNodes)))
	}
	p.Nodes[self].UtilityNode = int32(len(p.UtilityNodes))
	p.UtilityNodes = append(p.UtilityNodes, k)
	return nil
}

// considered compiles the conditions that an evaluator considers.
func (b *builder) considered(e *scoring.Evaluator) (list []executor.Operand, err error) {
	b.path = append(b.path, fmt.Sprintf("evaluator %q", e.Name))
	for _, c := range e.Conditions {
		condition, ok := c.(*Condition)
		if !ok {
			return nil, b.errorf("a consideration of a %T, which is no condition; pass an *aitree.Condition to "+
				"ConsiderCondition", c)
		}
		o, err := b.condition(condition)
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	b.path = b.path[:len(b.path)-1]
	return list, nil
}

// selectorAbove returns the nearest UtilitySelector above a node, as an index of Program.UtilityNodes. The action of
// the branch that the node is in must have targets.
func (b *builder) selectorAbove(self int32) (int32, error) {
	p := b.program
	for at := self; p.Nodes[at].Parent >= 0; at = p.Nodes[at].Parent {
		above := &p.Nodes[p.Nodes[at].Parent]
		if above.Op != executor.OpUtilitySelector {
			continue
		}
		k := &p.UtilityNodes[above.UtilityNode]
		action := slices.Index(k.Branches, int32(len(above.Children)-1)) // the last child is being compiled
		if !k.Evaluator.Targeted(action) {
			return 0, b.errorf("ChosenTarget below action %q of evaluator %q, which has no targets; use Action.For",
				k.Evaluator.Actions[action].Name, k.Evaluator.Name)
		}
		return above.UtilityNode, nil
	}
	return 0, b.errorf("ChosenTarget has no UtilitySelector above it; use Target")
}
