package utility

import "github.com/flockwork-ai/flockwork/components/blackboard"

// Action is something that an agent could do, with the considerations that score it. Make it with [NewAction]; each
// method returns the action it was called on.
type Action struct {
	name           string
	weight         float64
	rank           int
	list           *blackboard.List
	considerations []*Consideration
}

// NewAction describes an action. The name must be unique in the evaluator. Without considerations the action scores its
// weight.
func NewAction(name string, considerations ...*Consideration) *Action {
	return &Action{name: name, weight: 1, considerations: considerations}
}

// Weight multiplies the score of the action, which can then exceed 1. It is 0 or more; 1 unless it is set.
func (a *Action) Weight(w float64) *Action { a.weight = w; return a }

// Rank puts the action before all actions of a lower rank: they are considered only if none of this rank can be chosen.
// It may be negative; 0 unless it is set.
func (a *Action) Rank(r int) *Action { a.rank = r; return a }

// For scores the action against each target of a list: the choice is an action and a target. Considerations of facts of
// the list's elements are about the target. An agent without targets cannot choose the action.
func (a *Action) For(list blackboard.List) *Action { a.list = &list; return a }

// Consideration is one reason for or against an action: an input, mapped to 0..1 by a range and a curve. A
// consideration may be used in several actions, and equal ones are evaluated once. Make it with [Consider],
// [ConsiderInput] or [ConsiderCondition]; each method returns the consideration it was called on.
type Consideration struct {
	name   string
	fact   blackboard.Fact
	input  *Input
	custom bool
	ofTree bool // the input is the condition
	tests  Condition
	ranged bool
	a, b   float64
	curve  Curve
	gate   bool
	weight float64
}

// Consider describes a consideration of a fact. A bool is 0 or 1, an age is in seconds, and an entity is 1 while it is
// alive.
func Consider(fact blackboard.Fact, c Curve) *Consideration {
	return &Consideration{name: fact.Name(), fact: fact, curve: c, weight: 1}
}

// ConsiderInput describes a consideration of a custom input.
func ConsiderInput(in *Input, c Curve) *Consideration {
	k := &Consideration{input: in, custom: true, curve: c, weight: 1}
	if in != nil {
		k.name = in.name
	}
	return k
}

// Condition is a condition of a behaviour tree: an *aitree.Condition. No other type is of use here.
type Condition interface {
	// String returns the condition as text.
	String() string
}

// ConsiderCondition describes a consideration of a condition of a tree: 1 where it holds, else 0. As a
// [Consideration.Gate] it vetoes the action where the condition does not hold. The value is the one that the condition
// has in the tree in this tick. So an evaluator with such a consideration is for a UtilitySelector only: [NewScorer]
// and choice.System refuse it.
func ConsiderCondition(c Condition) *Consideration {
	k := &Consideration{ofTree: true, tests: c, curve: Linear(), weight: 1}
	if c != nil {
		k.name = c.String()
	}
	return k
}

// Range maps the input to 0..1 before the curve: a to 0 and b to 1. Inputs outside of the range count as its nearer
// end. a may be greater than b. If they are equal, the range is a step: 1 for inputs of b or more, else 0. Without a
// range the curve gets the input as it is.
func (c *Consideration) Range(a, b float64) *Consideration { c.ranged, c.a, c.b = true, a, b; return c }

// Gate makes the consideration veto the action when it is exactly 0, whatever the combination and the mode. Gates are
// evaluated first, so the rest of a vetoed action is not evaluated.
func (c *Consideration) Gate() *Consideration { c.gate = true; return c }

// Weight is the weight of the consideration in a [WeightedSum], 0 or more; 1 unless it is set. With a weight of 0 a
// gate can veto and adds nothing to the sum. The other combinations ignore weights.
func (c *Consideration) Weight(w float64) *Consideration { c.weight = w; return c }

// Named sets the name that errors and explanations show; the name of the fact or input unless it is set.
func (c *Consideration) Named(name string) *Consideration { c.name = name; return c }
