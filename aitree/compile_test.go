package aitree_test

import "github.com/flockwork-ai/flockwork/aitree"

// compile builds a tree and returns what the executor runs.
func compile(
	name string, actions *aitree.Actions, root *aitree.Node, subtrees ...aitree.Definition,
) (*aitree.CompiledProgram, error) {
	p, err := aitree.Build(name, actions, root, subtrees...)
	if err != nil {
		return nil, err
	}
	return p.Compiled(), nil
}
