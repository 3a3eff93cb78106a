package aitree

import "github.com/flockwork-ai/flockwork/utility/explain"

// Explanation says what one [UtilitySelector] of a program would choose for an agent if it were ticked now.
type Explanation struct {
	Node    int    // the index of the node in pre-order
	Name    string // the node's label, or the evaluator's name
	Running bool   // whether the node is running; if not, only a remembered choice can be in force

	*explain.Choice // how the evaluator scored the actions
}
