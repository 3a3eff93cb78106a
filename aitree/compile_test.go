package aitree_test

import (
	"github.com/flockwork-ai/flockwork/aitree"
	"github.com/flockwork-ai/flockwork/internal/executor"
)

// compile builds a tree and returns what the executor runs.
func compile(
	name string, actions *aitree.Actions, root *aitree.Node, subtrees ...aitree.Definition,
) (*executor.Program, error) {
	p, err := aitree.Build(name, actions, root, subtrees...)
	if err != nil {
		return nil, err
	}
	return p.Compiled(), nil
}
